package pack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Format names a layout of the block.
type Format string

// The formats.
const (
	FormatClassic Format = "classic" // headings and one item a line
	FormatSutra   Format = "sutra"   // bracket lines, one a subject: the fewest tokens
	FormatGrouped Format = "grouped" // classic, with one line a subject
	FormatJSON    Format = "json"    // one JSON object a part, for programs
)

// Formats lists the formats, the default first.
func Formats() []Format { return []Format{FormatClassic, FormatSutra, FormatGrouped, FormatJSON} }

// A Counter counts the tokens of a text as one model's tokenizer would, without
// marks that a tokenizer adds around a whole text. It is safe for concurrent use.
type Counter interface {
	Count(text string) int
	Name() string
}

// A LineCounter is a [Counter] for which a text has as many tokens as its lines have, each
// with its end. Then a line that was counted to be chosen is not counted again with the
// block.
type LineCounter interface {
	Counter
	CountsLines()
}

// The names of tokenizers.
const (
	TokenizerWordPiece = "wordpiece"
	TokenizerO200k     = "o200k"
)

// Tokenizers lists the names, the default first.
func Tokenizers() []string { return []string{TokenizerWordPiece, TokenizerO200k} }

// Params are the keys of a pack table.
type Params struct {
	Format       string  `toml:"format"        doc:"classic, sutra, grouped or json"`
	BudgetTokens int     `toml:"budget_tokens" doc:"most tokens of a block; only rules may go beyond"`
	StateShare   float64 `toml:"state_share"   doc:"part of the budget kept for states, 0 to 1; what one part leaves goes to the others"`
	EventShare   float64 `toml:"event_share"   doc:"part of the budget kept for events, 0 to 1"`
	MaxPassages  int     `toml:"max_passages"  doc:"most passages in a block"`
	MaxEvents    int     `toml:"max_events"    doc:"most events in a block"`
	Tokenizer    string  `toml:"tokenizer"     doc:"what counts tokens: wordpiece or o200k"`
}

// Defaults returns the default parameters. Budget, state share and the two maxima
// are those of the original.
func Defaults() Params {
	return Params{
		Format: string(FormatClassic), BudgetTokens: 4096, StateShare: 0.25, EventShare: 0.1,
		MaxPassages: 12, MaxEvents: 6, Tokenizer: TokenizerWordPiece,
	}
}

// Validate reports parameters outside their range.
func (p *Params) Validate() error {
	var errs []error
	if !slices.Contains(Formats(), Format(p.Format)) {
		errs = append(errs, fmt.Errorf("format must be classic, sutra, grouped or json, not %q", p.Format))
	}
	if !slices.Contains(Tokenizers(), p.Tokenizer) {
		errs = append(errs, fmt.Errorf("tokenizer must be %s, not %q", strings.Join(Tokenizers(), " or "), p.Tokenizer))
	}
	if p.BudgetTokens < 1 || p.BudgetTokens > 1_000_000 {
		errs = append(errs, errors.New("budget_tokens must be 1 to 1000000"))
	}
	if !(p.StateShare >= 0 && p.EventShare >= 0 && p.StateShare+p.EventShare <= 1) {
		errs = append(errs, errors.New("state_share and event_share must be 0 to 1 together"))
	}
	if p.MaxPassages < 0 || p.MaxEvents < 0 || p.MaxPassages > 10_000 || p.MaxEvents > 10_000 {
		errs = append(errs, errors.New("max_passages and max_events must be 0 to 10000"))
	}
	return errors.Join(errs...)
}

// A Packer is the stage that writes the block. The engine finds it by assertion
// and calls Pack after the pipeline has run.
type Packer interface {
	pipeline.Stage
	// Params returns the configured parameters; Params().Tokenizer names the counter
	// that Pack is to be given.
	Params() Params
	// Pack packs in with the configured parameters.
	Pack(in *Input, c Counter) Packed
}

// Stage is the pack stage. As a stage it changes nothing: it stands last and holds
// how to pack.
var Stage = pipeline.Spec{
	Spec: component.Define(component.About{
		Name:    "pack",
		Summary: "Write the block within a token budget, rules first",
		Doc: `
Rules stand first and are never cut. The rest of the budget is shared between
states, events and passages, best scores first; what one leaves goes to the
others. Passages stand in the order they were said, and a sentence that does not
hold any more is marked outdated. Tokens are counted by a real tokenizer over the
whole block.`,
	}, Defaults(), func(p Params, _ component.Deps) (pipeline.Stage, error) { return packer{p}, nil }),
	Folder: "pack",
	Reads:  []frame.Column{frame.ID, frame.Item, frame.Score},
}

type packer struct{ p Params }

func (packer) Run(context.Context, *frame.Frame) error { return nil }

func (k packer) Params() Params { return k.p }

func (k packer) Pack(in *Input, c Counter) Packed { return Pack(in, k.p, c) }

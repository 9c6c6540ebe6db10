package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Memory is what is imported into: an engine.
type Memory interface {
	Add(ctx context.Context, space string, inputs ...engine.Input) ([]engine.Added, error)
	Known(ctx context.Context, space string, in engine.Input) (core.ID, bool, error)
	Store() core.Store
}

// batch is how many rows are stored at a time: a transaction costs little a row then,
// and a stop loses little time.
const batch = 1000

// batchBytes bounds the texts of a batch.
const batchBytes = 8 << 20

// Options say how a history is read.
type Options struct {
	Space  string         // of all rows; empty: the row's own, else the default one
	Name   string         // of the file; rows without an id are called NAME#LINE
	Source string         // of rows that name none; empty: "import"
	Zone   *time.Location // of times without one
	Trust  core.Trust     // of rows that name none; zero: by role and kind

	Bad      func(line int, err error) // a row that was left out; may be nil
	Progress func(bytes int64)         // after each batch; may be nil
}

// Summary says what came of an import.
type Summary struct {
	Rows     int `json:"rows"`
	Added    int `json:"added"`
	Repeats  int `json:"repeats"`  // of Added, those that say again what was said
	Rules    int `json:"rules"`    // of Added, those that made a rule
	Commands int `json:"commands"` // rows of an export that are no episodes
	Known    int `json:"known"`    // imported before: same id, source and text
	Bad      int `json:"bad"`      // left out
	Masked   int `json:"masked"`   // secrets replaced
	Repaired int `json:"repaired"` // texts with bytes that were not text
}

// Import reads rows from r and stores them, in order. Bad rows are reported and left
// out. An error ends it; what the summary counts is stored then too. Importing again
// stores only what is new.
func Import(ctx context.Context, m Memory, r io.Reader, o Options) (Summary, error) {
	if o.Source == "" {
		o.Source = "import"
	}
	if o.Bad == nil {
		o.Bad = func(int, error) {}
	}
	if o.Space != "" {
		space, err := engine.Space(o.Space)
		if err != nil {
			return Summary{}, err
		}
		o.Space = space
	}
	im := &importer{m: m, o: o, spaces: map[string]*target{}}
	var err error
	for l := range Lines(r) {
		if l.Number == 0 {
			err = fmt.Errorf("read %s: %w", o.Name, l.Err)
			break
		}
		if err = im.line(ctx, l); err != nil {
			return im.sum, err
		}
	}
	if ferr := im.flush(ctx, -1); err == nil {
		err = ferr
	}
	return im.sum, err
}

type importer struct {
	m      Memory
	o      Options
	sum    Summary
	spaces map[string]*target
	to     *target // of what is waiting
	rows   []waiting
	bytes  int
}

// waiting is a row that is not stored yet.
type waiting struct {
	engine.Input
	n    core.ID
	line int
}

func (im *importer) line(ctx context.Context, l Line) error {
	im.sum.Rows++
	err := l.Err
	if err == nil && bytes.Contains(l.Data, []byte(`"type":"`)) {
		var done bool
		if done, err = im.command(ctx, l); done {
			return nil
		} else if err != nil && core.CodeOf(err) != core.CodeInvalid {
			return err
		}
	}
	if err == nil {
		err = im.row(ctx, l)
	}
	if core.CodeOf(err) == core.CodeInvalid || core.CodeOf(err) == core.CodeTooLarge {
		im.bad(l.Number, err)
		return ctx.Err()
	}
	return err
}

// row takes in an episode, and stores what waits when that is enough.
func (im *importer) row(ctx context.Context, l Line) error {
	r, in, err := ParseRow(l.Data, im.o.Zone)
	if err != nil {
		return err
	}
	to, err := im.target(ctx, r.Space)
	if err != nil {
		return err
	}
	if to != im.to {
		if err := im.flush(ctx, l.End); err != nil {
			return err
		}
		im.to = to
	}
	if in.Source == "" {
		in.Source = im.o.Source
	}
	if in.Key == "" && r.N == 0 { // an export says that there is none
		in.Key = fmt.Sprintf("%s#%d", im.o.Name, l.Number)
	}
	if in.Trust == 0 {
		in.Trust = im.o.Trust
	}
	im.rows, im.bytes = append(im.rows, waiting{in, r.N, l.Number}), im.bytes+len(in.Text)
	if len(im.rows) >= batch || im.bytes >= batchBytes {
		return im.flush(ctx, l.End)
	}
	return nil
}

func (im *importer) bad(line int, err error) {
	im.sum.Bad++
	im.o.Bad(line, err)
}

// flush stores what waits.
func (im *importer) flush(ctx context.Context, end int64) error {
	if err := ctx.Err(); err != nil || len(im.rows) == 0 {
		return err
	}
	rows, err := im.unknown(ctx)
	if err != nil {
		return err
	}
	inputs := make([]engine.Input, len(rows))
	for i := range rows {
		inputs[i] = rows[i].Input
	}
	added, err := im.m.Add(ctx, im.to.space, inputs...)
	if err != nil {
		return err
	}
	for i, a := range added {
		if a.Error != "" {
			im.bad(rows[i].line, core.Errorf(a.Code, "%s", a.Error))
			continue
		}
		im.to.stored(rows[i].n, &a)
		im.count(&a)
	}
	im.rows, im.bytes = im.rows[:0], 0
	if im.o.Progress != nil && end >= 0 {
		im.o.Progress(end)
	}
	return nil
}

func (im *importer) count(a *engine.Added) {
	im.sum.Added++
	im.sum.Masked += a.Masked
	if a.RepeatOf != 0 {
		im.sum.Repeats++
	}
	if a.RuleID != 0 {
		im.sum.Rules++
	}
	if a.Repaired {
		im.sum.Repaired++
	}
}

// unknown returns the rows that were not imported before.
func (im *importer) unknown(ctx context.Context) ([]waiting, error) {
	if im.to.fresh {
		return im.rows, nil
	}
	out := im.rows[:0]
	for _, w := range im.rows {
		id, known, err := im.m.Known(ctx, im.to.space, w.Input)
		if err == nil && !known && w.Key == "" {
			id, known, err = im.to.unnamed(ctx, &w.Input)
		}
		if err != nil {
			return nil, err
		}
		if known {
			im.sum.Known++
			im.to.ids[w.n] = id
			continue
		}
		out = append(out, w)
	}
	return out, nil
}

// command carries out a row of an export that is no episode. It returns false, and no
// error, for a row of another kind.
func (im *importer) command(ctx context.Context, l Line) (done bool, err error) {
	var head struct {
		Type  string `json:"type"`
		Space string `json:"space"`
	}
	if err := json.Unmarshal(l.Data, &head); err != nil {
		return false, nil //nolint:nilerr // the row's own reader says it better
	}
	if head.Type != typeState && head.Type != typeClose && head.Type != typeJournal {
		return false, nil
	}
	if err := im.flush(ctx, l.End); err != nil {
		return false, err
	}
	to, err := im.target(ctx, head.Space)
	if err != nil {
		return false, err
	}
	changed, err := to.command(ctx, head.Type, l.Data)
	if err != nil {
		return false, err
	}
	if changed {
		im.sum.Commands++
	} else {
		im.sum.Known++
	}
	return true, nil
}

// target returns the space that a row goes to.
func (im *importer) target(ctx context.Context, named string) (*target, error) {
	space := im.o.Space
	if space == "" {
		var err error
		if space, err = engine.Space(named); err != nil {
			return nil, err
		}
	}
	if to := im.spaces[space]; to != nil {
		return to, nil
	}
	last, err := im.m.Store().Recent(ctx, space, 0, 1)
	if err != nil {
		return nil, err
	}
	to := &target{m: im.m, space: space, fresh: len(last) == 0, ids: map[core.ID]core.ID{}}
	im.spaces[space] = to
	return to, nil
}

package history

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Memory is what is imported into: an engine.
type Memory interface {
	Add(ctx context.Context, space string, inputs ...engine.Input) ([]engine.Added, error)
	Known(ctx context.Context, space string, in engine.Input) (bool, error)
	Store() core.Store
}

// batch is how many rows are stored at a time: a transaction costs little a row then,
// and a stop loses little time.
const batch = 1000

// batchBytes bounds the texts of a batch.
const batchBytes = 8 << 20

// Options say how a history is read.
type Options struct {
	Space  string
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
	Known    int `json:"known"`    // imported before: same id, source and text
	Bad      int `json:"bad"`      // left out
	Masked   int `json:"masked"`   // secrets replaced
	Repaired int `json:"repaired"` // texts with bytes that were not text
}

// Import reads rows from r and stores them, in order. Bad rows are reported and left
// out. An error ends it; what the summary counts is stored then too. Importing again
// stores only what is new.
func Import(ctx context.Context, m Memory, r io.Reader, o Options) (Summary, error) {
	im := &importer{m: m, o: o}
	if im.o.Source == "" {
		im.o.Source = "import"
	}
	if im.o.Bad == nil {
		im.o.Bad = func(int, error) {}
	}
	err := im.start(ctx)
	if err != nil {
		return im.sum, err
	}
	for l := range Lines(r) {
		if l.Number == 0 {
			err = fmt.Errorf("read %s: %w", o.Name, l.Err)
			break
		}
		im.row(l)
		if len(im.inputs) >= batch || im.bytes >= batchBytes {
			if err = im.flush(ctx, l.End); err != nil {
				return im.sum, err
			}
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
	fresh  bool // the space was empty: nothing is known
	inputs []engine.Input
	lines  []int
	bytes  int
}

func (im *importer) start(ctx context.Context) error {
	space, err := engine.Space(im.o.Space)
	if err != nil {
		return err
	}
	im.o.Space = space
	last, err := im.m.Store().Recent(ctx, space, 0, 1)
	im.fresh = len(last) == 0
	return err
}

func (im *importer) row(l Line) {
	im.sum.Rows++
	in, err := engine.Input{}, l.Err
	if err == nil {
		in, err = ParseRow(l.Data, im.o.Zone)
	}
	if err != nil {
		im.bad(l.Number, err)
		return
	}
	if in.Source == "" {
		in.Source = im.o.Source
	}
	if in.Key == "" {
		in.Key = fmt.Sprintf("%s#%d", im.o.Name, l.Number)
	}
	if in.Trust == 0 {
		in.Trust = im.o.Trust
	}
	im.inputs, im.lines, im.bytes = append(im.inputs, in), append(im.lines, l.Number), im.bytes+len(in.Text)
}

func (im *importer) bad(line int, err error) {
	im.sum.Bad++
	im.o.Bad(line, err)
}

// flush stores what was read.
func (im *importer) flush(ctx context.Context, end int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := im.skipKnown(ctx); err != nil {
		return err
	}
	added, err := im.m.Add(ctx, im.o.Space, im.inputs...)
	if err != nil {
		return err
	}
	for i, a := range added {
		if a.Error != "" {
			im.bad(im.lines[i], core.Errorf(a.Code, "%s", a.Error))
			continue
		}
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
	im.inputs, im.lines, im.bytes = im.inputs[:0], im.lines[:0], 0
	if im.o.Progress != nil && end >= 0 {
		im.o.Progress(end)
	}
	return nil
}

// skipKnown drops the rows that an earlier import stored.
func (im *importer) skipKnown(ctx context.Context) error {
	if im.fresh {
		return nil
	}
	kept := 0
	for i, in := range im.inputs {
		known, err := im.m.Known(ctx, im.o.Space, in)
		if err != nil {
			return err
		}
		if known {
			im.sum.Known++
			continue
		}
		im.inputs[kept], im.lines[kept] = in, im.lines[i]
		kept++
	}
	im.inputs, im.lines = im.inputs[:kept], im.lines[:kept]
	return nil
}

package history

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"slices"
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
	Format   Format         // empty: found out from the content
	Space    string         // of all rows; empty: the row's own, else the default one
	Name     string         // of the file; rows without an id are called NAME#LINE
	Modified time.Time      // when the file was changed: of a document that does not say when it was written
	Source   string         // of rows that name none; empty: the format's own, or "import"
	Zone     *time.Location // of times without one
	Trust    core.Trust     // of rows that name none; zero: by format, role and kind
	User     string         // of a mem0 export: take what is about this user; empty: there must be only one

	Bad      func(place string, err error)   // a row that was left out; may be nil
	Note     func(place string, text string) // what was odd about one that was kept; may be nil
	Progress func(bytes int64)               // after each batch; may be nil
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
	Skipped  int `json:"skipped"`  // without anything to remember: pictures, empty messages, other files
	Masked   int `json:"masked"`   // secrets replaced
	Repaired int `json:"repaired"` // texts with bytes that were not text

	// Sources are those of what was added, by space and in order.
	Sources map[string][]string `json:"sources,omitempty"`
	// Earlier are those of them that had episodes in the space before, likewise.
	Earlier map[string][]string `json:"earlier,omitempty"`
}

// Import reads a file from r and stores what it holds, in order. Bad rows are reported
// and left out. An error ends it; what the summary counts is stored then too. Importing
// again stores only what is new.
func Import(ctx context.Context, m Memory, r io.Reader, o Options) (Summary, error) {
	im, err := newImporter(m, o)
	if err != nil {
		return Summary{}, err
	}
	f := &File{Name: o.Name, Modified: o.Modified, Zone: o.Zone, User: o.User}
	br, format, err := open(r, f, o.Format)
	switch {
	case err == nil:
		err = im.read(ctx, br, f, format)
	case !errors.As(err, new(*readError)):
		err = fmt.Errorf("%s: %w", f.Name, err)
	}
	if ferr := im.flush(ctx, -1); err == nil {
		err = ferr
	}
	return im.summary(ctx, err)
}

func newImporter(m Memory, o Options) (*importer, error) {
	if o.Bad == nil {
		o.Bad = func(string, error) {}
	}
	if o.Note == nil {
		o.Note = func(string, string) {}
	}
	if o.Space != "" {
		space, err := engine.Space(o.Space)
		if err != nil {
			return nil, err
		}
		o.Space = space
	}
	return &importer{m: m, o: o, spaces: map[string]*target{}}, nil
}

// read stores one file. What is left of the last batch waits for flush.
func (im *importer) read(ctx context.Context, r io.Reader, f *File, format Format) error {
	if format != FormatRows {
		return im.items(ctx, readers[format](r, f), f, format)
	}
	for l := range rowsOf(r) {
		if l.Number == 0 {
			return &readError{f.Name, l.Err}
		}
		if err := im.line(ctx, l, f); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf yields rows: one a line, or the elements of a list, numbered.
func rowsOf(r io.Reader) iter.Seq[Line] {
	br := bufio.NewReader(r)
	head, _ := br.Peek(br.Size())
	if !bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("[")) || startsWithRow(head) {
		return Lines(br)
	}
	return func(yield func(Line) bool) {
		for e := range elements(br, MaxLine) {
			if !yield(Line{Number: e.n, End: e.end, Data: e.data, Err: e.err, listed: true}) {
				return
			}
		}
	}
}

// startsWithRow reports whether a bracket begins a broken row and not a list of rows: its
// line ends with it, and the next one is an object.
func startsWithRow(head []byte) bool {
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	first = bytes.TrimSpace(first)
	return bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{")) && len(first) > 1 && json.Valid(first)
}

type importer struct {
	m      Memory
	o      Options
	sum    Summary
	spaces map[string]*target
	to     *target // of what is waiting
	rows   []waiting
	bytes  int
	done   int64 // bytes of the files before
}

// waiting is a row that is not stored yet.
type waiting struct {
	engine.Input
	n     core.ID
	place string
	twice bool // the file may have it above
}

func (im *importer) line(ctx context.Context, l Line, f *File) error {
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
		err = im.row(ctx, l, f)
	}
	if core.CodeOf(err) == core.CodeInvalid || core.CodeOf(err) == core.CodeTooLarge {
		im.bad(l.place(f), err)
		return ctx.Err()
	}
	return err
}

// row takes in an episode.
func (im *importer) row(ctx context.Context, l Line, f *File) error {
	r, in, err := ParseRow(l.Data, im.o.Zone)
	if err != nil {
		return err
	}
	in.Source = cmp.Or(in.Source, im.o.Source, "import")
	if in.Key == "" && r.N == 0 { // an export says that there is none
		in.Key = fmt.Sprintf("%s#%d", f.Name, l.Number)
	}
	in.Trust = cmp.Or(in.Trust, im.o.Trust)
	return im.wait(ctx, r.Space, waiting{Input: in, n: r.N, place: l.place(f)}, l.End)
}

// wait lets an episode wait for its batch, and stores the batch when it is full.
func (im *importer) wait(ctx context.Context, space string, w waiting, end int64) error {
	to, err := im.target(ctx, space)
	if err != nil {
		return err
	}
	if w.twice = to.twice(&w.Input); w.twice || to != im.to {
		if err := im.flush(ctx, end); err != nil {
			return err
		}
		im.to = to
	}
	im.rows, im.bytes = append(im.rows, w), im.bytes+len(w.Text)
	if len(im.rows) >= batch || im.bytes >= batchBytes {
		return im.flush(ctx, end)
	}
	return nil
}

func (im *importer) bad(place string, err error) {
	im.sum.Bad++
	im.o.Bad(place, err)
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
			im.bad(rows[i].place, core.Errorf(a.Code, "%s", a.Error))
			continue
		}
		im.to.stored(&rows[i], &a)
		im.count(&a)
	}
	im.rows, im.bytes = im.rows[:0], 0
	if im.o.Progress != nil && end >= 0 {
		im.o.Progress(im.done + end)
	}
	return nil
}

// summary says what came of it, and passes the error on that ended it.
func (im *importer) summary(ctx context.Context, err error) (Summary, error) {
	for space, to := range im.spaces {
		if len(to.sources) == 0 {
			continue
		}
		earlier, serr := to.earlier(context.WithoutCancel(ctx)) // who stops an import asks how to take it back
		if err == nil {
			err = serr
		}
		if im.sum.Sources == nil {
			im.sum.Sources, im.sum.Earlier = map[string][]string{}, map[string][]string{}
		}
		im.sum.Sources[space] = slices.Sorted(maps.Keys(to.sources))
		if len(earlier) > 0 {
			im.sum.Earlier[space] = slices.Sorted(maps.Keys(earlier))
		}
	}
	return im.sum, err
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
	out := im.rows[:0]
	for _, w := range im.rows {
		if im.to.fresh && !w.twice {
			out = append(out, w)
			continue
		}
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
		return false, nil // the row's own reader says it better
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
	to := &target{m: im.m, space: space, fresh: len(last) == 0, ids: map[core.ID]core.ID{}, seen: map[uint64]bool{}, sources: map[string]bool{}, seed: maphash.MakeSeed()}
	im.spaces[space] = to
	return to, nil
}

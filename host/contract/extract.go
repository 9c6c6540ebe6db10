package contract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/sdk/abi"
)

// maxItemText is the most bytes of one text of an item.
const maxItemText = 16 << 10

func (p *plugin) extractSpec() component.Spec[sleep.Extractor] {
	defaults, _ := paramStructs(p.m.Params)
	return component.DefineDynamic(p.about(), defaults, func(v any, d component.Deps) (sleep.Extractor, error) {
		params, err := p.encode(v, d)
		if err != nil {
			return nil, err
		}
		return &extractor{p, params}, nil
	})
}

// extractor is one configured extractor. It is safe for concurrent use.
type extractor struct {
	p      *plugin
	params string
}

// Name is wasm: or process:, and the plugin's name.
func (x *extractor) Name() string { return x.p.name() }

// Extract gives the plugin the lines of a batch, context first, and reads its items.
func (x *extractor) Extract(ctx context.Context, r *sleep.Request) ([]sleep.Proposal, error) {
	asleep, limit := x.p.m.Contract == abi.Sleep, x.p.l.ExtractTimeout
	if asleep {
		limit = x.p.l.SleepTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out []sleep.Proposal
	err := x.p.rt.Use(ctx, x.params, func(s Session) error {
		n, err := x.encode(ctx, s, r)
		if err != nil {
			return err
		}
		b, err := s.Call(ctx, n)
		if err != nil || b == nil {
			return err
		}
		out, err = readItems(b, r.Lines)
		return err
	})
	if err != nil && unavailable(err, asleep) {
		return nil, core.Errorf(core.CodeUnavailable, "%s: %w", x.Name(), err)
	}
	return out, err
}

// unavailable reports whether an error says nothing of the lines: they then wait and
// lose no attempt. A backend that asks others may say so itself, and may be kept waiting;
// an extractor that does not end does not end for these lines.
func unavailable(err error, asleep bool) bool {
	code := (*CodeError)(nil)
	return errors.Is(err, ErrDown) ||
		asleep && (errors.Is(err, context.DeadlineExceeded) || errors.As(err, &code) && code.Code == abi.CodeUnavailable)
}

// lineTable holds the columns of a request, in the order of [abi.LineColumns].
type lineTable struct {
	line, role, kind, own []int64
	text, who, day        []string
	order                 []int32
}

func (t *lineTable) add(l *sleep.Line, citable bool) {
	n, own := int64(0), int64(0)
	if citable {
		n = int64(l.N)
		t.order = append(t.order, int32(len(t.line)))
	}
	if l.Own {
		own = 1
	}
	t.line, t.own = append(t.line, n), append(t.own, own)
	t.role = append(t.role, int64(slices.Index(core.Roles(), l.Role)))
	t.kind = append(t.kind, int64(slices.Index(core.Kinds(), l.Kind)))
	t.text, t.who, t.day = append(t.text, l.Text), append(t.who, l.Who()), append(t.day, l.Day())
}

// known adds what a space knows, for naming only: rows that are no lines.
func (t *lineTable) known(n int64, texts []string) {
	for _, s := range texts {
		t.line, t.text = append(t.line, n), append(t.text, s)
		t.role, t.kind, t.own = append(t.role, 0), append(t.kind, 0), append(t.own, 0)
		t.who, t.day = append(t.who, ""), append(t.day, "")
	}
}

func (x *extractor) encode(ctx context.Context, s Session, r *sleep.Request) (int, error) {
	t := &lineTable{}
	for _, l := range r.Context {
		t.add(l, false)
	}
	for _, l := range r.Lines {
		t.add(l, l.Citable)
	}
	if x.p.m.Contract == abi.Sleep && r.Known != nil {
		k := r.Known()
		t.known(abi.KnownName, k.Names)
		t.known(abi.KnownAttribute, k.Attributes)
		t.known(abi.KnownState, k.States)
	}
	size := func(texts []string) int {
		n := 0
		for _, s := range texts {
			n += len(s)
		}
		return n
	}
	sc := s.Scratch()
	sc.extra = append(sc.extra[:0], 0, size(t.text), size(t.who), 0, 0, size(t.day), 0)
	l := &sc.layout
	l.Plan(abi.LineColumns(), len(t.line), len(t.order), sc.extra, 0)
	b, err := x.p.arena(ctx, s, l.Size)
	if err != nil {
		return 0, err
	}
	l.Write(b, abi.Query{})
	abi.PutOrder(b[l.OrderAt:], t.order)
	for i, put := range []func(dst []byte){
		func(dst []byte) { abi.PutI64(dst, t.line) }, func(dst []byte) { abi.PutText(dst, t.text) },
		func(dst []byte) { abi.PutText(dst, t.who) }, func(dst []byte) { abi.PutI64(dst, t.role) },
		func(dst []byte) { abi.PutI64(dst, t.kind) }, func(dst []byte) { abi.PutText(dst, t.day) },
		func(dst []byte) { abi.PutI64(dst, t.own) },
	} {
		put(b[l.ColAt[i] : l.ColAt[i]+l.ColLen[i]])
	}
	return l.Size, nil
}

// readItems reads a plugin's items. What is in them is not judged here: the stages after
// extract believe nothing. But they are text, and cite lines that were given.
func readItems(b []byte, lines []*sleep.Line) ([]sleep.Proposal, error) {
	block, err := abi.Open(b, abi.ItemColumns())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if block.Rows() > abi.MaxItems {
		return nil, fmt.Errorf("%w: %d items, at most %d are taken", ErrAnswer, block.Rows(), abi.MaxItems)
	}
	tags := map[int]string{}
	for _, l := range lines {
		if l.Citable {
			tags[l.N] = l.Tag()
		}
	}
	out := make([]sleep.Proposal, 0, block.Rows())
	for row := range block.Rows() {
		flags := block.I64(0, row)
		if flags&^(abi.ItemEvent|abi.ItemProhibited|abi.ItemEnded|abi.ItemLift) != 0 {
			return nil, fmt.Errorf("%w: item %d has unknown flags %#x", ErrAnswer, row, flags)
		}
		pr := sleep.Proposal{
			Event: flags&abi.ItemEvent != 0, Prohibited: flags&abi.ItemProhibited != 0,
			Ended: flags&abi.ItemEnded != 0, Lift: flags&abi.ItemLift != 0,
		}
		for i, dst := range []*string{&pr.Subject, &pr.Attribute, &pr.Value, &pr.Condition, &pr.When} {
			*dst = block.Text(1+i, row)
			if len(*dst) > maxItemText || !utf8.ValidString(*dst) {
				return nil, fmt.Errorf("%w: item %d has a text that is too long or no UTF-8", ErrAnswer, row)
			}
		}
		for _, n := range block.List(6, row) {
			tag, ok := tags[int(n)]
			if !ok || float32(int(n)) != n {
				return nil, fmt.Errorf("%w: item %d cites line %v, which may not be cited", ErrAnswer, row, n)
			}
			pr.Cites = append(pr.Cites, tag)
		}
		out = append(out, pr)
	}
	return out, nil
}

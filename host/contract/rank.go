package contract

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/abi"
)

// rankSpec turns a manifest into an ordinary spec.
func (p *plugin) rankSpec() pipeline.Spec {
	s := pipeline.Spec{Folder: "plugin", Timeout: p.l.Timeout}
	cols := make([]frame.Column, len(p.m.Columns))
	for i, c := range p.m.Columns {
		cols[i] = column(c)
		if c.Read {
			s.Reads = append(s.Reads, cols[i])
		}
		if c.Write {
			s.Writes = append(s.Writes, cols[i])
		}
	}
	if p.m.Drops {
		s.Effect |= pipeline.Drops
	}
	if p.m.Orders {
		s.Effect |= pipeline.Orders
	}
	var defaults any
	defaults, s.Neutral = paramStructs(p.m.Params)
	s.Spec = component.DefineDynamic(p.about(), defaults, func(v any, d component.Deps) (pipeline.Stage, error) {
		params, err := p.encode(v, d)
		if err != nil {
			return nil, err
		}
		// Every recall runs it, so it starts now: what is wrong is known before the first
		// question, which does not wait either.
		if err := p.prepare(params); err != nil {
			return nil, err
		}
		return &rankStage{p: p, cols: cols, params: params}, nil
	})
	return s
}

// encode checks parameters and lays them out.
func (p *plugin) encode(v any, d component.Deps) (string, error) {
	params, err := encodeParams(p.m.Params, v, d.Dir)
	return string(params), err
}

// prepare starts what runs with these parameters.
func (p *plugin) prepare(params string) error {
	ctx, cancel := context.WithTimeout(context.Background(), p.l.StartTimeout)
	defer cancel()
	return p.rt.Prepare(ctx, params)
}

// column is a manifest's column as the frame knows it.
func column(c abi.Column) frame.Column {
	for _, k := range known() {
		if k.Name == c.Name {
			return k
		}
	}
	kind, _ := frame.ParseKind(c.Kind) // the manifest was checked
	return frame.Column{Name: c.Name, Kind: kind, Neutral: c.Neutral, Doc: c.Doc}
}

// rankStage is one configured ranker. It is safe for concurrent use.
type rankStage struct {
	p      *plugin
	cols   []frame.Column
	params string
}

// Run copies the declared columns into the plugin, calls it once, and copies back what it
// may have changed. If anything fails the frame is as it was.
func (s *rankStage) Run(ctx context.Context, f *frame.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, c := range s.cols {
		if !f.Has(c) {
			return fmt.Errorf("there is no %v column %q", c.Kind, c.Name)
		}
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.p.l.Timeout)
		defer cancel()
	}
	return s.p.rt.Use(ctx, s.params, func(x Session) error {
		sc := x.Scratch()
		if err := s.encode(ctx, x, sc, f); err != nil {
			return err
		}
		b, err := x.Call(ctx, sc.layout.Size)
		if err != nil {
			return err
		}
		return s.decode(b, sc, f)
	})
}

// encode writes the block straight into the plugin's arena.
func (s *rankStage) encode(ctx context.Context, x Session, sc *Scratch, f *frame.Frame) error {
	m, query := s.p.m, abi.Query{}
	if m.Query && f.Query != nil {
		query.Text, query.NowMS = f.Query.Text, f.Query.Now.UnixMilli()
		if f.Query.Zone != nil {
			_, seconds := f.Query.Now.In(f.Query.Zone).Zone()
			query.Zone = int32(seconds / 60)
		}
	}
	sc.extra = sc.extra[:0]
	for _, c := range s.cols {
		n := 0
		switch c.Kind {
		case frame.KindText:
			for _, t := range f.Strings(c) {
				n += len(t)
			}
		case frame.KindList:
			n = len(f.List(c).Values)
		}
		sc.extra = append(sc.extra, n)
	}
	l := &sc.layout
	l.Plan(m.Columns, f.Len(), len(f.Order()), sc.extra, len(query.Text))
	b, err := s.p.arena(ctx, x, l.Size)
	if err != nil {
		return err
	}
	l.Write(b, query)
	abi.PutOrder(b[l.OrderAt:], f.Order())
	for i, c := range s.cols {
		dst := b[l.ColAt[i] : l.ColAt[i]+l.ColLen[i]]
		switch c.Kind {
		case frame.KindF32:
			abi.PutF32(dst, f.F32(c))
		case frame.KindI64:
			abi.PutI64(dst, f.I64(c))
		case frame.KindText:
			abi.PutText(dst, f.Strings(c))
		case frame.KindList:
			abi.PutList(dst, f.List(c).Ends, f.List(c).Values)
		}
	}
	return nil
}

// decode checks everything that the plugin may have changed and then takes it over. It
// uses the layout that it wrote: nothing that the plugin says about places counts.
func (s *rankStage) decode(b []byte, sc *Scratch, f *frame.Frame) error {
	l := &sc.layout
	if len(b) != l.Size {
		return fmt.Errorf("%w: a block of %d bytes came back as %d", ErrAnswer, l.Size, len(b))
	}
	le := binary.LittleEndian
	if le.Uint32(b[abi.AtRows:]) != uint32(l.Rows) || le.Uint32(b[abi.AtColumns:]) != uint32(len(s.cols)) ||
		le.Uint32(b[abi.AtMagic:]) != abi.Magic || le.Uint32(b[abi.AtSize:]) != uint32(l.Size) {
		return fmt.Errorf("%w: the header was changed", ErrAnswer)
	}
	for i, c := range s.cols {
		if s.p.m.Columns[i].Write && c.Kind == frame.KindF32 {
			if err := checkF32(b[l.ColAt[i]:l.ColAt[i]+l.ColLen[i]], c); err != nil {
				return err
			}
		}
	}
	effect := s.p.m.Drops || s.p.m.Orders
	if effect {
		if err := s.readOrder(sc, b, f); err != nil {
			return err
		}
	}
	for i, c := range s.cols {
		if !s.p.m.Columns[i].Write {
			continue
		}
		src := b[l.ColAt[i] : l.ColAt[i]+l.ColLen[i]]
		if c.Kind == frame.KindF32 {
			for row := range f.F32(c) {
				f.F32(c)[row] = math.Float32frombits(le.Uint32(src[4*row:]))
			}
		} else {
			for row := range f.I64(c) {
				f.I64(c)[row] = int64(le.Uint64(src[8*row:]))
			}
		}
	}
	if effect {
		f.SetOrder(sc.order)
	}
	return nil
}

// checkF32 checks that all values are finite, and scores not below zero.
func checkF32(b []byte, c frame.Column) error {
	score := c.Name == frame.Score.Name
	for i := 0; i+4 <= len(b); i += 4 {
		bits := binary.LittleEndian.Uint32(b[i:])
		if bits&0x7f800000 == 0x7f800000 || score && bits > 0x80000000 {
			return fmt.Errorf("%w: column %q row %d is %v", ErrAnswer, c.Name, i/4, math.Float32frombits(bits))
		}
	}
	return nil
}

// What is known of a row while an order is read.
const (
	dead uint8 = iota
	live
	taken
)

// readOrder checks the order and puts it into sc.order: only rows that were live, each
// once, and moved or left out only as the manifest says.
func (s *rankStage) readOrder(sc *Scratch, b []byte, f *frame.Frame) error {
	n := binary.LittleEndian.Uint32(b[abi.AtLive:])
	before := f.Order()
	switch {
	case uint64(n) > uint64(len(before)):
		return fmt.Errorf("%w: %d live rows of %d", ErrAnswer, n, len(before))
	case int(n) < len(before) && !s.p.m.Drops:
		return fmt.Errorf("%w: it dropped rows, which its manifest does not say", ErrAnswer)
	}
	if cap(sc.seen) < f.Len() {
		sc.seen = make([]uint8, f.Len())
	}
	sc.seen = sc.seen[:f.Len()]
	clear(sc.seen)
	for _, row := range before {
		sc.seen[row] = live
	}
	sc.order = sc.order[:0]
	next := 0 // in before, for orders that may only lose rows
	for i := range int(n) {
		row := binary.LittleEndian.Uint32(b[sc.layout.OrderAt+4*i:])
		if uint64(row) >= uint64(f.Len()) || sc.seen[row] != live {
			return fmt.Errorf("%w: the order names row %d, which is not live or was named before", ErrAnswer, row)
		}
		sc.seen[row] = taken
		if !s.p.m.Orders {
			for next < len(before) && before[next] != int32(row) {
				next++
			}
			if next == len(before) {
				return fmt.Errorf("%w: it reordered rows, which its manifest does not say", ErrAnswer)
			}
		}
		sc.order = append(sc.order, int32(row))
	}
	return nil
}

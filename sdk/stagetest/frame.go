package stagetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Frame returns a frame of n rows for a stage: the id, every column that the spec
// names and the extra ones, with made-up values in those it reads, a query and a
// source. Equal arguments give equal frames.
//
// Seeds that are odd give hostile values, and every fourth frame has no source, as
// in runs that are no recall.
func Frame(s *pipeline.Spec, n int, seed uint64, extra ...frame.Column) *frame.Frame {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	f := frame.New(0, columns(s, extra)...)
	for _, doc := range r.Perm(n) {
		f.Row(uint32(doc))
	}
	f.Query = query(seed)
	if seed%4 != 3 {
		f.Source = newSource(n+spare, seed)
	}
	filled := map[string]bool{}
	for _, cols := range [][]frame.Column{s.Reads, s.Any, extra} {
		for _, c := range cols {
			if !filled[c.Name] {
				filled[c.Name] = true
				fill(f, c, r, seed%2 == 1)
			}
		}
	}
	ids := f.I64(frame.ID)
	for row, doc := range f.Docs() {
		ids[row] = int64(doc)*3 + 1 // the source numbers its items in the order of their ids
	}
	return f
}

// columns lists the id and what the spec names, each once.
func columns(s *pipeline.Spec, extra []frame.Column) []frame.Column {
	cols := []frame.Column{frame.ID}
	for _, more := range [][]frame.Column{s.Reads, s.Any, s.Writes, extra} {
		cols = append(cols, more...)
	}
	return cols
}

var queries = []string{"", "Where does Asha keep the spare keys?", "?!()", "部署 when", "the of and"}

func query(seed uint64) *frame.Query {
	v := make([]float32, 8)
	v[seed%8] = 1
	return &frame.Query{
		Space: "default", Text: queries[seed%uint64(len(queries))],
		Now: time.Date(2026, 4, 20, 10, 0, 0, 0, time.UTC), Zone: time.UTC,
		Vectors: map[string][]float32{"": v, "static": v},
	}
}

func fill(f *frame.Frame, c frame.Column, r *rand.Rand, hostile bool) {
	switch c.Kind {
	case frame.KindF32:
		for i := range f.F32(c) {
			f.F32(c)[i] = value(c, r, hostile)
		}
	case frame.KindI64:
		for i := range f.I64(c) {
			f.I64(c)[i] = whole(c, r, hostile)
		}
	case frame.KindText:
		for i := range f.Strings(c) {
			f.Strings(c)[i] = text(r, hostile)
		}
	case frame.KindList:
		l := f.List(c)
		l.Ends, l.Values = l.Ends[:0], l.Values[:0]
		for range f.Len() {
			row := make([]float32, r.IntN(5))
			for i := range row {
				row[i] = value(c, r, hostile)
			}
			l.Append(row...)
		}
	}
}

// extremes are the values that arithmetic forgets.
var extremes = []float32{
	0, 1, -1, -0.5, 1e-45, -1e-45, 1e-20, 1e20, -1e20,
	math.MaxFloat32, -math.MaxFloat32, math.MaxFloat32 / 2,
}

// value draws a float that the column could hold. Ordinary values are coarse, so
// that ties happen.
func value(c frame.Column, r *rand.Rand, hostile bool) float32 {
	var v float32
	switch c.Name {
	case frame.Cosine.Name, frame.SessionCosine.Name, frame.Vector.Name:
		v = float32(r.IntN(201)-100) / 100
	case frame.Expired.Name:
		return float32(r.IntN(2))
	default:
		v = float32(r.IntN(1000)) / 100
	}
	if hostile && r.IntN(2) == 0 {
		v = extremes[r.IntN(len(extremes))]
	}
	if c.Name == frame.Score.Name || c.Name == frame.Words.Name {
		v = max(v, 0) // the engine promises as much
	}
	return v
}

// whole draws an integer that the column could hold.
func whole(c frame.Column, r *rand.Rand, hostile bool) int64 {
	switch c.Name {
	case frame.Item.Name:
		return int64(r.IntN(3))
	case frame.Role.Name:
		return int64(r.IntN(4))
	case frame.Trust.Name:
		return int64(1 + r.IntN(6))
	case frame.Session.Name, frame.Speaker.Name:
		return int64(r.IntN(8)) - 1
	case frame.Origin.Name:
		return int64(r.IntN(5))
	}
	if hostile && r.IntN(8) == 0 {
		return []int64{math.MinInt64, math.MaxInt64, -1}[r.IntN(3)]
	}
	return int64(r.IntN(1000))
}

var words = []string{"the", "spare", "keys", "are", "not", "Asha", "12", "March", "in", "drawer", "tea", "never"}

var oddTexts = []string{"", " ", "\x00", "\xff\xfe", "🏡 🚗", "部署を変えた", "a\u0301", "I I I I", "...", "\u202eabc"}

func text(r *rand.Rand, hostile bool) string {
	if hostile && r.IntN(2) == 0 {
		return oddTexts[r.IntN(len(oddTexts))]
	}
	s := ""
	for range r.IntN(6) {
		s += words[r.IntN(len(words))] + " "
	}
	return fmt.Sprintf("%s%d.", s, r.IntN(4))
}

package bert

import (
	"context"
	"math"

	"github.com/orma-memory/orma/core/embed"
)

// scratch is the memory of one forward pass.
type scratch struct {
	gelu gelu
	x    []float32 // the tokens' values
	y    []float32 // what a layer makes of them
	h    []float32 // inside the feed-forward part, or the attended values
	act  activations
	sums []int32

	// of one head of one text
	query          []int16 // one token
	keys           []int16 // a row a token
	values         []int16 // a row a dimension
	keyScales      []float32
	valueScales    []float32
	column, scores []float32
	shares         []int16 // of each token in the attention of one
	dots           []int32
}

// forward writes the unit vectors of texts, as token ids with [CLS] and [SEP], to dst.
func (w *weights) forward(ctx context.Context, s *scratch, dst []float32, texts [][]int32) error {
	rows := 0
	for _, ids := range texts {
		rows += len(ids)
	}
	d := w.dim
	s.x, s.y, s.h = resize(s.x, rows*d), resize(s.y, rows*max(3*d, w.inner)), resize(s.h, rows*d)
	s.sums = resize(s.sums, pad(rows, rowGroup)*panelWidth)
	w.look(s.x, texts)
	for i := range w.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &w.layers[i]
		s.act.set(s.x, rows, d)
		l.qkv.apply(s.y, &s.act, s.sums)
		w.attend(s, texts)
		s.act.set(s.h, rows, d)
		l.out.apply(s.y, &s.act, s.sums)
		for r := range rows {
			l.attended.apply(s.x[r*d:][:d], s.y[r*d:][:d])
		}
		s.act.set(s.x, rows, d)
		l.up.apply(s.y, &s.act, s.sums)
		s.gelu.apply(s.y[:rows*w.inner])
		s.act.set(s.y, rows, w.inner)
		l.down.apply(s.h, &s.act, s.sums)
		for r := range rows {
			l.done.apply(s.x[r*d:][:d], s.h[r*d:][:d])
		}
	}
	w.pool(dst, s.x, texts)
	return nil
}

// look writes the embeddings of all tokens to x.
func (w *weights) look(x []float32, texts [][]int32) {
	d := w.dim
	for _, ids := range texts {
		for at, id := range ids {
			token, scale, position := w.tokens[int(id)*d:][:d], w.tokenScales[id], w.positions[at*d:][:d]
			row := x[:d]
			for i := range row {
				row[i] = float32(float32(token[i])*scale) + position[i]
			}
			w.first.apply(row, nil)
			x = x[d:]
		}
	}
}

// pool makes one vector of each text.
func (w *weights) pool(dst, x []float32, texts [][]int32) {
	d := w.dim
	for i, ids := range texts {
		v := dst[i*d:][:d]
		copy(v, x[:d])
		if !w.cls {
			for r := 1; r < len(ids); r++ {
				for j, y := range x[r*d:][:d] {
					v[j] += y
				}
			}
		}
		embed.Normalize(v)
		x = x[len(ids)*d:]
	}
}

// attend reads query, key and value of each token from s.y and writes what it attends to, to s.h.
func (w *weights) attend(s *scratch, texts [][]int32) {
	first := 0
	for _, ids := range texts {
		for head := range w.heads {
			w.attendHead(s, first, len(ids), head)
		}
		first += len(ids)
	}
}

// shareOne is the integer that stands for all of a token's attention.
const shareOne = 1 << 14

// attendHead is attend for one head and one text, whose n tokens start at row first.
func (w *weights) attendHead(s *scratch, first, n, head int) {
	d, size := w.dim, w.dim/w.heads
	row := func(token, part int) []float32 { // part 0 is the query, 1 the key, 2 the value
		return s.y[(first+token)*3*d+part*d+head*size:][:size]
	}
	wide := pad(n, 16)
	s.query, s.keys, s.values = resize(s.query, size), resize(s.keys, n*size), resize(s.values, size*wide)
	s.keyScales, s.valueScales = resize(s.keyScales, n), resize(s.valueScales, size)
	s.column, s.scores = resize(s.column, wide), resize(s.scores, n)
	s.shares, s.dots = resize(s.shares, wide), resize(s.dots, max(n, size))
	clear(s.column[n:])
	clear(s.shares[n:])

	peak := float32(math.Floor(math.Sqrt(math.MaxInt32 / float64(size)))) // so that dots of keys fit an int32
	peak = min(peak, math.MaxInt16)
	for j := range n {
		s.keyScales[j] = quantize(s.keys[j*size:][:size], row(j, 1), peak)
	}
	for c := range size {
		for j := range n {
			s.column[j] = s.y[(first+j)*3*d+2*d+head*size+c]
		}
		s.valueScales[c] = quantize(s.values[c*wide:][:wide], s.column, math.MaxInt16) / shareOne
	}
	for i := range n {
		unit := quantize(s.query, row(i, 0), peak)
		rowDots(s.query, s.keys, s.dots[:n])
		share(s.shares, s.scores, s.dots, s.keyScales, unit)
		rowDots(s.shares, s.values, s.dots[:size])
		out := s.h[(first+i)*d+head*size:][:size]
		for c := range out {
			out[c] = float32(s.dots[c]) * s.valueScales[c]
		}
	}
}

// share writes the softmax of the scores dots·scales·unit to shares, in parts of shareOne.
func share(shares []int16, scores []float32, dots []int32, scales []float32, unit float32) {
	most := float32(math.Inf(-1))
	for j := range scores {
		scores[j] = float32(dots[j]) * float32(scales[j]*unit)
		most = max(most, scores[j])
	}
	var sum float32
	for j, x := range scores {
		scores[j] = exp(x - most)
		sum += scores[j]
	}
	f := shareOne / sum
	for j, x := range scores {
		shares[j] = int16(roundEven(float32(x * f)))
	}
}

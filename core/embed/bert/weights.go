package bert

import "math"

// weights are a model's parameters. They never change.
type weights struct {
	dim, heads, inner int
	cls               bool

	tokens      []int8 // embeddings, a row a token
	tokenScales []float32
	positions   []float32 // position plus type embeddings, a row a position
	first       norm
	layers      []layer
}

type layer struct {
	qkv, out, up, down linear
	attended, done     norm
}

// linear is y = x·W + b with k inputs and n outputs.
type linear struct {
	k, n  int
	w     []int8 // in panels: [n/16][k][16]
	scale []float32
	bias  []float32
}

// apply writes the outputs for each of x.rows tokens to y, a row of n values a token. sums is scratch.
func (l *linear) apply(y []float32, x *activations, sums []int32) {
	for p := 0; p < l.n; p += panelWidth {
		panelDots(x.values, x.padded(), l.k, l.w[p*l.k:(p+panelWidth)*l.k], sums)
		finishPanel(y[p:], l.n, sums, l.scale[p:], l.bias[p:], x.scales[:x.rows])
	}
}

// norm is a layer norm.
type norm struct{ gain, bias []float32 }

// epsilon keeps the norm of a constant row finite; it is BERT's.
const epsilon = 1e-12

// apply writes the norm of x + add to x; add may be nil.
func (n *norm) apply(x, add []float32) {
	var sum float64
	if add == nil {
		for _, v := range x {
			sum += float64(v)
		}
	} else {
		add = add[:len(x)]
		for i := range x {
			x[i] += add[i]
			sum += float64(x[i])
		}
	}
	mean := sum / float64(len(x))
	var square float64
	for _, v := range x {
		d := float64(v) - mean
		square += float64(d * d)
	}
	m, f := float32(mean), float32(1/math.Sqrt(square/float64(len(x))+epsilon))
	gain, bias := n.gain[:len(x)], n.bias[:len(x)]
	for i, v := range x {
		x[i] = float32(float32((v-m)*f)*gain[i]) + bias[i]
	}
}

package bert

import "math"

// gelu is x·Φ(x), where Φ is the normal distribution function, by a table with straight lines between
// its points. The error is below 2e-6.
type gelu []float32

const (
	geluEdge  = 6 // beyond it, gelu is 0 or x to within 1e-8
	geluSteps = 256
)

func newGelu() gelu {
	g := make(gelu, 2*geluEdge*geluSteps+2)
	for i := range g {
		x := float64(i)/geluSteps - geluEdge
		g[i] = float32(x / 2 * math.Erfc(-x/math.Sqrt2))
	}
	return g
}

func (g gelu) apply(x []float32) {
	for i, v := range x {
		switch {
		case !(v > -geluEdge): // also NaN
			x[i] = 0
		case v < geluEdge:
			t := float32((v + geluEdge) * geluSteps)
			at := uint(t)
			y, z := g[at], g[at+1]
			x[i] = y + float32((z-y)*(t-float32(at)))
		}
	}
}

// exp returns e to the power of x for x up to 0, within 3e-7 of it; below -87 it is 0.
func exp(x float32) float32 {
	if !(x > -87) {
		return 0
	}
	const log2e, ln2 = 1.4426950408889634, 0.6931471805599453
	n := roundEven(float32(x * log2e))
	f := float32(float64(x) - float64(float64(n)*ln2))
	p := float32(1. / 720)
	for _, c := range [...]float32{1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1} {
		p = float32(p*f) + c
	}
	return p * math.Float32frombits(uint32(n+127)<<23)
}

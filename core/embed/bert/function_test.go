package bert

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGelu(t *testing.T) {
	g := newGelu()
	for i := -80_000; i <= 80_000; i++ {
		x := float32(i) / 8000
		v := []float32{x}
		g.apply(v)
		want := float64(x) / 2 * math.Erfc(-float64(x)/math.Sqrt2)
		if math.Abs(float64(v[0])-want) > 2e-6 {
			t.Fatalf("gelu(%v) = %v, want %v", x, v[0], want)
		}
	}
	for _, test := range []struct{ in, want float32 }{
		{float32(math.Inf(-1)), 0}, {float32(math.Inf(1)), float32(math.Inf(1))}, {float32(math.NaN()), 0},
		{math.MaxFloat32, math.MaxFloat32}, {-math.MaxFloat32, 0}, {6, 6}, {-6, 0}, {math.Nextafter32(6, 0), math.Nextafter32(6, 0)},
	} {
		v := []float32{test.in}
		g.apply(v)
		if math.Abs(float64(v[0]-test.want)) > 1e-6 {
			t.Errorf("gelu(%v) = %v, want %v", test.in, v[0], test.want)
		}
	}
}

func TestExp(t *testing.T) {
	for i := range 1_000_000 {
		x := -float32(i) / 11_000
		got, want := float64(exp(x)), math.Exp(float64(x))
		if x <= -87 {
			want = 0
		}
		if math.Abs(got-want) > 3e-7*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float32{float32(math.Inf(-1)), float32(math.NaN()), -1e30} {
		if got := exp(x); got != 0 {
			t.Errorf("exp(%v) = %v, want 0", x, got)
		}
	}
	if exp(0) != 1 {
		t.Errorf("exp(0) = %v", exp(0))
	}
}

func TestNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 31))
	n := norm{make([]float32, 64), make([]float32, 64)}
	x, add := make([]float32, 64), make([]float32, 64)
	for i := range x {
		n.gain[i], n.bias[i] = 1, 0
		x[i], add[i] = float32(5+r.NormFloat64()), float32(r.NormFloat64())
	}
	n.apply(x, add)
	var sum, square float64
	for _, v := range x {
		sum += float64(v)
		square += float64(v) * float64(v)
	}
	if math.Abs(sum) > 1e-4 || math.Abs(square/64-1) > 1e-5 {
		t.Errorf("mean %g and mean square %g, want 0 and 1", sum/64, square/64)
	}
	constant := make([]float32, 64)
	for i := range constant {
		constant[i] = 3
		n.bias[i] = 0.5
	}
	n.apply(constant, nil)
	if constant[0] != 0.5 || constant[63] != 0.5 {
		t.Errorf("a constant row becomes %v", constant)
	}
}

func TestActPeakCannotOverflow(t *testing.T) {
	for k := 16; k <= 1<<15; k += 16 {
		if p := int64(actPeak(k)); p < 1 || p > math.MaxInt16 || p*128*int64(k) > math.MaxInt32 {
			t.Errorf("%d inputs: peak %d", k, p)
		}
	}
}

func TestQuantize(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, test := range []struct {
		in    float32 // the first of 16, the second is half of it
		first int16
		scale float32
	}{
		{2, 100, 0.02}, {-2, -100, 0.02}, {0, 0, 0}, {1e-40, 0, 0}, {1e-29, 100, 1e-31},
		{math.MaxFloat32, 100, math.MaxFloat32 / 100}, {inf, 0, float32(math.NaN())}, {float32(math.NaN()), 0, float32(math.NaN())},
	} {
		x, got := make([]float32, 16), make([]int16, 16)
		x[0], x[1], got[15] = test.in, test.in/2, 7
		scale := quantize(got, x, 100)
		if math.Abs(float64(scale/test.scale-1)) > 1e-6 && scale != test.scale || (scale == scale) != (test.scale == test.scale) {
			t.Errorf("%v has the scale %v, want %v", test.in, scale, test.scale)
		}
		if got[0] != test.first || got[1] != test.first/2 || got[15] != 0 {
			t.Errorf("%v becomes %v, want %v", test.in, got, test.first)
		}
	}
}

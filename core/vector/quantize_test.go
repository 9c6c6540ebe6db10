package vector

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

func TestQuantize(t *testing.T) {
	tests := []struct {
		name  string
		in    []float32
		want  []int8
		scale float32
		err   error
	}{
		{"peak becomes 127", []float32{1, -0.5, 0.25, 0}, []int8{127, -64, 32, 0}, 1. / 127, nil},
		{"negative peak", []float32{-2, 1, 0, 0}, []int8{-127, 64, 0, 0}, 2. / 127, nil},
		{"zero vector", []float32{0, 0, float32(math.Copysign(0, -1)), 0}, []int8{0, 0, 0, 0}, 0, nil},
		{"tiny values", []float32{1e-42, -1e-42, 0, 0}, []int8{127, -127, 0, 0}, 1e-42 / 127, nil},
		{"huge values", []float32{math.MaxFloat32, 0, 0, 0}, []int8{127, 0, 0, 0}, math.MaxFloat32 / 127, nil},
		{"nan", []float32{1, nan, 0, 0}, []int8{9, 9, 9, 9}, 0, ErrNotFinite},
		{"infinity", []float32{1, 0, -inf, 0}, []int8{9, 9, 9, 9}, 0, ErrNotFinite},
		{"wrong length", []float32{1}, []int8{9, 9, 9, 9}, 0, ErrDim},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := []int8{9, 9, 9, 9}
			scale, err := Quantize(got, test.in)
			if !errors.Is(err, test.err) || (err != nil) != (test.err != nil) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if !slices.Equal(got, test.want) || scale != test.scale {
				t.Errorf("Quantize(%v) = %v × %g, want %v × %g", test.in, got, scale, test.want, test.scale)
			}
		})
	}
}

func TestRoundEvenIsRoundToEven(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 100_000 {
		x := float32(r.NormFloat64() * 10000)
		if i < 2000 {
			x = float32(i-1000) / 2 // every half
		}
		if got, want := roundEven(x), int32(math.RoundToEven(float64(x))); got != want {
			t.Fatalf("roundEven(%g) = %d, want %d", x, got, want)
		}
	}
}

func FuzzQuantizeStaysWithinHalfAStep(f *testing.F) {
	f.Add(float32(1), float32(-0.3), float32(0))
	f.Add(float32(3e38), float32(1e-40), float32(7))
	f.Fuzz(func(t *testing.T, a, b, c float32) {
		v := []float32{a, b, c}
		q := make([]int8, 3)
		scale, err := Quantize(q, v)
		if err != nil {
			return
		}
		for i, x := range v {
			back := float64(q[i]) * float64(scale)
			if diff := math.Abs(back - float64(x)); diff > 0.5001*float64(scale)+1e-42 {
				t.Errorf("%g came back as %g with scale %g", x, back, scale)
			}
		}
	})
}

func BenchmarkQuantize256(b *testing.B) {
	v := randomUnit(rand.New(rand.NewPCG(1, 1)), 256)
	q := make([]int8, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Quantize(q, v); err != nil {
			b.Fatal(err)
		}
	}
}

package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomInts[T int8 | int16](r *rand.Rand, n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(r.Uint32())
	}
	return v
}

// comparePanel runs every kernel of this machine against the twin, on all values there are.
func comparePanel(t *testing.T, r *rand.Rand, rows, k int) {
	t.Helper()
	x, w := randomInts[int16](r, rows*k), randomInts[int8](r, k*panelWidth)
	want := make([]int32, rows*panelWidth)
	panelDotsGo(x, rows, k, w, want)
	for name, kernel := range panelKernels() {
		got := make([]int32, rows*panelWidth+8)
		for i := range got {
			got[i] = -7
		}
		kernel(x, rows, k, w, got[:rows*panelWidth])
		if !slices.Equal(got[:rows*panelWidth], want) {
			t.Errorf("%s: %d rows of %d differ from the twin", name, rows, k)
		}
		if slices.ContainsFunc(got[rows*panelWidth:], func(x int32) bool { return x != -7 }) {
			t.Errorf("%s: %d rows of %d wrote past the end", name, rows, k)
		}
	}
}

func compareRows(t *testing.T, r *rand.Rand, dim, n int) {
	t.Helper()
	q, rows := randomInts[int16](r, dim), randomInts[int16](r, n*dim)
	got, want := make([]int32, n), make([]int32, n)
	rowDots(q, rows, got)
	rowDotsGo(q, rows, want)
	if !slices.Equal(got, want) {
		t.Errorf("%d rows of %d: kernel %v, twin %v", n, dim, got, want)
	}
}

func TestKernelsEqualTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{16, 32, 48, 384, 1536} {
		for _, rows := range []int{4, 8, 12, 40} {
			comparePanel(t, r, rows, k)
		}
	}
	for _, dim := range []int{16, 32, 48, 64, 256} {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 33} {
			compareRows(t, r, dim, n)
		}
	}
}

// compareFloats runs the kernels on floats against their twins. Sizes vary so much that much underflows.
func compareFloats(t *testing.T, r *rand.Rand, n, rows int) {
	t.Helper()
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * math.Exp(min(60, r.NormFloat64()*20)))
	}
	if got, want := largestBits(x), largestBitsGo(x); got != want {
		t.Errorf("largest of %d: kernel %x, twin %x", n, got, want)
	}
	most := math.Float32frombits(largestBitsGo(x))
	for i := range min(n, 8) { // halves, which round to even
		x[i] = most * (float32(i) - 3.5) / 64
	}
	for _, peak := range []float32{32767, 64, 8191} {
		got, want := make([]int16, n), make([]int16, n)
		scaleToInts(got, x, peak/most)
		scaleToIntsGo(want, x, peak/most)
		if !slices.Equal(got, want) {
			t.Errorf("%v as integers to %v: kernel %v, twin %v", x, peak, got, want)
		}
	}
	stride := n + r.IntN(20)
	sums, rest := make([]int32, rows*panelWidth), make([]float32, 2*panelWidth+rows)
	for i := range sums {
		sums[i] = int32(r.Uint32()) >> r.IntN(32)
	}
	for i := range rest {
		rest[i] = float32(r.NormFloat64())
	}
	got, want := make([]float32, rows*stride), make([]float32, rows*stride)
	finishPanel(got, stride, sums, rest, rest[panelWidth:], rest[2*panelWidth:])
	finishPanelGo(want, stride, sums, rest, rest[panelWidth:2*panelWidth], rest[2*panelWidth:])
	if !slices.Equal(got, want) {
		t.Errorf("%d rows finished: kernel %v, twin %v", rows, got, want)
	}
}

func TestFloatKernelsEqualTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{16, 32, 48, 384, 1536} {
		for rows := range 7 {
			compareFloats(t, r, n, rows)
		}
	}
	special := make([]float32, 16)
	special[3], special[9] = float32(math.Inf(-1)), float32(math.NaN())
	if got, want := largestBits(special), largestBitsGo(special); got != want || got <= math.Float32bits(math.MaxFloat32) {
		t.Errorf("largest with NaN: kernel %x, twin %x", got, want)
	}
}

func TestTwinsByDefinition(t *testing.T) {
	x := make([]int16, 4*16)
	x[0], x[1], x[16+15], x[63] = 3, -2, 7, -32768
	w := make([]int8, 16*panelWidth)
	w[0], w[panelWidth], w[panelWidth+5], w[15*panelWidth+15] = 10, 100, 1, -128
	want := make([]int32, 4*panelWidth)
	want[0], want[5] = 30-200, -2
	want[panelWidth+15], want[3*panelWidth+15] = -7*128, 32768*128
	got := make([]int32, 4*panelWidth)
	if panelDotsGo(x, 4, 16, w, got); !slices.Equal(got, want) {
		t.Errorf("panelDotsGo = %v, want %v", got, want)
	}
	sums := make([]int32, 2)
	if rowDotsGo([]int16{1, 2, 3, -4}, []int16{1, 1, 1, 1, 0, 0, 0, -32768}, sums); !slices.Equal(sums, []int32{2, 131072}) {
		t.Errorf("rowDotsGo = %v", sums)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint8(1), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, k, n uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		comparePanel(t, r, 4*(1+int(n)%9), 16*(1+int(k)%30))
		compareRows(t, r, 16*(1+int(k)%9), 1+int(n)%40)
		compareFloats(t, r, 16*(1+int(k)%9), int(n)%9)
	})
}

func BenchmarkPanel(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{384, 1536} {
		x, w, out := randomInts[int16](r, 16*k), randomInts[int8](r, k*panelWidth), make([]int32, 16*panelWidth)
		for name, kernel := range panelKernels() {
			b.Run(fmt.Sprintf("%s/16x%d", name, k), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					kernel(x, 16, k, w, out)
				}
			})
		}
	}
}

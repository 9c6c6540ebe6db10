package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomRows returns a query and n rows with every int8 and int16 value possible.
func randomRows(r *rand.Rand, dim, n int) (q []int16, rows []int8) {
	q, rows = make([]int16, dim), make([]int8, n*dim)
	for i := range q {
		q[i] = int16(r.Uint32())
	}
	for i := range rows {
		rows[i] = int8(r.Uint32())
	}
	return q, rows
}

func TestDotRowsEqualsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{8, 16, 24, 56, 64, 72, 128, 256, 384, 392, 768, 1024} {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 63, 64} {
			q, rows := randomRows(r, dim, n)
			got, want := make([]int32, n), make([]int32, n)
			dotRows(q, rows, got)
			dotRowsGo(q, rows, want)
			if !slices.Equal(got, want) {
				t.Errorf("dim %d, %d rows: kernel %v, twin %v", dim, n, got, want)
			}
		}
	}
}

func TestDotRowsTwinByDefinition(t *testing.T) {
	q := []int16{1, -2, 3, -4, 5, -6, 7, math.MinInt16}
	rows := []int8{1, 1, 1, 1, 1, 1, 1, 0, 127, 0, 0, 0, 0, 0, 0, -128}
	got := make([]int32, 2)
	dotRowsGo(q, rows, got)
	if want := []int32{4, 127 + 128*32768}; !slices.Equal(got, want) {
		t.Errorf("dotRowsGo = %v, want %v", got, want)
	}
}

func TestDotRowsWritesNoFurther(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 10 {
		q, rows := randomRows(r, 24, 16)
		out := make([]int32, 16)
		for i := range out {
			out[i] = -7
		}
		dotRows(q, rows, out[:n])
		for i, x := range out[n:] {
			if x != -7 {
				t.Errorf("%d rows: out[%d] was written", n, n+i)
			}
		}
	}
}

func FuzzDotRows(f *testing.F) {
	f.Add(uint64(1), uint8(1), uint8(1))
	f.Add(uint64(2), uint8(32), uint8(9))
	f.Fuzz(func(t *testing.T, seed uint64, d, n uint8) {
		dim, rows := 8*(1+int(d)%64), 1+int(n)%70
		q, data := randomRows(rand.New(rand.NewPCG(seed, 0)), dim, rows)
		got, want := make([]int32, rows), make([]int32, rows)
		dotRows(q, data, got)
		dotRowsGo(q, data, want)
		if !slices.Equal(got, want) {
			t.Errorf("dim %d, %d rows: kernel %v, twin %v", dim, rows, got, want)
		}
	})
}

func BenchmarkDotRows(b *testing.B) {
	for _, dim := range []int{256, 384} {
		q, rows := randomRows(rand.New(rand.NewPCG(1, 1)), dim, 64)
		out := make([]int32, 64)
		b.Run(fmt.Sprintf("kernel/%dx64", dim), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dotRows(q, rows, out)
			}
		})
		b.Run(fmt.Sprintf("twin/%dx64", dim), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dotRowsGo(q, rows, out)
			}
		})
	}
}

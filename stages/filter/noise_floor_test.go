package filter

import (
	"math"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestNoiseFloor(t *testing.T) { conform(t, NoiseFloor) }

// floored is a source that knows a floor and nothing else.
type floored struct {
	frame.Source
	floor    float32
	known    bool
	embedder string
}

func (s *floored) Floor(embedder string) (float32, bool) {
	s.embedder = embedder
	return s.floor, s.known
}

func TestNoiseFloorByHand(t *testing.T) {
	p := NoiseFloorParams{Embedder: "static", MaxFloor: 0.5, YoungFloor: 0.2}
	in := []float32{-1, 0.2, 0.36, 0.6, 1}
	for _, c := range []struct {
		name string
		src  *floored
		want []float32
	}{
		{"known", &floored{floor: 0.2, known: true}, []float32{0, 0, 0.2, 0.5, 1}},
		{"below zero", &floored{floor: -0.7, known: true}, []float32{0, 0.2, 0.36, 0.6, 1}},
		{"capped", &floored{floor: 0.95, known: true}, []float32{0, 0, 0, 0.2, 1}},
		{"young", &floored{floor: 0.9}, []float32{0, 0, 0.2, 0.5, 1}},
		{"no source", nil, []float32{0, 0, 0.2, 0.5, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := rows(len(in), NoiseFloor)
			copy(f.F32(frame.Cosine), in)
			if c.src != nil {
				f.Source = c.src
			}
			run(t, stage(t, NoiseFloor, p), f)
			for i, got := range f.F32(frame.Cosine) {
				if math.Abs(float64(got-c.want[i])) > 1e-6 {
					t.Errorf("row %d: got %v, want %v", i, got, c.want[i])
				}
			}
			if c.src != nil && c.src.embedder != "static" {
				t.Errorf("asked for embedder %q", c.src.embedder)
			}
		})
	}
	refused(t, NoiseFloor, NoiseFloorParams{MaxFloor: 1}, NoiseFloorParams{MaxFloor: 0.1, YoungFloor: 0.2}, NoiseFloorParams{MaxFloor: nan})
}

// TestNoiseFloorKeepsOrder: more alike is never less, so nothing that was above a
// row falls below it.
func TestNoiseFloorKeepsOrder(t *testing.T) {
	for floor := float32(0); floor < 1; floor += 0.09 {
		in := make([]float32, 201)
		for i := range in {
			in[i] = float32(i-100) / 100
		}
		lower(in, floor)
		for i := range in[1:] {
			if in[i+1] < in[i] {
				t.Fatalf("floor %v: %v comes after %v", floor, in[i+1], in[i])
			}
		}
		if in[200] != 1 {
			t.Errorf("floor %v: identity is %v", floor, in[200])
		}
	}
}

func BenchmarkNoiseFloor(b *testing.B) { bench(b, NoiseFloor) }

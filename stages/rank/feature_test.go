package rank

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestBoost(t *testing.T) {
	score := []float32{1, 1, 1, 0, 2, math.MaxFloat32}
	boost(score, []float32{0, 1, -1, 1, 0.5, 1}, 2)
	wantNear(t, "score", score, []float32{1, 7.389056, 0.13533528, 0, 5.4365637, math.MaxFloat32}, 1e-6)
}

// TestBoostsAddUp is the promise that lets a fitted linear blend be taken apart
// into stages.
func TestBoostsAddUp(t *testing.T) {
	a, b := []float32{0.3, -1, 0.7}, []float32{-0.2, 0.5, 1}
	score := []float32{1, 1, 1}
	boost(score, a, 1.5)
	boost(score, b, -0.5)
	for i, s := range score {
		if want := 1.5*a[i] - 0.5*b[i]; math.Abs(math.Log(float64(s))-float64(want)) > 1e-6 {
			t.Errorf("row %d: the logarithm is %v, want %v", i, math.Log(float64(s)), want)
		}
	}
}

var errDown = errors.New("down")

// channelSource scores by a function and can do nothing else.
type channelSource struct {
	frame.Source
	score func(ch frame.Channel, doc uint32) float32
	err   error
}

func (c channelSource) Score(_ context.Context, ch frame.Channel, docs []uint32, dst []float32) error {
	for i, d := range docs {
		if c.err != nil && i == len(docs)/2 {
			return c.err
		}
		dst[i] = c.score(ch, d)
	}
	return nil
}

func TestAskClampsAndUndoes(t *testing.T) {
	f := rows(4, Speaker)
	col := f.F32(Named)
	values := []float32{-7, 0.5, 1e30, 0}
	f.Source = channelSource{score: func(_ frame.Channel, doc uint32) float32 { return values[doc] }}
	if err := ask(t.Context(), f, frame.Channel{Name: "named"}, col); err != nil {
		t.Fatal(err)
	}
	wantNear(t, "named", col, []float32{-1, 0.5, 1, 0}, 0)

	f.Source = channelSource{score: func(frame.Channel, uint32) float32 { return 1 }, err: errDown}
	if err := ask(t.Context(), f, frame.Channel{Name: "named"}, col); !errors.Is(err, errDown) {
		t.Errorf("got error %v, want %v", err, errDown)
	}
	wantNear(t, "named after an error", col, make([]float32, 4), 0)
}

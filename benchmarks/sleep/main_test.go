package main

import (
	"testing"
	"time"
)

// The program runs: no lock error, and both sides were measured.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("several handles on one database")
	}
	r, err := run(t.Context(), options{notes: 60, backlog: 200, workers: 8, rounds: 2, phase: 1500 * time.Millisecond, every: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Locks > 0 || len(r.Errors) > 0 {
		t.Errorf("%d lock errors, %v", r.Locks, r.Errors)
	}
	if r.Alone.Recalls == 0 || r.Beside.Recalls == 0 || r.Lines == 0 {
		t.Errorf("nothing was measured: %+v", r)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		rounds            []float64
		low, median, high float64
	}{
		{nil, 0, 0, 0},
		{[]float64{2}, 2, 2, 2},
		{[]float64{9, 1, 2}, 2, 2, 9},
		{[]float64{5, 1, 4, 2, 3}, 2, 3, 4},
	} {
		if s := spreadOf(c.rounds); s.Low != c.low || s.Median != c.median || s.High != c.high {
			t.Errorf("%v: %v %v %v, want %v %v %v", c.rounds, s.Low, s.Median, s.High, c.low, c.median, c.high)
		}
	}
}

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
	r, err := run(t.Context(), options{notes: 60, backlog: 200, workers: 8, rounds: 1, phase: 1500 * time.Millisecond, every: 20 * time.Millisecond})
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

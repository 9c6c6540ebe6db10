package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestBaseLevel(t *testing.T) { conform(t, BaseLevel) }

func TestBaseLevelByHand(t *testing.T) {
	f := rows(6, BaseLevel)
	set(f, frame.AgeDays, 0, 3, 8, -5, 99, 3)
	uses(f, []float32{0}, []float32{0, 3}, []float32{3, 8, 15}, []float32{-5}, nil, []float32{-1e30, 1e30})
	run(t, stage(t, BaseLevel, BaseLevelParams{Decay: 0.5}), f)
	// 1/√4 = 0.5, 1/√9 = 0.3333, 1/√16 = 0.25, 1/√100 = 0.1 from the row's own age
	wantNear(t, "base_level", f.F32(BaseLevelColumn), []float32{1, 1.5, 1.083333, 1, 0.1, 1}, 1e-6)
	refused(t, BaseLevel, BaseLevelParams{Decay: -1})
}

// TestUseLaws checks the three temporal stages: older is never stronger, and one
// more use never weaker.
func TestUseLaws(t *testing.T) {
	ages := []float32{-3, 0, 1e-4, 0.02, 0.5, 1, 7, 30, 400, 1e6}
	f := rows(2*len(ages), BaseLevel, Hawkes, Ebbinghaus)
	var lists [][]float32
	for _, a := range ages {
		lists = append(lists, []float32{a}, []float32{a, a + 5}) // once, and once before
	}
	uses(f, lists...)
	for _, s := range []struct {
		stage string
		run   func()
		col   frame.Column
	}{
		{"base_level", func() { run(t, stage(t, BaseLevel, BaseLevel.NewParams()), f) }, BaseLevelColumn},
		{"hawkes", func() { run(t, stage(t, Hawkes, Hawkes.NewParams()), f) }, HawkesColumn},
		{"ebbinghaus", func() { run(t, stage(t, Ebbinghaus, Ebbinghaus.NewParams()), f) }, EbbinghausColumn},
	} {
		s.run()
		v := f.F32(s.col)
		for i := range ages {
			if i > 0 && (v[2*i] > v[2*i-2] || v[2*i+1] > v[2*i-1]) {
				t.Errorf("%s: age %v is stronger than age %v", s.stage, ages[i], ages[i-1])
			}
			if v[2*i+1] < v[2*i] {
				t.Errorf("%s: age %v is weaker with a second use", s.stage, ages[i])
			}
		}
		if v[0] != v[2] {
			t.Errorf("%s: the future counts %v, now counts %v", s.stage, v[0], v[2])
		}
	}
}

func BenchmarkBaseLevel(b *testing.B) { bench(b, BaseLevel) }

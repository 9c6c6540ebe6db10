package rank

import "testing"

func TestEbbinghaus(t *testing.T) { conform(t, Ebbinghaus) }

func TestEbbinghausByHand(t *testing.T) {
	f := rows(5, Ebbinghaus)
	uses(f, []float32{0}, []float32{2}, []float32{9, 2, 30}, []float32{-4, 2}, []float32{1e30})
	run(t, stage(t, Ebbinghaus, Ebbinghaus.NewParams()), f)
	// e^-1; three uses, the last two days ago: S = 2·(1 + 0.5·2) = 4, e^-0.5
	wantNear(t, "ebbinghaus", f.F32(EbbinghausColumn), []float32{1, 0.367879, 0.606531, 1, 0}, 1e-6)
	refused(t, Ebbinghaus, EbbinghausParams{StabilityDays: 0, Gain: 1}, EbbinghausParams{StabilityDays: 1, Gain: -1})
}

func TestEbbinghausIsNeutralWhenOff(t *testing.T) {
	f := rows(2, Ebbinghaus)
	wantNear(t, "ebbinghaus", f.F32(EbbinghausColumn), []float32{1, 1}, 0)
}

func BenchmarkEbbinghaus(b *testing.B) { bench(b, Ebbinghaus) }

package rank

import "testing"

func TestHawkes(t *testing.T) { conform(t, Hawkes) }

func TestHawkesByHand(t *testing.T) {
	const half = 1800.0 / 86400 // days
	f := rows(5, Hawkes)
	uses(f, []float32{0}, []float32{half}, []float32{0, half, 2 * half}, []float32{0, 0, 0, 0}, []float32{365})
	run(t, stage(t, Hawkes, Hawkes.NewParams()), f)
	wantNear(t, "hawkes", f.F32(HawkesColumn), []float32{0.4, 0.2, 0.7, 1, 0}, 1e-6)
	refused(t, Hawkes,
		HawkesParams{Alpha: -1, HalfLifeSeconds: 1, Max: 1},
		HawkesParams{Alpha: 1, HalfLifeSeconds: 0, Max: 1},
		HawkesParams{Alpha: 1, HalfLifeSeconds: 1, Max: -1})
}

func BenchmarkHawkes(b *testing.B) { bench(b, Hawkes) }

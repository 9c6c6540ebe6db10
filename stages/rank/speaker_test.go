package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestSpeaker(t *testing.T) { conform(t, Speaker) }

func TestSpeakerRaisesTheNamed(t *testing.T) {
	f := rows(3, Speaker)
	set(f, frame.Score, 1, 2, 0)
	f.Source = channelSource{score: func(ch frame.Channel, doc uint32) float32 {
		if ch != (frame.Channel{Name: "named"}) {
			t.Errorf("asked for channel %v", ch)
		}
		return float32(doc % 2)
	}}
	run(t, stage(t, Speaker, WeightParams{Weight: 1}), f)
	wantNear(t, "named", f.F32(Named), []float32{0, 1, 0}, 0)
	wantNear(t, "score", f.F32(frame.Score), []float32{1, 5.436564, 0}, 1e-6)
	refused(t, Speaker, WeightParams{Weight: -21})
}

func BenchmarkSpeaker(b *testing.B) { bench(b, Speaker) }

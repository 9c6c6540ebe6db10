package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// channelFeatures are the stages whose feature is a channel of the source. Their
// values are the source's to test; here is what they do with them.
var channelFeatures = []struct {
	spec   pipeline.Spec
	column frame.Column
}{
	{Speaker, Named},
	{SoftContext, SoftContextFeature},
	{CentredCosine, CentredCosineFeature},
	{ContextCosine, ContextCosineFeature},
	{Question, QuestionFeature},
	{BeforeLength, BeforeLengthFeature},
	{Reply, ReplyFeature},
	{DateMatch, DateMatchFeature},
	{AnswerKind, AnswerKindFeature},
	{Assistant, AssistantFeature},
}

func TestChannelFeatures(t *testing.T) {
	for _, c := range channelFeatures {
		t.Run(c.spec.Name, func(t *testing.T) {
			conform(t, c.spec)
			st := stage(t, c.spec, c.spec.NewParams())
			asked := frame.Channel{}
			f := rows(3, c.spec)
			set(f, frame.Score, 1, 2, 0)
			f.Source = channelSource{score: func(ch frame.Channel, doc uint32) float32 {
				asked = ch
				return []float32{0, -0.5, 3}[doc]
			}}
			run(t, st, f)
			if asked != (frame.Channel{Name: c.column.Name}) {
				t.Errorf("asked for channel %v", asked)
			}
			wantNear(t, "feature", f.F32(c.column), []float32{0, -0.5, 1}, 0)
			if s := f.F32(frame.Score); s[0] != 1 || s[1] == 2 || s[1] <= 0 || s[2] != 0 {
				t.Errorf("got scores %v: 1 has no feature, 2 has one, 0 stays 0", s)
			}
			f.Source = channelSource{score: func(frame.Channel, uint32) float32 { return 1 }, err: errDown}
			if err := st.Run(t.Context(), f); err == nil {
				t.Error("an error of the source was swallowed")
			}
		})
	}
}

func TestVectorFeaturesNameTheirEmbedder(t *testing.T) {
	for _, spec := range []pipeline.Spec{CentredCosine, ContextCosine, Reply} {
		st := stage(t, spec, VectorParams{Weight: 1, Embedder: "static"})
		if got := st.(pipeline.VectorUser).Embedder(); got != "static" {
			t.Errorf("%s needs embedder %q, want static", spec.Name, got)
		}
		f := rows(1, spec)
		f.Source = channelSource{score: func(ch frame.Channel, _ uint32) float32 {
			if ch.Embedder != "static" {
				t.Errorf("%s asks embedder %q", spec.Name, ch.Embedder)
			}
			return 0
		}}
		run(t, st, f)
		refused(t, spec, VectorParams{Weight: 21})
	}
}

func BenchmarkChannelFeature(b *testing.B) { bench(b, SoftContext) }

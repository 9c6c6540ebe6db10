package stagetest

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

type gain struct {
	Gain float32 `toml:"gain" doc:"factor of the score"`
}

// spec declares a stage that reads and writes the score.
func spec(run func(g gain) pipeline.Stage) pipeline.Spec {
	return pipeline.Spec{
		Spec: component.Define(component.About{
			Name: "test_stage", Summary: "Multiply the score", Doc: "Only for this test.",
		}, gain{0.5}, func(g gain, _ component.Deps) (pipeline.Stage, error) { return run(g), nil }),
		Reads:   []frame.Column{frame.Score},
		Writes:  []frame.Column{frame.Score},
		Neutral: gain{1},
	}
}

func pure(f func(*frame.Frame)) func(gain) pipeline.Stage {
	return func(gain) pipeline.Stage { return pipeline.Pure(f) }
}

func honest(g gain) pipeline.Stage {
	return pipeline.Pure(func(f *frame.Frame) {
		for i, s := range f.F32(frame.Score) {
			f.F32(frame.Score)[i] = s * g.Gain
		}
	})
}

func TestHonestStagePasses(t *testing.T) {
	Run(t, spec(honest))
	twin := spec(honest)
	RunSuite(t, Suite{Spec: spec(honest), Twin: &twin, AllocFree: true})
}

type runFunc func(ctx context.Context, f *frame.Frame) error

func (r runFunc) Run(ctx context.Context, f *frame.Frame) error { return r(ctx, f) }

// TestBrokenStagesAreCaught breaks one promise at a time. It asks for the check
// that must notice; others may notice too.
func TestBrokenStagesAreCaught(t *testing.T) {
	var calls atomic.Int64
	ages := frame.Column{Name: "age_days", Kind: frame.KindF32}
	with := func(s pipeline.Spec, change func(*pipeline.Spec)) Suite {
		change(&s)
		return Suite{Spec: s}
	}
	plain := func(run func(gain) pipeline.Stage) Suite { return Suite{Spec: spec(run)} }
	twin := spec(honest)
	cases := []struct {
		name, check string
		suite       Suite
	}{
		{"summary ends with a full stop", "spec", with(spec(honest), func(s *pipeline.Spec) { s.Summary = "Multiply." })},
		{"no doc", "spec", with(spec(honest), func(s *pipeline.Spec) { s.Doc = " \n" })},
		{"bad name", "spec", with(spec(honest), func(s *pipeline.Spec) { s.Name = "TestStage" })},
		{"one name for two kinds of column", "spec", with(spec(honest), func(s *pipeline.Spec) {
			s.Any = []frame.Column{{Name: "score", Kind: frame.KindI64}}
		})},
		{"defaults do not build", "spec", with(spec(honest), func(s *pipeline.Spec) {
			s.Spec = component.Define(s.About, gain{}, func(gain, component.Deps) (pipeline.Stage, error) { return nil, errors.New("no") })
		})},
		{"makes infinities", "valid", plain(pure(func(f *frame.Frame) {
			for i := range f.F32(frame.Score) {
				f.F32(frame.Score)[i] *= 1e30
			}
		}))},
		{"makes NaN of zero", "valid", plain(pure(func(f *frame.Frame) {
			for i, v := range f.F32(frame.Score) {
				f.F32(frame.Score)[i] = float32(math.Sqrt(float64(v / v)))
			}
		}))},
		{"makes a score negative", "valid", plain(pure(func(f *frame.Frame) {
			for i, v := range f.F32(frame.Score) {
				f.F32(frame.Score)[i] = min(v, 1) - 0.5
			}
		}))},
		{"crashes on an empty frame", "valid", plain(pure(func(f *frame.Frame) { _ = f.F32(frame.Score)[0] }))},
		{"touches a column it did not declare", "declared", plain(pure(func(f *frame.Frame) { _ = f.F32(ages) }))},
		{"writes what it only reads", "declared", with(spec(honest), func(s *pipeline.Spec) { s.Writes = nil })},
		{"drops without saying so", "declared", plain(pure(func(f *frame.Frame) { f.Truncate(1) }))},
		{"reorders without saying so", "declared", plain(pure(func(f *frame.Frame) { f.Rank(frame.Score) }))},
		{"reorders where it may only drop", "declared", with(spec(pure(func(f *frame.Frame) {
			f.Rank(frame.Score)
			f.Truncate(5)
		})), func(s *pipeline.Spec) { s.Effect = pipeline.Drops })},
		{"answers by a counter", "deterministic", plain(pure(func(f *frame.Frame) {
			for i := range f.F32(frame.Score) {
				f.F32(frame.Score)[i] = float32(calls.Add(1))
			}
		}))},
		{"neutral is not", "neutral", with(spec(honest), func(s *pipeline.Spec) { s.Neutral = gain{0.9} })},
		{"remembers another run", "concurrent", plain(func(gain) pipeline.Stage {
			var last atomic.Int64
			return pipeline.Pure(func(f *frame.Frame) {
				for i := range f.F32(frame.Score) {
					f.F32(frame.Score)[i] = float32(last.Load())
				}
				last.Store(int64(f.Len()))
			})
		})},
		{"is not its twin", "parity", Suite{Spec: spec(pure(func(*frame.Frame) {})), Twin: &twin}},
		{"counts rows", "relabel", plain(pure(func(f *frame.Frame) {
			for i := range f.F32(frame.Score) {
				f.F32(frame.Score)[i] = 1 / float32(1+i)
			}
		}))},
		{"says it adds rows", "retrieve", with(spec(honest), func(s *pipeline.Spec) { s.Effect = pipeline.Adds })},
		{"gives up half way", "cancel", plain(func(gain) pipeline.Stage {
			return runFunc(func(ctx context.Context, f *frame.Frame) error {
				for i := range f.F32(frame.Score) {
					f.F32(frame.Score)[i] = 0
					if ctx.Err() != nil && i == 50 {
						return ctx.Err()
					}
				}
				return nil
			})
		})},
		{"hides the cancellation", "cancel", plain(func(gain) pipeline.Stage {
			return runFunc(func(ctx context.Context, f *frame.Frame) error {
				if ctx.Err() != nil {
					return nil
				}
				return honest(gain{0.5}).Run(ctx, f)
			})
		})},
		{"keeps half of an answer", "fail", plain(func(gain) pipeline.Stage {
			return runFunc(func(ctx context.Context, f *frame.Frame) error {
				return f.Source.Score(ctx, frame.Channel{Name: "x"}, f.Docs(), f.F32(frame.Score))
			})
		})},
		{"hides why it failed", "fail", plain(func(gain) pipeline.Stage {
			return runFunc(func(ctx context.Context, f *frame.Frame) error {
				if err := f.Source.Score(ctx, frame.Channel{Name: "x"}, f.Docs(), make([]float32, f.Len())); err != nil {
					return errors.New("failed")
				}
				return nil
			})
		})},
		{"allocates", "cost", func() Suite {
			s := plain(pure(func(f *frame.Frame) { copy(f.F32(frame.Score), append([]float32(nil), f.F32(frame.Score)...)) }))
			s.AllocFree = true
			return s
		}()},
		{"misses a time limit", "cost", Suite{Spec: spec(honest), MaxNanosPerRow: 1e-9}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "allocates" && raceEnabled {
				t.Skip("allocations are not checked under the race detector")
			}
			if errs := checkNamed(t.Context(), c.check, c.suite); len(errs) == 0 {
				t.Errorf("%s found nothing", c.check)
			}
		})
	}
}

// checkNamed runs one check and returns its errors.
func checkNamed(ctx context.Context, name string, s Suite) []string {
	for _, c := range Checks() {
		if c.Name == name {
			var r Result
			c.guarded(ctx, &r, &s)
			return r.Errors
		}
	}
	return nil
}

func TestLeakIsCaught(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	s := Suite{Spec: spec(func(gain) pipeline.Stage {
		return pipeline.Pure(func(*frame.Frame) { go func() { <-stop }() })
	})}
	if errs := checkNamed(t.Context(), "leak", s); len(errs) == 0 {
		t.Error("a goroutine that stays was not noticed")
	}
}

func TestCheckReportsWithoutATest(t *testing.T) {
	res := Check(t.Context(), Suite{Spec: spec(pure(func(f *frame.Frame) { f.Truncate(0) }))})
	if len(res) != len(Checks()) {
		t.Fatalf("got %d results, want %d", len(res), len(Checks()))
	}
	for _, r := range res {
		if r.Name == "declared" && (len(r.Errors) != 1 || !strings.Contains(r.Errors[0], "Drops")) {
			t.Errorf("declared: got %q, want one error about Drops", r.Errors)
		}
		if r.Name == "spec" && len(r.Errors) != 0 {
			t.Errorf("spec: got %q, want none", r.Errors)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if res := Check(ended, Suite{Spec: spec(honest)}); len(res) != 0 {
		t.Errorf("got %d results after the context ended, want none", len(res))
	}
}

// retriever finds what a function says.
type retriever struct {
	pipeline.Pure
	find func(src frame.Source, dst []frame.Hit) []frame.Hit
}

func (r retriever) Retrieve(_ context.Context, _ *frame.Query, src frame.Source, dst []frame.Hit) ([]frame.Hit, error) {
	return r.find(src, dst), nil
}

func TestBrokenRetrieversAreCaught(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
		find func(src frame.Source, dst []frame.Hit) []frame.Hit
	}{
		{"finds nothing", true, func(_ frame.Source, dst []frame.Hit) []frame.Hit { return dst }},
		{"finds the first", true, func(src frame.Source, dst []frame.Hit) []frame.Hit {
			if src.Rows() == 0 {
				return dst
			}
			return append(dst, frame.Hit{Score: 1})
		}},
		{"forgets dst", false, func(frame.Source, []frame.Hit) []frame.Hit { return nil }},
		{"leaves the source", false, func(src frame.Source, dst []frame.Hit) []frame.Hit {
			return append(dst, frame.Hit{Doc: uint32(src.Rows()), Score: 1})
		}},
		{"finds one twice", false, func(src frame.Source, dst []frame.Hit) []frame.Hit {
			return append(dst, frame.Hit{Score: 1}, frame.Hit{Score: 1})
		}},
		{"starts with the worst", false, func(src frame.Source, dst []frame.Hit) []frame.Hit {
			return append(dst, frame.Hit{Score: 1}, frame.Hit{Doc: 1, Score: 2})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := spec(func(gain) pipeline.Stage { return retriever{func(*frame.Frame) {}, c.find} })
			s.Effect = pipeline.Adds
			errs := checkNamed(t.Context(), "retrieve", Suite{Spec: s})
			if c.ok != (len(errs) == 0) {
				t.Errorf("got %q", errs)
			}
		})
	}
}

package eval

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestMetrics(t *testing.T) {
	r := Ranking{Keys: []string{"a", "b", "c", "d"}, Evidence: []string{"b", "d", "x"}}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"recall at 1", r.RecallAt(1), 0},
		{"recall at 2", r.RecallAt(2), 1.0 / 3},
		{"recall at 10", r.RecallAt(10), 2.0 / 3},
		{"any at 1", r.AnyAt(1), 0},
		{"any at 2", r.AnyAt(2), 1},
		{"all at 10", r.AllAt(10), 0},
		{"mrr", r.MRR(), 0.5},
		{"ndcg", r.NDCGAt(10, DiscountLog), (1/math.Log2(3) + 1/math.Log2(5)) / (1 + 1/math.Log2(3) + 1/math.Log2(4))},
		{"ndcg of longmemeval", r.NDCGAt(10, DiscountLongMemEval), (1 + 1/math.Log2(4)) / (1 + 1 + 1/math.Log2(3))},
		{"nothing returned", Ranking{Evidence: []string{"x"}}.RecallAt(10), 0},
		{"nothing returned, ndcg", Ranking{Evidence: []string{"x"}}.NDCGAt(10, DiscountLog), 0},
		{"perfect", Ranking{Keys: []string{"b", "a"}, Evidence: []string{"a", "b"}}.NDCGAt(10, DiscountLog), 1},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestBootstrap(t *testing.T) {
	same := Bootstrap([]float64{0.5, 0.5, 0.5}, 1)
	if same != (Interval{0.5, 0.5}) {
		t.Errorf("equal values: %v", same)
	}
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(i % 2)
	}
	got := Bootstrap(values, 1)
	// The standard error of a fair coin over 400 throws is 0.025.
	if got[0] < 0.44 || got[0] > 0.46 || got[1] < 0.54 || got[1] > 0.56 {
		t.Errorf("coin: %v, want about [0.45 0.55]", got)
	}
	if got != Bootstrap(values, 1) {
		t.Error("not deterministic")
	}
	if (Bootstrap(nil, 1) != Interval{}) {
		t.Error("nothing should give nothing")
	}
}

func TestPercentile(t *testing.T) {
	v := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 0.95: 5, 1: 5} {
		if got := Percentile(v, q); got != want {
			t.Errorf("quantile %v = %v, want %v", q, got, want)
		}
	}
	if !near(Spread([]float64{1, 3}), math.Sqrt2) || Spread([]float64{1}) != 0 {
		t.Error("spread")
	}
}

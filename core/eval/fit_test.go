package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// fake returns questions whose evidence is drawn by a softmax over known weights.
func fake(n int, truth []float64, seed uint64) ([]Sample, []Feature) {
	r := rand.New(rand.NewPCG(seed, 1))
	fs := make([]Feature, len(truth))
	for f := range fs {
		fs[f] = Feature{Key: fmt.Sprintf("stage.f%d.weight", f), Column: fmt.Sprint(f), Negative: truth[f] < 0}
	}
	var out []Sample
	for q := range n {
		s := Sample{Group: q % 5, Question: Question{Turns: nil}}
		best, bestScore := 0, -1e9
		for i := range 40 {
			x := make([]float64, len(truth))
			score := 0.0
			for f := range x {
				x[f] = r.Float64()
				score += truth[f] * x[f]
			}
			if score += gumbel(r); score > bestScore {
				best, bestScore = i, score
			}
			s.X, s.Turn, s.Session = append(s.X, x), append(s.Turn, fmt.Sprint(i)), append(s.Session, "s")
		}
		s.Positive = make([]bool, 40)
		s.Positive[best] = true
		s.Question.Turns, s.Question.Sessions = []string{fmt.Sprint(best)}, []string{"s"}
		out = append(out, s)
	}
	return out, fs
}

// gumbel draws from the distribution that makes a softmax of a maximum.
func gumbel(r *rand.Rand) float64 { return -math.Log(r.ExpFloat64()) }

func TestFitFindsTheWeights(t *testing.T) {
	truth := []float64{6, 2, 0, -3}
	samples, fs := fake(3000, truth, 7)
	w := Fit(samples, fs)
	for f, want := range truth {
		if math.Abs(w[f]-want) > 0.35 {
			t.Errorf("weight %d is %.2f, want about %.2f", f, w[f], want)
		}
	}
}

func TestFitKeepsItsBounds(t *testing.T) {
	samples, fs := fake(500, []float64{3, -4}, 3)
	fs[1].Negative = false
	if w := Fit(samples, fs); w[1] != 0 || w[0] <= 0 {
		t.Errorf("weights %v, want the second at its bound", w)
	}
}

func TestFitOfNothing(t *testing.T) {
	_, fs := fake(1, []float64{1, 1}, 1)
	for _, samples := range [][]Sample{nil, {{}}, {{X: [][]float64{{1, 1}}, Turn: []string{"a"}, Session: []string{"s"}, Positive: []bool{false}}}} {
		for f, w := range Fit(samples, fs) {
			if w != 0 {
				t.Errorf("weight %d is %v, want 0", f, w)
			}
		}
	}
}

func TestCrossValidate(t *testing.T) {
	samples, fs := fake(400, []float64{12, 0}, 5)
	as := CrossValidate(samples, fs, nil)
	if len(as) != 400 {
		t.Fatalf("%d answers, want one a question", len(as))
	}
	hit := 0.0
	for _, a := range as {
		hit += a.Turn.RecallAt(10) / 400
	}
	if hit < 0.9 {
		t.Errorf("recall %.2f, want the fit to rank what it learnt", hit)
	}
	if held := CrossValidate(samples, fs, []int{2}); len(held) != 80 {
		t.Errorf("%d answers of one group, want 80", len(held))
	}
}

func TestTaught(t *testing.T) {
	fs := []Feature{{Key: "a"}, {Key: "b"}, {Key: "c"}}
	samples := []Sample{{}, {X: [][]float64{{0, 1, 3}, {0, 2, 3}}}, {X: [][]float64{{0, 1, 4}}}}
	got, w := Taught(samples, fs, []float64{5, 6, 7})
	if len(got) != 1 || got[0].Key != "b" || len(w) != 1 || w[0] != 6 {
		t.Errorf("got %v with weights %v, want b with 6: a is 0 everywhere, c the same within each question", got, w)
	}
}

func TestWeightsTOML(t *testing.T) {
	got := WeightsTOML([]Feature{{Key: "stage.score_fusion.text"}, {Key: "stage.score_fusion.session_text"}, {Key: "stage.date.weight"}}, []float64{1, 2.5, 5.2571}, "made by a test\nand shown")
	want := "# made by a test\n# and shown\n\n[stage.score_fusion]\ntext = 1.000\nsession_text = 2.500\n\n[stage.date]\nweight = 5.257\n"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if strings.Contains(got, "NaN") {
		t.Error("NaN")
	}
}

package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Feature is a column whose weight is fitted.
type Feature struct {
	Key      string // of the weight in a configuration: "stage.date.weight"
	Column   string
	Share    bool // the column counts as a share of the best candidate's
	Negative bool // the weight may be below zero
}

// Sample is one question as the fit sees it: a row a candidate.
type Sample struct {
	Group    int         // conversation
	X        [][]float64 // by row, by feature
	Turn     []string    // by row
	Session  []string    // by row
	Positive []bool      // the row is evidence
	Question Question
}

// Collect asks every question and keeps the candidates' features. group numbers the
// first conversation, so that several sets can be fitted together.
func Collect(ctx context.Context, m Memory, s *Set, fs []Feature, group int) ([]Sample, error) {
	var out []Sample
	for i, c := range s.Conversations {
		sessions := map[string]string{}
		for _, t := range c.Turns {
			sessions[t.Key] = t.Session
		}
		for _, q := range c.Questions {
			found, err := m.Search(ctx, engine.Request{Space: spaceOf(i), Query: q.Text, Now: c.Now, Limit: 1000, Explain: true})
			if err != nil {
				return nil, fmt.Errorf("question %s: %w", q.ID, err)
			}
			out = append(out, sampleOf(found, q, sessions, fs, group+i))
		}
	}
	return out, nil
}

func sampleOf(found *engine.Found, q Question, sessions map[string]string, fs []Feature, group int) Sample {
	s := Sample{Group: group, Question: q}
	keys := make(map[core.ID]string, len(found.Passages))
	for _, p := range found.Passages {
		keys[p.ID] = p.Key
	}
	for _, c := range found.Trace.Candidates {
		key, ok := keys[c.ID]
		if !ok {
			continue
		}
		row := make([]float64, len(fs))
		for f, feature := range fs {
			row[f] = float64(c.Columns[feature.Column])
		}
		s.X = append(s.X, row)
		s.Turn = append(s.Turn, key)
		s.Session = append(s.Session, sessions[key])
		s.Positive = append(s.Positive, slices.Contains(q.Turns, key))
	}
	for f, feature := range fs {
		if feature.Share {
			share(s.X, f)
		}
	}
	return s
}

func share(rows [][]float64, f int) {
	top := 0.0
	for _, r := range rows {
		top = max(top, r[f])
	}
	for _, r := range rows {
		if r[f] = max(0, r[f]); top > 0 {
			r[f] /= top
		}
	}
}

// ridge is the L2 penalty on weights of features of unit deviation. Between 1 and 20
// the result moves by less than half a point.
const ridge = 5

// Fit returns the weights of a log-linear blend: those that make the evidence likely
// under a softmax over a question's candidates, each evidence row weighing 1/√n of its
// question's n. L2 keeps them small; all but the features that may be negative are at
// least zero. It minimises by projected gradient steps (Barzilai and Borwein 1988), and
// gives equal weights for equal samples.
func Fit(samples []Sample, fs []Feature) []float64 {
	p := problem{samples: samples, fs: fs, sd: deviations(samples, len(fs))}
	w := make([]float64, len(fs)) // of features of unit deviation
	loss, grad := p.loss(w)
	step := 1e-3
	for range 400 {
		next, nextLoss, nextGrad := w, loss, grad
		for range 30 {
			next = p.project(w, grad, step)
			if nextLoss, nextGrad = p.loss(next); nextLoss <= loss {
				break
			}
			step /= 2
		}
		var ss, sy, moved float64
		for i := range w {
			d := next[i] - w[i]
			ss += d * d
			sy += d * (nextGrad[i] - grad[i])
			moved = max(moved, math.Abs(d))
		}
		w, loss, grad = next, nextLoss, nextGrad
		if moved < 1e-6 {
			break
		}
		if sy > 1e-12 {
			step = ss / sy
		} else {
			step *= 2
		}
	}
	for f := range w {
		if p.sd[f] > 0 {
			w[f] /= p.sd[f]
		}
	}
	return w
}

type problem struct {
	samples []Sample
	fs      []Feature
	sd      []float64
}

func (p *problem) project(w, grad []float64, step float64) []float64 {
	next := make([]float64, len(w))
	for i := range w {
		next[i] = w[i] - step*grad[i]
		if !p.fs[i].Negative {
			next[i] = max(0, next[i])
		}
	}
	return next
}

// loss returns the penalised negative log-likelihood and its gradient.
func (p *problem) loss(w []float64) (float64, []float64) {
	total, grad := 0.0, make([]float64, len(w))
	for i := range w {
		total += ridge / 2 * w[i] * w[i]
		grad[i] = ridge * w[i]
	}
	var scores []float64
	for i := range p.samples {
		s := &p.samples[i]
		positives := 0
		for _, pos := range s.Positive {
			if pos {
				positives++
			}
		}
		if positives == 0 {
			continue
		}
		share := 1 / math.Sqrt(float64(positives))
		scores = scores[:0]
		top := math.Inf(-1)
		for _, x := range s.X {
			z := 0.0
			for f, v := range x {
				if p.sd[f] > 0 {
					z += w[f] * v / p.sd[f]
				}
			}
			scores = append(scores, z)
			top = max(top, z)
		}
		sum := 0.0
		for _, z := range scores {
			sum += math.Exp(z - top)
		}
		logSum := top + math.Log(sum)
		mass := share * float64(positives)
		for r, x := range s.X {
			coef := mass * math.Exp(scores[r]-logSum)
			if s.Positive[r] {
				total -= share * (scores[r] - logSum)
				coef -= share
			}
			for f, v := range x {
				if p.sd[f] > 0 {
					grad[f] += coef * v / p.sd[f]
				}
			}
		}
	}
	return total, grad
}

func deviations(samples []Sample, n int) []float64 {
	sum, square, rows := make([]float64, n), make([]float64, n), 0.0
	for _, s := range samples {
		for _, x := range s.X {
			rows++
			for f, v := range x {
				sum[f] += v
				square[f] += v * v
			}
		}
	}
	sd := make([]float64, n)
	for f := range sd {
		if rows > 0 {
			mean := sum[f] / rows
			sd[f] = math.Sqrt(max(0, square[f]/rows-mean*mean))
		}
	}
	return sd
}

// Rank orders a sample's candidates by weights and returns its answer.
func (s *Sample) Rank(w []float64) Answer {
	order := make([]int, len(s.X))
	scores := make([]float64, len(s.X))
	for i, x := range s.X {
		order[i] = i
		for f, v := range x {
			scores[i] += w[f] * v
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	a := Answer{Category: s.Question.Category, Tokens: -1, Turn: Ranking{Evidence: s.Question.Turns}, Session: Ranking{Evidence: s.Question.Sessions}}
	for _, i := range order {
		a.Turn.Keys = appendNew(a.Turn.Keys, s.Turn[i])
		a.Session.Keys = appendNew(a.Session.Keys, s.Session[i])
	}
	return a
}

// CrossValidate fits with each group left out in turn and returns the answers of the
// groups that were left out. hold lists the groups to leave out; nil is all of them.
func CrossValidate(samples []Sample, fs []Feature, hold []int) []Answer {
	var groups []int
	for _, s := range samples {
		if !slices.Contains(groups, s.Group) && (hold == nil || slices.Contains(hold, s.Group)) {
			groups = append(groups, s.Group)
		}
	}
	var out []Answer
	for _, g := range groups {
		var rest []Sample
		for _, s := range samples {
			if s.Group != g {
				rest = append(rest, s)
			}
		}
		w := Fit(rest, fs)
		for i := range samples {
			if samples[i].Group == g {
				a := samples[i].Rank(w)
				a.Conversation = fmt.Sprint(g)
				out = append(out, a)
			}
		}
	}
	return out
}

// Taught returns the features that differ between two candidates of some question, with
// their weights. The samples say nothing of the others, whose weights stay as they are.
func Taught(samples []Sample, fs []Feature, w []float64) ([]Feature, []float64) {
	var taught []Feature
	var weights []float64
	for f := range fs {
		if slices.ContainsFunc(samples, func(s Sample) bool {
			return slices.ContainsFunc(s.X, func(x []float64) bool { return x[f] != s.X[0][f] })
		}) {
			taught, weights = append(taught, fs[f]), append(weights, w[f])
		}
	}
	return taught, weights
}

// WeightsTOML writes fitted weights as a configuration that lies over the default
// profile.
func WeightsTOML(fs []Feature, w []float64, comment string) string {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		b.WriteString("# " + strings.TrimRight(line, "\n") + "\n")
	}
	table := ""
	for i, f := range fs {
		at := strings.LastIndexByte(f.Key, '.')
		if t := f.Key[:at]; t != table {
			table = t
			fmt.Fprintf(&b, "\n[%s]\n", t)
		}
		fmt.Fprintf(&b, "%s = %.3f\n", f.Key[at+1:], w[i])
	}
	return b.String()
}

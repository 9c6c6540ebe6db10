package eval

import (
	"fmt"
	"slices"
)

// seed of the bootstrap: reports of equal answers are equal.
const seed = 1

// Report is what a run over a data set came to. Its JSON keys are fixed.
type Report struct {
	File          string   `json:"file"`
	Shape         Shape    `json:"shape"`
	ConfigDigest  string   `json:"config_digest"`
	Embedder      string   `json:"embedder"`
	Off           []string `json:"off,omitempty"`
	Conversations int      `json:"conversations"`
	Questions     int      `json:"questions"`

	Turn       Level               `json:"turn"`
	Session    Level               `json:"session"`
	Categories map[string]Category `json:"categories"`

	Tokens  *Tokens `json:"tokens,omitempty"`
	Latency Latency `json:"latency_ms"`

	Interval95 map[string]Interval `json:"interval95"` // by bootstrap over questions
	Spread     map[string]float64  `json:"spread"`     // standard deviation between conversations
	Ablation   []Ablated           `json:"ablation,omitempty"`
}

// Level holds the measures of turns or of sessions, 0 to 1. N is how many questions
// have evidence there.
type Level struct {
	N    int     `json:"n"`
	R5   float64 `json:"r@5"`
	R10  float64 `json:"r@10"`
	R30  float64 `json:"r@30"`
	Any5 float64 `json:"any@5"`
	All5 float64 `json:"all@5"`
	Any  float64 `json:"any@10"`
	All  float64 `json:"all@10"`
	Any3 float64 `json:"any@30"`
	All3 float64 `json:"all@30"`
	NDCG float64 `json:"ndcg@10"`
	MRR  float64 `json:"mrr"`
}

// Category holds the measures of one kind of questions.
type Category struct {
	N       int     `json:"n"`
	Turn    float64 `json:"turn_r@10"`
	Session float64 `json:"session_r@10"`
}

// Tokens are those of the recalled blocks.
type Tokens struct {
	Mean float64 `json:"mean"`
	P95  float64 `json:"p95"`
}

// Latency is the wall time of a warm search with the query's embedding.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Ablated is a variant of the pipeline, compared with the whole question by question.
type Ablated struct {
	Name        string   `json:"name"`
	Turn        float64  `json:"turn_r@10"`
	TurnDiff    float64  `json:"turn_diff"` // to the whole pipeline; below zero: the variant is worse
	TurnDiff95  Interval `json:"turn_diff95"`
	Session     float64  `json:"session_r@10"`
	SessionDiff float64  `json:"session_diff"`
	SessDiff95  Interval `json:"session_diff95"`
}

// Summarise makes the report of a set's answers. The caller fills in what it knows of
// the configuration.
func Summarise(s *Set, answers []Answer) *Report {
	d := DiscountLog
	if s.Shape == ShapeLongMemEval {
		d = DiscountLongMemEval
	}
	turns, sessions := levels(answers)
	r := &Report{
		File: s.File, Shape: s.Shape, Conversations: len(s.Conversations), Questions: len(answers),
		Turn: level(turns, d), Session: level(sessions, d), Categories: categories(answers),
		Interval95: map[string]Interval{
			"turn_r@10": Bootstrap(values(turns), seed), "session_r@10": Bootstrap(values(sessions), seed),
		},
		Spread: map[string]float64{},
	}
	r.Spread["turn_r@10"], r.Spread["session_r@10"] = spread(answers)
	var tokens, millis []float64
	for _, a := range answers {
		millis = append(millis, a.Millis)
		if a.Tokens >= 0 {
			tokens = append(tokens, a.Tokens)
		}
	}
	r.Latency = Latency{Percentile(millis, 0.5), Percentile(millis, 0.95), Percentile(millis, 0.99)}
	if len(tokens) > 0 {
		r.Tokens = &Tokens{mean(tokens), Percentile(tokens, 0.95)}
	}
	return r
}

// levels returns the rankings that have evidence: some questions of LongMemEval name a
// session and no turn of it.
func levels(answers []Answer) (turns, sessions []Ranking) {
	for _, a := range answers {
		if len(a.Turn.Evidence) > 0 {
			turns = append(turns, a.Turn)
		}
		if len(a.Session.Evidence) > 0 {
			sessions = append(sessions, a.Session)
		}
	}
	return turns, sessions
}

func level(rs []Ranking, d discount) Level {
	at := func(f func(Ranking, int) float64, k int) float64 {
		return Mean(rs, func(r Ranking) float64 { return f(r, k) })
	}
	return Level{
		N: len(rs), R5: at(Ranking.RecallAt, 5), R10: at(Ranking.RecallAt, 10), R30: at(Ranking.RecallAt, 30),
		Any5: at(Ranking.AnyAt, 5), All5: at(Ranking.AllAt, 5), Any: at(Ranking.AnyAt, 10), All: at(Ranking.AllAt, 10),
		Any3: at(Ranking.AnyAt, 30), All3: at(Ranking.AllAt, 30),
		NDCG: Mean(rs, func(r Ranking) float64 { return r.NDCGAt(10, d) }), MRR: Mean(rs, Ranking.MRR),
	}
}

// values are each ranking's recall at 10.
func values(rs []Ranking) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = r.RecallAt(10)
	}
	return out
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(1, len(v)))
}

func categories(answers []Answer) map[string]Category {
	by := map[string][]Answer{}
	for _, a := range answers {
		by[a.Category] = append(by[a.Category], a)
	}
	out := map[string]Category{}
	for name, as := range by {
		turns, sessions := levels(as)
		out[name] = Category{len(as), mean(values(turns)), mean(values(sessions))}
	}
	return out
}

// spread returns the deviation of recall at 10 between conversations.
func spread(answers []Answer) (turn, session float64) {
	var order []string
	by := map[string][]Answer{}
	for _, a := range answers {
		if by[a.Conversation] == nil {
			order = append(order, a.Conversation)
		}
		by[a.Conversation] = append(by[a.Conversation], a)
	}
	var t, s []float64
	for _, c := range order {
		turns, sessions := levels(by[c])
		if len(turns) > 0 {
			t = append(t, mean(values(turns)))
		}
		if len(sessions) > 0 {
			s = append(s, mean(values(sessions)))
		}
	}
	return Spread(t), Spread(s)
}

// Compare returns what a variant changes: the differences to the whole pipeline with
// intervals of the paired bootstrap over questions.
func Compare(name string, whole, variant []Answer) (Ablated, error) {
	if len(whole) != len(variant) {
		return Ablated{}, fmt.Errorf("%s: %d answers, the whole has %d", name, len(variant), len(whole))
	}
	wt, ws := levels(whole)
	vt, vs := levels(variant)
	td, sd := differences(values(wt), values(vt)), differences(values(ws), values(vs))
	return Ablated{
		Name: name, Turn: mean(values(vt)), TurnDiff: mean(td), TurnDiff95: Bootstrap(td, seed),
		Session: mean(values(vs)), SessionDiff: mean(sd), SessDiff95: Bootstrap(sd, seed),
	}, nil
}

func differences(whole, variant []float64) []float64 {
	out := make([]float64, len(whole))
	for i := range whole {
		out[i] = variant[i] - whole[i]
	}
	return out
}

// CategoryNames returns the names of the categories, sorted.
func (r *Report) CategoryNames() []string {
	names := make([]string, 0, len(r.Categories))
	for n := range r.Categories {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

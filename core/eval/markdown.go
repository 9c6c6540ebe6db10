package eval

import (
	"fmt"
	"strings"
)

// Markdown returns the report as text with tables.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d questions over %d conversations, embedder %s, configuration %.12s\n\n", r.File, r.Questions, r.Conversations, name(r.Embedder), r.ConfigDigest)
	if len(r.Off) > 0 {
		fmt.Fprintf(&b, "Without %s.\n\n", strings.Join(r.Off, ", "))
	}
	b.WriteString("| level | R@5 | R@10 | 95 % | spread | R@30 | any@10 | all@10 | NDCG@10 | MRR |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, l := range []struct {
		name string
		Level
	}{{"turn", r.Turn}, {"session", r.Session}} {
		in := r.Interval95[l.name+"_r@10"]
		fmt.Fprintf(&b, "| %s | %s | %s | %s to %s | %s | %s | %s | %s | %s | %s |\n", l.name, pc(l.R5), pc(l.R10), pc(in[0]), pc(in[1]),
			pc(r.Spread[l.name+"_r@10"]), pc(l.R30), pc(l.Any), pc(l.All), pc(l.NDCG), pc(l.MRR))
	}
	b.WriteString("\n| category | questions | turn R@10 | session R@10 |\n|---|---|---|---|\n")
	for _, n := range r.CategoryNames() {
		c := r.Categories[n]
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", name(n), c.N, pc(c.Turn), pc(c.Session))
	}
	b.WriteString("\n")
	if r.Tokens != nil {
		fmt.Fprintf(&b, "Tokens a block: mean %.0f, p95 %.0f. ", r.Tokens.Mean, r.Tokens.P95)
	}
	fmt.Fprintf(&b, "Milliseconds a search: p50 %.2f, p95 %.2f, p99 %.2f.\n", r.Latency.P50, r.Latency.P95, r.Latency.P99)
	if len(r.Ablation) > 0 {
		b.WriteString("\n| variant | turn R@10 | difference | 95 % | session R@10 | difference | 95 % |\n|---|---|---|---|---|---|---|\n")
		for _, a := range r.Ablation {
			fmt.Fprintf(&b, "| %s | %s | %+.1f | %+.1f to %+.1f | %s | %+.1f | %+.1f to %+.1f |\n", a.Name, pc(a.Turn), 100*a.TurnDiff,
				100*a.TurnDiff95[0], 100*a.TurnDiff95[1], pc(a.Session), 100*a.SessionDiff, 100*a.SessDiff95[0], 100*a.SessDiff95[1])
		}
	}
	return b.String()
}

func name(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// pc shows a share in per cent.
func pc(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

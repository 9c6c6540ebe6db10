package lang

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	f := os.Getenv("DUMP")
	if f == "" {
		t.Skip("DUMP is not set")
	}
	b, _ := os.ReadFile(f)
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		s := Default().Analyse(line)
		fmt.Println(line)
		for _, c := range s.Clauses {
			fl := ""
			for n, v := range map[string]bool{"Q": c.Question, "SUP": c.Supposed, "WISH": c.Wish, "HEDGE": c.Hedged, "REP": c.Reported, "COND": c.Condition, "REL": c.Relative, "neg": c.Verb.Negated, "END": c.Verb.Ended, "mod": c.Verb.Modal, "bare": c.Verb.Bare, "perf": c.Verb.Perfect, "prog": c.Verb.Prog, "pass": c.Verb.Passive, "carried": c.Carried} {
				if v {
					fl += " " + n
				}
			}
			own := ""
			if c.Subject.Owner != nil {
				own = fmt.Sprintf("{%d %s}", c.Subject.Owner.Who, c.Subject.Owner.Name)
			}
			fmt.Printf("   [%s] lead=%s who=%d name=%q kin=%q noun=%q own=%s verb=%s/%d gov=%d %s prefix=%q\n", s.text(c.From, c.To), c.Lead, c.Subject.Who, c.Subject.Name, c.Subject.Kin, c.Subject.Noun, own, c.Verb.Lemma, c.Verb.Tense, c.Governed, fl, s.text(c.Prefix[0], c.Prefix[1]))
		}
	}
}

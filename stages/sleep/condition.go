package sleep

import (
	"strings"

	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// permission reports whether the verb is "can" or "may".
func permission(s *lang.Sentence, c *lang.Clause) bool {
	if c.Verb.Can {
		return true
	}
	for j := c.Verb.From; j < c.Verb.To; j++ {
		if s.Tokens[j].Norm == "may" {
			return true
		}
	}
	return false
}

// condition checks the item's condition, or takes the line's.
func (g *grounder) condition(it *sl.Item, l *sl.Line, v *verdict) {
	s := l.Grammar()
	if it.Event || it.Ended || v.ended || v.denied {
		v.condition = ""
		return
	}
	if it.Condition == "" {
		v.condition = g.governing(s, l, v.clause)
		return
	}
	if own := g.governing(s, l, v.clause); strings.HasPrefix(own, "unless ") || strings.HasPrefix(own, "except ") {
		v.condition = own // without the word it would say the opposite
		return
	}
	words, _ := g.b.Env.Languages.Content(it.Condition)
	if places, missing := s.Locate(words); len(missing) > 0 || len(places) == 0 {
		// The line's own condition counts, not the model's words for it.
		if v.condition = g.governing(s, l, v.clause); v.condition == "" {
			v.reason, v.detail = sl.ReasonUngrounded, "the condition is not in "+l.Tag()
		}
	}
}

// governing returns the condition that a line puts on one of its clauses.
func (g *grounder) governing(s *lang.Sentence, l *sl.Line, clause int) string {
	if clause < 0 || s.Lang == nil {
		return ""
	}
	c := &s.Clauses[clause]
	if p := c.Prefix; p[1] > p[0] && s.Tokens[p[0]].Norm != "as" && s.Lang.Word("condition prepositions", s.Tokens[p[0]].Norm) && c.Verb.Tense == lang.Present && !c.Verb.Perfect {
		words := s.Slice(p[0]+1, p[1])
		start, end := s.Bytes(lang.Match{From: p[0], To: p[1]})
		if words != "" && !g.dated(l, start, end) {
			return sl.CleanValue(words)
		}
	}
	if c.Governed < 0 {
		return ""
	}
	w := &s.Clauses[c.Governed]
	if w.Verb.Tense == lang.Past || c.Verb.Tense == lang.Past || c.Verb.Perfect {
		return ""
	}
	return conditionText(s, w)
}

// conditionText is a condition without the speaker: "fly at night".
func conditionText(s *lang.Sentence, c *lang.Clause) string {
	from := c.From
	for j := from - 1; j >= 0 && j >= from-3; j-- {
		if w := s.Tokens[j].Norm; w == "unless" || w == "except" {
			return sl.CleanValue(strings.ToLower(s.Slice(j, j+1)) + " " + s.Slice(j+1, c.To))
		}
	}
	if c.Subject.Who == lang.First && c.Subject.To == c.Subject.From+1 {
		from = c.Subject.To
		if c.Verb.Lemma == "be" && !c.Verb.Negated {
			from = c.Verb.To
		}
	}
	return sl.CleanValue(s.Slice(from, c.To))
}

// dated reports whether a stretch of a line is a date.
func (g *grounder) dated(l *sl.Line, start, end int) bool {
	for _, f := range g.b.Env.Dates(l) {
		if f.Start < end && f.End > start && f.Resolved {
			return true
		}
	}
	return false
}

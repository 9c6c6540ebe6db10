package sleep

import (
	"strings"

	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// judge asks whether the clause states the item, and on which side.
func (g *grounder) judge(it *sl.Item, s *lang.Sentence, negated bool, v *verdict) {
	reject := func(r sl.Reason, d string) { v.reason, v.detail = r, d }
	if s.Tokens[v.match.From].Quoted {
		reject(sl.ReasonNoStatement, "it is quoted")
		return
	}
	if v.clause < 0 {
		return
	}
	c := &s.Clauses[v.clause]
	if d := unstated(it, s, c); d != "" {
		reject(sl.ReasonNoStatement, d)
		return
	}
	attr := sl.AttributeOf(it.Attribute)
	if it.Lift || it.Prohibited && !attr.Rule && banned(s, c, v.match) {
		return
	}
	pol := s.Polarity(v.match)
	if it.Event {
		if pol == lang.Denied && !c.Verb.Used {
			reject(sl.ReasonDenied, "the line says that it did not happen")
		}
		return
	}
	if it.Past {
		if pol == lang.Denied || c.Verb.Negated {
			reject(sl.ReasonDenied, "the line says that it was not so")
		}
		return
	}
	if attr.Name == "home city" && it.Value != "" && pol == lang.Affirmed && c.Verb.Tense == lang.Past && !c.Verb.Perfect && !arrivals[c.Verb.Lemma] {
		reject(sl.ReasonUngrounded, "the line tells of something that happened there")
		return
	}
	if attr.Known && pol == lang.Affirmed && !(it.Ended && (it.Value == "" || it.Words != "")) && wasSo(s, c) {
		reject(sl.ReasonNoStatement, "it was so once")
		return
	}
	forbids := it.Prohibited && (s.Lang != nil || !attr.Rule)
	switch c.Subject.Who {
	case lang.Person, lang.Third, lang.Owned:
		forbids = false // what others do not do is no order
	case lang.First:
		forbids = forbids && !attr.Rule && !s.Lang.HasVerbs() || forbids && (!c.Verb.Negated || !attr.Rule && s.Lang.Word("refusals", c.Verb.Lemma))
	}
	switch {
	case it.Prohibited && pol == lang.Ended && c.Subject.Who == lang.Nobody:
		// "Stop calling me buddy" forbids, it ends nothing.
	case attr.Negative && pol == lang.Denied:
		// "I don't like opera": it is disliked.
	case attr.Negative && pol == lang.Affirmed && s.HasWords("likings", v.clause) && !s.HasWords("prohibitions", v.clause):
		reject(sl.ReasonDenied, "the line says the opposite")
	case attr.Name == "likes" && pol == lang.Affirmed && s.HasWords("aversions", v.clause):
		reject(sl.ReasonDenied, "the line says the opposite")
	case pol == lang.Ended:
		v.ended = true
	case it.Ended && pol == lang.Affirmed:
		if it.Value != "" && it.Words == "" && !s.HasWords("end verbs", v.clause) {
			// The extractor says that it ended; the line does not.
			reject(sl.ReasonDenied, "the line does not end it")
		}
	case it.Ended:
	case pol == lang.Denied && forbids:
		if s.HasWords("idioms", v.clause) {
			reject(sl.ReasonNoRule, "a turn of phrase")
		}
	case pol == lang.Denied && negated:
		if deniable[attr.Name] {
			v.denied = true
		}
	case pol == lang.Denied:
		v.denied = true
	case negated && !forbids:
		reject(sl.ReasonDenied, "the line has no such negation")
	case it.Prohibited && !s.HasWords("prohibitions", -1) && s.HasWords("likings", v.clause):
		reject(sl.ReasonDenied, "the line forbids nothing")
	}
}

// wasSo reports whether a clause tells how things were: "I worked at Acme", "I was a
// teacher".
func wasSo(s *lang.Sentence, c *lang.Clause) bool {
	v := c.Verb
	if s.Lang == nil || !s.Lang.HasVerbs() || v.Tense != lang.Past || v.Perfect || v.Passive || v.Guessed || !s.Lang.Word("stative", v.Lemma) {
		return false
	}
	next := ""
	if v.To < len(s.Tokens) {
		next = s.Tokens[v.To].Norm
	}
	return next != "born" && !strings.HasSuffix(next, "ed") // "was born", "was diagnosed"
}

// arrivals are verbs whose past tense may tell where somebody lives.
var arrivals = map[string]bool{
	"move": true, "relocate": true, "settle": true, "return": true, "come": true, "go": true, "transfer": true, "migrate": true, "emigrate": true,
	"buy": true, "rent": true, "end": true, "land": true, "switch": true, "change": true, "get": true, "find": true, "take": true, "start": true, "mean": true, "say": true, "leave": true, "": true,
}

// deniable are attributes of which "not X" states nothing.
var deniable = map[string]bool{
	"home city": true, "employer": true, "occupation": true, "name": true, "age": true, "birthday": true, "allergy": true, "partner": true,
	"birthplace": true, "language": true, "pet": true, "child": true, "sibling": true, "nationality": true, "car": true,
}

// wishful are words of attributes that are about what is wanted.
func wishful(it *sl.Item, c *lang.Clause) bool {
	if !c.Wish || c.Supposed || c.Hedged || c.Question {
		return false
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(it.Attribute), func(r rune) bool { return r == ' ' || r == '_' }) {
		switch w {
		case "wish", "want", "wants", "goal", "goals", "plan", "plans", "request", "dream", "hope", "intention", "need", "needs", "task", "todo",
			"interest", "expectation", "ambition", "demand", "target", "reminder", "desire", "aim", "preference":
			return true
		}
	}
	return it.Event && c.Verb.Lemma != "wish"
}

// unstated says why a clause states nothing, or "".
func unstated(it *sl.Item, s *lang.Sentence, c *lang.Clause) string {
	switch {
	case c.Question:
		return "it is asked"
	case wishful(it, c):
		return ""
	case (it.Prohibited || it.Lift) && (c.Subject.Who == lang.Nobody || c.Subject.Who == lang.Second || c.Wish || it.Lift):
		// "You should never …", "I want you to avoid …" forbid.
		if c.Supposed && !c.Wish || c.Reported {
			return "it is supposed or reported"
		}
		return ""
	case it.Prohibited && c.Verb.Modal && mustNot(s, c), sl.AttributeOf(it.Attribute).Name == "nickname" && asksForName(s, c):
		return ""
	case c.Supposed:
		return "it is supposed"
	case c.Reported && !(c.Said && !it.AboutUser() && (c.Subject.Who == lang.Third || c.Subject.Who == lang.Person || c.Subject.Who == lang.Owned)):
		return "somebody else says so"
	case c.Hedged:
		return "it is not certain"
	case c.Wish:
		return "it is wished"
	case c.Verb.Modal && !(c.Subject.Who == lang.Second && permission(s, c)):
		return "it might be"
	case c.Condition && (!it.Event || c.Lead == "if"):
		return "it is a condition"
	case it.Event && c.Governed >= 0 && s.Clauses[c.Governed].Lead == "if":
		return "it depends on a condition"
	}
	return ""
}

// banned reports whether a clause says of what stands at m that it is not to be: "no
// emojis", "smoking is prohibited", "nobody may restart it".
func banned(s *lang.Sentence, c *lang.Clause, m lang.Match) bool {
	switch c.Subject.Who {
	case lang.Third, lang.Owned:
		return false
	case lang.Person:
		if !noName(c.Subject) {
			return false
		}
	}
	if m.From > 0 && s.Tokens[m.From-1].Norm == "no" {
		return true
	}
	if !s.Lang.HasVerbs() && c.Verb.Negated {
		return true
	}
	if m.From > 1 && s.Tokens[0].Norm == "avoid" && s.Tokens[1].Norm == ":" {
		return true // "Avoid: adverbs, clichés"
	}
	i := s.ClauseOf(m.From)
	return s.HasWords("forbidding", i) || mustNot(s, c)
}

// mustNot reports whether a clause says of a thing what must not be done with it.
func mustNot(s *lang.Sentence, c *lang.Clause) bool {
	switch c.Subject.Who {
	case lang.Thing, lang.Mine:
	case lang.Person:
		if !noName(c.Subject) {
			return false
		}
	default:
		return false
	}
	return c.Verb.Negated && !c.Supposed && !c.Condition && !c.Reported
}

// noName reports whether what has capital letters may be no person: "Smoking", "Raw SQL".
func noName(s lang.Subject) bool {
	return s.Kin == "" && s.Gender == 0 && s.Owner == nil && (s.Unsure || strings.Contains(s.Name, " "))
}

// asksForName reports whether a clause says what the speaker would rather be called.
func asksForName(s *lang.Sentence, c *lang.Clause) bool {
	if c.Subject.Who != lang.First && c.Subject.Who != lang.Second || c.Verb.Negated || c.Question || c.Reported || c.Condition && !preferred(s, c) {
		return false
	}
	for j := c.From; j < c.To; j++ {
		if w := s.Tokens[j].Norm; w == "call" || w == "called" {
			return true
		}
	}
	return false
}

// preferred reports whether a clause says what the speaker would like: "I'd prefer if you …".
func preferred(s *lang.Sentence, c *lang.Clause) bool {
	if c.Lead != "if" || c.Subject.Who != lang.Second {
		return false
	}
	for i := range s.Clauses {
		p := &s.Clauses[i]
		if p.To > c.From || c.From-p.To > 1 || p.Subject.Who != lang.First || !p.Verb.Modal || p.Verb.Negated {
			continue
		}
		switch p.Verb.Lemma {
		case "prefer", "like", "love", "appreciate":
			return true
		}
	}
	return false
}

package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// habit reads what the speaker does under a condition or again and again: "when
// guests come over I pour cordial", "I run every morning".
func (r *line) habit(c *lang.Clause) {
	v := c.Verb
	if !r.svo() || c.Subject.Who != lang.First || v.Tense != lang.Present || v.Perfect || v.Prog || v.Passive || v.Can || v.Ended || v.Guessed || !v.Bare || c.Relative {
		return
	}
	if !r.w.Word("habit verbs", v.Lemma) || v.Negated || r.s.Lang.Word("it", r.norm(v.To)) || r.norm(v.To) == "them" || r.norm(v.To) == "him" || r.norm(v.To) == "her" || r.norm(v.To) == "you" {
		return
	}
	if _, ok := r.onlyDate(c); ok {
		return
	}
	if r.conditioned(c) {
		f, t := r.trim(capture{"value", v.To, c.To})
		attr := r.s.Lang.ThirdPerson(v.Lemma)
		if f+1 < t && r.s.Lang.Word("particles", r.norm(f)) {
			attr += " " + r.norm(f)
			f++
		}
		if f, t = r.trim(capture{"value", f, t}); r.usable(f, t, "value") {
			r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(f, t)})
		}
		return
	}
	for j := v.To; j < c.To; j++ {
		if w := r.norm(j); r.w.Word("habitual", w) || w == "at" && lang.HasDigit(lang.Stem(r.norm(j+1))) {
			f, t := r.trimOrder(v.To-1, c.To)
			if r.usable(f, t, "value") {
				r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "habit", Value: r.text(f, t)})
			}
			return
		}
	}
}

// conditioned reports whether the clause holds under a condition only.
func (r *line) conditioned(c *lang.Clause) bool {
	if c.Governed >= 0 {
		return r.s.Clauses[c.Governed].Verb.Tense != lang.Past
	}
	if p := c.Prefix; p[1] > p[0] && r.norm(p[0]) != "as" {
		for j := p[0]; j < p[1]; j++ {
			if f, ok := r.dateAt(j); ok && f.Resolved {
				return false
			}
		}
		return true
	}
	return false
}

// plainSubject is the subject of a clause read without verb groups.
func (r *line) plainSubject(c *lang.Clause) string {
	if c.Subject.Who == lang.Nobody && r.l.Own {
		return core.SubjectUser
	}
	return ""
}

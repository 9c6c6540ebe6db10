package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// replaced reads that one thing took the place of another: "Kay replaced Tim as my
// boss", "Jenkins was replaced by Buildkite", "Figma took its place".
func (r *line) replaced(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || v.Negated || v.Modal || v.Can || v.Tense == lang.Future || v.Tense != lang.Past && !v.Perfect && !v.Passive {
		return false
	}
	if c.Subject.To <= c.Subject.From || c.Subject.Who == lang.First || c.Subject.Who == lang.Second || c.Subject.Who == lang.Third || c.Subject.Who == lang.It {
		return false
	}
	sf, st := c.Subject.From, c.Subject.To
	switch {
	case v.Lemma == "replace" && v.Passive:
		for j := v.To; j < c.To; j++ {
			if w := r.norm(j); w == "by" || w == "with" {
				from, to := r.trim(capture{"value", j + 1, c.To})
				attr, old, ok := r.heldValue(r.text(sf, st))
				return ok && r.tookPlace(attr, old, from, to)
			}
		}
	case v.Lemma == "replace" || v.Lemma == "succeed":
		return r.successor(c, sf, st, v.To)
	case v.Lemma == "take" && r.norm(v.To) == "over" && r.norm(v.To+1) == "from":
		return r.successor(c, sf, st, v.To+2)
	case v.Lemma == "take" && r.norm(v.To) == "over" && r.norm(v.To+1) == "as":
		return r.successor(c, sf, st, v.To+1)
	case v.Lemma == "take" && r.norm(v.To+1) == "place" && r.possessive(v.To):
		for _, all := range [][]sleep.Proposal{r.out, r.before} {
			if n := len(all) - 1; n >= 0 && all[n].Ended && all[n].Subject == core.SubjectUser {
				return r.tookPlace(all[n].Attribute, "", sf, st)
			}
		}
	}
	return false
}

func (r *line) possessive(i int) bool {
	w := r.norm(i)
	return w == "its" || w == "his" || w == "her" || w == "their"
}

// successor reads whom the subject, tokens sf to st, took the place of: "Tim as my boss".
func (r *line) successor(c *lang.Clause, sf, st, from int) bool {
	to := c.To
	for j := from; j+2 < c.To+1; j++ {
		if r.norm(j) != "as" {
			continue
		}
		to = j
		if w := r.norm(j + 1); r.s.Lang.Word("my", w) || w == "the" {
			f, t := r.trim(capture{"place", j + 2, c.To})
			if noun, ok := r.noun(r.text(f, t)); ok && f < t && (w != "the" || r.heldNear(noun) != "") {
				return r.tookPlace(noun, "", sf, st)
			}
		}
		break
	}
	f, t := r.trim(capture{"value", from, to})
	if f >= t {
		return false
	}
	attr, old, ok := r.heldValue(r.text(f, t))
	return ok && r.tookPlace(attr, old, sf, st)
}

// tookPlace gives an attribute the value of tokens from to to. Where values add up, the
// old one ends.
func (r *line) tookPlace(attr, old string, from, to int) bool {
	if w := r.norm(from); w == "the" || w == "a" || w == "an" || r.s.Lang.Word("my", w) {
		from++
	}
	if from >= to || !r.usable(from, to, "value") || !r.s.Tokens[from].Cap && !lang.HasDigit(r.text(from, to)) && !r.flat() {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(from, to)})
	if old != "" && sleep.AttributeOf(attr).Many {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: old, Ended: true, Words: r.text(from, to)})
	}
	return true
}

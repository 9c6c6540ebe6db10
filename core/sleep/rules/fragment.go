package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// fragment reads what the speaker says of himself without "I am": "allergic to nuts, by
// the way", "big fan of old films".
func (r *line) fragment(c *lang.Clause) {
	if !r.svo() || !r.l.Own || r.others || c.Subject.Who != lang.Nobody && !(c.Subject.Who == lang.Person && c.Subject.Unsure && c.Verb.Lemma == "") || c.Verb.Lemma != "" || r.s.Question {
		return
	}
	from := r.begin()
	if r.norm(from-1) == "not" {
		from--
	}
	if from >= c.To || !r.w.Word("fragments", r.norm(from)) || r.s.Tokens[from].Quoted {
		return
	}
	denied := r.norm(from) == "not"
	if denied {
		from++
	}
	d := *c
	d.Subject = lang.Subject{Who: lang.First, From: from, To: from}
	d.Verb = lang.Verb{Lemma: "be", From: from, To: from, Tense: lang.Present, Negated: denied}
	r.patterns(&d)
}

// aboutOthers reports whether the line ends with what is about somebody else, or asks.
func (r *line) aboutOthers() bool {
	if r.s.Question {
		return true
	}
	for i := len(r.s.Clauses) - 1; i >= 0; i-- {
		switch c := &r.s.Clauses[i]; c.Subject.Who {
		case lang.Nobody:
		case lang.Third, lang.Person, lang.Owned:
			return true
		default:
			return false
		}
	}
	return len(r.s.Persons()) > 0
}

// labelled reads "Allergies: ragweed, dust mites" and "Avoid: adverbs, clichés": an
// attribute whose values add up, or an order, and its list.
func (r *line) labelled() bool {
	if !r.svo() || !r.l.Own || r.others || r.s.Question || r.s.Opens {
		return false
	}
	from := r.begin()
	colon := from + 1
	for colon < from+3 && r.norm(colon) != ":" {
		colon++
	}
	if r.norm(colon) != ":" || !r.s.Tokens[from].Cap || r.clauseAt(from).Supposed {
		return false
	}
	if r.norm(from) == "new" && colon > from+1 {
		return r.newly(r.text(from+1, colon), colon+1)
	}
	label := r.text(from, colon)
	a := sleep.AttributeOf(label)
	order := r.norm(from) == "avoid" && colon == from+1
	if !order && (!a.Known || !a.Many || a.Person || a.Versioned) || order && !r.l.Rules {
		return false
	}
	found := false
	for _, q := range r.split(colon+1, r.lineEnd()) {
		f, t := r.trim(capture{"list", q[0], q[1]})
		switch {
		case f >= t || t-f > 5 || !r.usable(f, t, "list") || r.norm(f) == "no" || r.norm(f) == "n" || t == f+1 && lang.HasDigit(r.norm(f)):
		case order:
			found = r.prohibit(f, t) || found
		default:
			r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: a.Name, Value: r.text(f, t)})
			found = true
		}
	}
	return found
}

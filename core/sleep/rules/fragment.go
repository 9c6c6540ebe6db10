package rules

import "github.com/orma-memory/orma/core/sleep/lang"

// fragment reads what the speaker says of himself without "I am": "allergic to nuts, by
// the way", "big fan of old films".
func (r *line) fragment(c *lang.Clause) {
	if !r.svo() || !r.l.Own || r.others || c.Subject.Who != lang.Nobody && !(c.Subject.Who == lang.Person && c.Subject.Unsure && c.Verb.Lemma == "") || c.Verb.Lemma != "" || r.s.Question {
		return
	}
	from := r.begin()
	if from >= c.To || !r.w.Word("fragments", r.norm(from)) || r.s.Tokens[from].Quoted {
		return
	}
	d := *c
	d.Subject = lang.Subject{Who: lang.First, From: from, To: from}
	d.Verb = lang.Verb{Lemma: "be", From: from, To: from, Tense: lang.Present}
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

package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// ending reads what ends a state without naming its value: "I quit my job", "we got
// divorced", "my dog died", "Brightwell let me go".
func (r *line) ending(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || v.Can || v.Modal || v.Tense == lang.Future {
		return false
	}
	end := func(attr string, from, to int) bool {
		h := r.heldUnder(attr)
		if h != "" {
			r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: h, Ended: true, Words: r.text(from, to)})
		}
		return h != ""
	}
	switch c.Subject.Who {
	case lang.First:
		if from, to := r.workEnded(c); from < to {
			return end("employer", from, to)
		}
		if from, to := r.follows(c, "parted"); from < to && !v.Prog {
			return end("partner", from, to)
		}
		switch {
		case v.Lemma == "break" && r.norm(v.To) == "up" && r.norm(v.To+1) == "with" && r.s.Lang.Word("my", r.norm(v.To+2)) && sleep.AttributeOf(r.norm(v.To+3)).Name == "partner":
			return end("partner", v.To-1, v.To+2)
		}
	case lang.Third, lang.Person, lang.It, lang.Thing:
		// "they let me go", "Brightwell fired me"
		if v.Tense != lang.Past && !v.Perfect || r.norm(v.To) != "me" {
			break
		}
		n := r.norm(v.To + 1)
		if v.Negated {
			return false
		}
		if v.Lemma == "let" && n == "go" || v.Lemma == "fire" || v.Lemma == "sack" || v.Lemma == "dismiss" || v.Lemma == "lay" && n == "off" || v.Lemma == "make" && n == "redundant" {
			return end("employer", v.To-1, v.To+1)
		}
		if from, to := r.follows(c, "parted"); from < to && c.Subject.Who == lang.Third {
			return false // they parted, not the speaker
		}
	}
	return r.died(c)
}

// workEnded finds the words of a clause that say that the speaker's work ended, and
// not that of a thing: "I retired my old laptop", "I retired to bed".
func (r *line) workEnded(c *lang.Clause) (from, to int) {
	from, to = r.follows(c, "work ended")
	if from >= to {
		return 0, 0
	}
	if to >= c.To || !r.s.Tokens[to].Word || r.s.Lang.At("tails", r.s.Tokens[:c.To], to) > 0 || r.w.Word("after ending", r.norm(to)) {
		return from, to
	}
	if _, ok := r.dateAt(to); ok {
		return from, to
	}
	return 0, 0
}

// follows finds a phrase of a list that begins in the verb group of a clause. A
// denial does not count unless the phrase has it.
func (r *line) follows(c *lang.Clause, list string) (from, to int) {
	for j := c.Verb.From; j < c.Verb.To && j < c.To; j++ {
		n := r.w.At(list, r.s.Tokens[:c.To], j)
		if n == 0 {
			continue
		}
		if c.Verb.Negated && !strings.Contains(r.text(j, j+n), "not") && !strings.Contains(r.text(j, j+n), "n't") && !strings.Contains(r.text(j, j+n), "no longer") {
			return 0, 0
		}
		return j, j + n
	}
	return 0, 0
}

// died reads "my dog Biscuit died" and "Biscuit passed away".
func (r *line) died(c *lang.Clause) bool {
	v := c.Verb
	if !r.w.Word("died", v.Lemma) || v.Lemma == "pass" && r.norm(v.To) != "away" || v.Negated || v.Tense != lang.Past && !v.Perfect {
		return false
	}
	name := ""
	for j := c.Subject.From; j < c.Subject.To; j++ {
		if r.s.Tokens[j].Cap && !r.s.Lang.Word("my", r.norm(j)) {
			name = r.text(j, j+1)
		}
	}
	if name == "" {
		return false
	}
	attr, value, ok := r.heldValue(name)
	ok = ok && (sleep.AttributeOf(attr).Person || last(attr) == "name") // a tool that died is mended
	if ok {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: value, Ended: true})
	}
	return ok
}

// endsAs returns the attribute under which the speaker has what ends, by its name or
// the name before what it is: "my FitLab membership"; and where the name ends.
func (r *line) endsAs(from, to int) (attr string, end int) {
	cut := to
	for j := from + 1; j < cut; j++ {
		if r.norm(j) == "," || r.norm(j) == "and" {
			cut = j
		}
	}
	for t := cut; t > from && t >= cut-1; t-- {
		if t < cut && (!r.w.Word("memberships", r.norm(t)) || !r.s.Tokens[t-1].Cap) {
			break
		}
		if attr, ok := r.heldAs(from, t); ok {
			return attr, t
		}
	}
	return "", to
}

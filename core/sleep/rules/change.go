package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// changed reads that a thing of the speaker's has another value now: "my number
// changed to …", "the gate code has been changed from … to …".
func (r *line) changed(c *lang.Clause) bool {
	v := c.Verb
	if !r.w.Word("changes", v.Lemma) || v.Negated || v.Can || v.Tense == lang.Future || v.Prog || !(v.Tense == lang.Past || v.Perfect || v.Passive) {
		return false
	}
	switch c.Subject.Who {
	case lang.Mine:
	case lang.Thing:
		if w := r.norm(c.Subject.From); w != "the" && w != "our" && !r.holds(r.s.Slice(c.Subject.From, c.Subject.To)) || !r.l.Own {
			return false
		}
	case lang.Person:
		if !c.Subject.Unsure || !r.l.Own || !r.holds(r.s.Slice(c.Subject.From, c.Subject.To)) {
			return false // "Standup" at the beginning of a line looks like a name
		}
		c.Subject.Noun = r.s.Slice(c.Subject.From, c.Subject.To)
	default:
		return false
	}
	switch r.norm(v.To) {
	case "to", "from", "up", "down", "into", "by", "back", "forward":
	default:
		return false // "the colours brought a smile to …"
	}
	noun, ok := r.noun(c.Subject.Noun)
	if !ok {
		return false
	}
	return r.newValue(c, noun, v.To)
}

// holds reports whether the speaker has a state under a noun, or its time.
func (r *line) holds(noun string) bool {
	return r.heldUnder(strings.ToLower(noun)) != "" || r.heldUnder(r.timed(strings.ToLower(noun))) != ""
}

// newValue takes what follows "to" in a clause for the new value of a noun.
func (r *line) newValue(c *lang.Clause, noun string, after int) bool {
	at := -1
	for j := after; j+1 < c.To; j++ {
		if w := r.norm(j); w == "to" || w == "into" {
			at = j + 1
		}
	}
	if at < 0 {
		return false
	}
	from, to := r.trim(capture{"value", at, c.To})
	if h := at; from < to && r.hour(h, to) {
		from = h
	}
	if from >= to || r.s.Lang.Word("my", r.norm(from)) || !r.usable(from, to, "value") || r.s.Lang.VerbBase(r.norm(from)) && !r.s.Tokens[from].Cap && r.heldUnder(noun) == "" {
		return false
	}
	attr := r.heldUnder(noun)
	for _, other := range []string{" time", " location", " number", " name", " colour", " starts", " provider"} {
		if attr == "" {
			attr = r.heldUnder(noun + other)
		}
	}
	if attr == "" {
		attr = noun
		if r.hour(from, to) {
			attr = r.timed(noun)
		} else if c.Verb.Lemma == "move" || c.Verb.Lemma == "go" && !lang.HasDigit(r.text(from, to)) {
			return false // "my brother's party moved to the park"
		}
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(from, to)})
	return true
}

// change reads "I changed my number to …", "they raised my rent to …", "I switched
// banks from … to …", "we replaced MySQL with Postgres".
func (r *line) change(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || v.Negated || v.Can || v.Modal || v.Passive || v.Prog || v.Tense != lang.Past && !v.Perfect {
		return false
	}
	switch c.Subject.Who {
	case lang.First:
	case lang.Third, lang.Person, lang.It, lang.Thing, lang.Nobody:
		if !r.s.Lang.Word("my", r.norm(v.To)) {
			return false
		}
	default:
		return false
	}
	if !r.w.Word("changes", v.Lemma) {
		return false
	}
	if r.s.Lang.Word("my", r.norm(v.To)) {
		for j := v.To + 1; j < c.To; j++ {
			if w := r.norm(j); w == "from" || w == "to" || w == "up" || w == "down" {
				if noun, ok := r.noun(r.text(v.To+1, j)); ok && j > v.To+1 {
					return r.newValue(c, noun, j)
				}
				return false
			}
		}
		return false
	}
	if v.Lemma != "change" && v.Lemma != "switch" && v.Lemma != "swap" {
		return false
	}
	// "I switched banks to …": the noun in the plural.
	noun := strings.TrimSuffix(r.norm(v.To), "s")
	if noun != r.norm(v.To) && r.heldUnder(noun) != "" && (r.norm(v.To+1) == "to" || r.norm(v.To+1) == "from") {
		return r.newValue(c, noun, v.To+1)
	}
	if j := v.To + 1; noun != r.norm(v.To) && c.Subject.Who == lang.First && (j >= c.To || !r.s.Tokens[j].Word || r.w.Word("after ending", r.norm(j)) || r.s.Lang.At("tails", r.s.Tokens[:c.To], j) > 0) {
		return r.renewed(noun, v.To-1, v.To+1)
	}
	return false
}

// renewed notes that the speaker has a new one of something, whose name may follow, and
// ends the old one: "I changed dentists", "I have a new dentist".
func (r *line) renewed(noun string, from, to int) bool {
	a := sleep.AttributeOf(noun)
	if !a.Known || a.Many {
		return false
	}
	r.topic = noun
	h := r.heldUnder(noun)
	if h != "" {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: h, Ended: true, Words: r.text(from, to)})
	}
	return h != ""
}

// theOne is the noun that "my new one" stands for.
func (r *line) theOne(noun string) string {
	if strings.EqualFold(noun, "one") || strings.EqualFold(noun, "new one") {
		return r.topic
	}
	return noun
}

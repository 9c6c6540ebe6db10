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
	noun = strings.ToLower(noun)
	return r.heldNear(noun) != "" || r.heldUnder(r.timed(noun)) != ""
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
	attr := r.heldNear(noun)
	if from >= to || r.s.Lang.Word("my", r.norm(from)) || !r.usable(from, to, "value") || r.s.Lang.VerbBase(r.norm(from)) && !r.s.Tokens[from].Cap && attr == "" {
		return false
	}
	for _, other := range []string{" time", " location", " number", " name", " colour", " starts", " provider"} {
		if attr == "" {
			attr = r.heldUnder(noun + other)
		}
	}
	if attr == "" {
		attr = noun
		if r.hour(from, to) && !r.w.Word("technical nouns", last(noun)) && !r.w.Word("codes", last(noun)) && !r.w.Word("measures", last(noun)) {
			attr = r.timed(noun)
		} else if c.Verb.Lemma == "move" || c.Verb.Lemma == "go" && !lang.HasDigit(r.text(from, to)) {
			return false // "my brother's party moved to the park"
		}
	}
	if sleep.AttributeOf(attr).Many {
		return false
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
	if c.Subject.Who == lang.First && r.naming(c) {
		return true
	}
	if !r.w.Word("changes", v.Lemma) {
		return false
	}
	if w := r.norm(v.To); r.s.Lang.Word("my", w) || w == "the" || c.Subject.Who == lang.First {
		if done, ok := r.objectChanged(c); ok {
			return done
		}
	}
	if c.Subject.Who != lang.First {
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

// objectChanged reads "my number to …", "the request timeout from 30 s to 45 s" behind
// the verb. What is not "my" must be known, or be what a project has one of. It is not
// ok when nothing of the kind stands there.
func (r *line) objectChanged(c *lang.Clause) (done, ok bool) {
	from := c.Verb.To
	my := r.s.Lang.Word("my", r.norm(from))
	if my || r.norm(from) == "the" {
		from++
	}
	for j := from; j < c.To; j++ {
		switch r.norm(j) {
		case "from", "to", "up", "down", "into":
		default:
			continue
		}
		if w := r.norm(from); j == from || w == "over" || w == "back" || w == "away" || w == "across" || w == "all" {
			return false, false // "we moved over to …"
		}
		noun, is := r.noun(r.text(from, j))
		if !is {
			return false, my
		}
		named := r.s.Lang.Word("my", r.norm(c.Verb.To)) && r.norm(c.Verb.To) == "my"
		if !named && !r.holds(noun) {
			if attr, held := r.oldValue(j, c.To); held {
				return r.newValue(c, attr, j), true
			}
			if !my && (!r.one(j) || c.Subject.Who != lang.First) {
				return false, false
			}
		}
		return r.newValue(c, noun, j), true
	}
	return false, my
}

// naming reads "we named our cat Biscuit" and "we renamed the cat Fig".
func (r *line) naming(c *lang.Clause) bool {
	i := c.Verb.To
	switch c.Verb.Lemma {
	case "name", "rename", "call":
	default:
		return false
	}
	if w := r.norm(i); !r.s.Lang.Word("my", w) && w != "the" {
		return false
	}
	n := r.w.At("pets", r.s.Tokens[:c.To], i+1)
	j := i + 1 + n
	if n == 0 || r.norm(i) == "the" && c.Verb.Lemma == "call" {
		return false
	}
	if r.norm(j) == "to" || r.norm(j) == "as" {
		j++
	}
	from, to := r.trim(capture{"name", j, c.To})
	if from != j || from >= to || !r.s.Tokens[from].Cap && !r.flat() {
		return false
	}
	attr := r.text(i+1, i+1+n) + " name"
	old := r.only(attr)
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(from, to)})
	if old != "" && c.Verb.Lemma == "rename" {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: old, Ended: true, Words: r.text(c.Verb.To-1, c.Verb.To)})
	}
	return true
}

// oldValue returns the attribute of what stands behind "from", if the speaker has it.
func (r *line) oldValue(i, to int) (string, bool) {
	if r.norm(i) != "from" {
		return "", false
	}
	for j := i + 1; j < to; j++ {
		if r.norm(j) == "to" {
			f, t := r.trim(capture{"value", i + 1, j})
			if f < t {
				return r.heldAs(f, t)
			}
		}
	}
	return "", false
}

// one reports whether the noun that ends before a token names what a project or a
// person has one of.
func (r *line) one(to int) bool {
	return r.w.At("technical nouns", r.s.Tokens[:to], to-1) > 0 || r.w.Word("codes", r.norm(to-1)) || r.w.Word("measures", r.norm(to-1))
}

// renewed notes that the speaker has a new one of something, whose name may follow, and
// ends the old one: "I changed dentists", "I have a new dentist".
func (r *line) renewed(noun string, from, to int) bool {
	a := sleep.AttributeOf(noun)
	if !a.Known && !r.w.Word("roles", noun) || a.Many {
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

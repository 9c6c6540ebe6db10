package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// family reads "I have a dog named Rex", "I have two kids", "I have a sister called
// Noemi": each with its name, or else as it is.
func (r *line) family(c *lang.Clause) bool {
	switch v := c.Verb; {
	case v.Lemma == "have" && v.Tense == lang.Present && !v.Perfect:
	case v.Lemma == "get" && v.Tense == lang.Past && !v.Negated && c.Subject.Who == lang.First: // "I got a new landlord, Mr. Aldous"
	default:
		return false
	}
	subject := r.subject(c)
	if subject == "" {
		return false
	}
	if named := r.roster(c); len(named) > 0 {
		for _, p := range named {
			p.Subject = subject
			r.add(p)
		}
		return true
	}
	if i := r.counted(c.Verb.To, c.To); r.word(c.Verb.To, i, "new") && r.w.Word("roles", r.norm(i)) && c.Subject.Who == lang.First {
		return r.renewed(r.norm(i), c.Verb.To, i+1)
	}
	if c.Verb.Lemma != "have" {
		return false
	}
	to := r.stop(capture{"list", c.Verb.To, c.To}, c.Verb.To, c.To)
	var out []sleep.Proposal
	for _, q := range r.split(c.Verb.To, to) {
		p, ok := r.member(q[0], q[1])
		if !ok {
			return false
		}
		p.Subject = subject
		out = append(out, p)
	}
	for _, p := range out {
		r.add(p)
	}
	return len(out) > 0
}

// roster reads those that are named behind what they are: "two cats, Pixel and Dot",
// "a sister, Runa", "a new manager called Rolf".
func (r *line) roster(c *lang.Clause) []sleep.Proposal {
	i := r.counted(c.Verb.To, c.To)
	n := max(r.w.At("pets", r.s.Tokens[:c.To], i), r.s.Lang.At("kin", r.s.Tokens[:c.To], i), plural(r, i))
	attr := r.kind(i, c.To)
	if n == 0 {
		return nil
	}
	noun := strings.ToLower(r.text(i, i+n))
	switch {
	case attr == "pet" && plural(r, i) > 0:
		noun = "pet name"
	case attr == "pet":
		noun += " name"
	case attr == "" && !r.w.Word("roles", noun):
		return nil
	}
	j, to := i+n, c.To
	switch r.norm(j) {
	case ":":
		to = len(r.s.Tokens)
	case ",", "named", "called":
	default:
		return nil
	}
	var out []sleep.Proposal
	for _, q := range r.split(j+1, to) {
		f, t := r.trim(capture{"name", q[0], q[1]})
		if f >= t || !r.proper(f, t) || t < q[1] && r.s.Tokens[t].Word {
			return nil
		}
		out = append(out, sleep.Proposal{Attribute: noun, Value: r.text(f, t)})
	}
	if len(out) > 1 && !sleep.AttributeOf(noun).Many {
		return nil
	}
	return out
}

// proper reports whether tokens are a name: capital letters, but for "van" and its like.
func (r *line) proper(from, to int) bool {
	for k := from; k < to; k++ {
		t := r.s.Tokens[k]
		if t.Word && !t.Cap && (k == from || !r.s.Lang.Word("name joints", t.Norm)) || r.s.Lang.Word("first", t.Norm) || r.s.Lang.Word("no names", t.Norm) {
			return false
		}
	}
	return from < to && r.s.Tokens[from].Cap
}

// counted goes over what may stand before a member: "two", "a new black".
func (r *line) counted(i, to int) int {
	for end := min(i+4, to); i < end; i++ {
		switch w := r.norm(i); {
		case r.kind(i, to) != "" || r.w.Word("roles", w):
			return i
		case w == "a" || w == "an" || w == "one" || w == "new" || lang.HasDigit(lang.Stem(w)):
		case r.s.Lang.Word("kin adjectives", w) || r.w.Word("colours", w) || r.s.Lang.Word("adverbs", w) || w == "pet" || w == "black" || w == "young" || w == "rescue":
		default:
			return i
		}
	}
	return i
}

// member reads one of those: "a dog named Rex".
func (r *line) member(from, to int) (sleep.Proposal, bool) {
	for to > from && (!r.s.Tokens[to-1].Word || r.s.Lang.At("tails", r.s.Tokens[:to], to-1) == 1) {
		to--
	}
	i := r.counted(from, to)
	attr := r.kind(i, to)
	if i >= to || attr == "" {
		return sleep.Proposal{}, false
	}
	n := max(r.w.At("pets", r.s.Tokens[:to], i), r.s.Lang.At("kin", r.s.Tokens[:to], i), plural(r, i))
	noun := strings.ToLower(r.text(i, i+n))
	j := i + n
	for r.norm(j) == "," || r.norm(j) == "named" || r.norm(j) == "called" || r.norm(j) == "whose" || r.norm(j) == "name" {
		j++
	}
	if j < to && r.s.Tokens[j].Cap {
		f, t := r.trim(capture{"name", j, to})
		if attr == "pet" {
			noun += " name"
		}
		return sleep.Proposal{Attribute: noun, Value: r.text(f, t)}, true
	}
	if j < to {
		return sleep.Proposal{}, false
	}
	f, t := r.trim(capture{"list", from, to})
	return sleep.Proposal{Attribute: attr, Value: r.text(f, t)}, true
}

// kind says what sort of member begins at i.
func (r *line) kind(i, to int) string {
	if r.w.At("pets", r.s.Tokens[:to], i) > 0 || plural(r, i) > 0 {
		return "pet"
	}
	if r.s.Lang.At("kin", r.s.Tokens[:to], i) == 0 {
		return ""
	}
	switch w := strings.TrimSuffix(r.norm(i), "s"); w {
	case "son", "daughter", "kid", "child", "children", "baby", "toddler", "stepson", "stepdaughter":
		return "child"
	case "brother", "sister", "sibling", "twin", "half-sister", "half-brother", "stepbrother", "stepsister":
		return "sibling"
	case "friend", "mate", "buddy", "client", "customer", "guest", "student", "neighbour", "neighbor", "colleague":
		return ""
	case "grandson", "granddaughter", "grandchild", "grandchildren":
		return "grandchild"
	case "wife", "husband", "partner", "girlfriend", "boyfriend", "fiance", "fiancee":
		return "partner"
	}
	return ""
}

// plural reports whether the word at i is the plural of a pet.
func plural(r *line, i int) int {
	w := r.norm(i)
	for _, s := range []string{"s", "es"} {
		if base, ok := strings.CutSuffix(w, s); ok && r.w.Word("pets", base) {
			return 1
		}
	}
	if base, ok := strings.CutSuffix(w, "ies"); ok && r.w.Word("pets", base+"y") {
		return 1
	}
	return 0
}

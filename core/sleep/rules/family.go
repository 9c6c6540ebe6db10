package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// family reads "I have a dog named Rex", "I have two kids", "I have a sister called
// Noemi": each with its name, or else as it is.
func (r *line) family(c *lang.Clause) bool {
	if c.Verb.Lemma != "have" || c.Verb.Tense != lang.Present || c.Verb.Perfect {
		return false
	}
	subject := r.subject(c)
	if subject == "" {
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

// member reads one of those: "a dog named Rex".
func (r *line) member(from, to int) (sleep.Proposal, bool) {
	for to > from && (!r.s.Tokens[to-1].Word || r.s.Lang.At("tails", r.s.Tokens[:to], to-1) == 1) {
		to--
	}
	i := from
	for i < to && i < from+4 && r.kind(i, to) == "" {
		switch w := r.norm(i); {
		case w == "a" || w == "an" || w == "one" || lang.HasDigit(lang.Stem(w)):
		case r.s.Lang.Word("kin adjectives", w) || r.w.Word("colours", w) || r.s.Lang.Word("adverbs", w) || w == "pet" || w == "black" || w == "young" || w == "rescue":
		default:
			return sleep.Proposal{}, false
		}
		i++
	}
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

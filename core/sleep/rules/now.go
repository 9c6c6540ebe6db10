package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// isNow reports whether a clause says that something is so now, and with it that it was
// not before.
func (r *line) isNow(c *lang.Clause) bool {
	return r.word(c.Verb.From, c.To, "now")
}

// onNow reads "we're on Node 22 now" and "I'm down to 78 kg": a number of what the
// speaker has with another one.
func (r *line) onNow(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || c.Subject.Who != lang.First || v.Lemma != "be" || v.Tense != lang.Present || v.Negated || v.Modal || v.Perfect {
		return false
	}
	from := v.To
	for r.norm(from) == "now" || r.norm(from) == "all" {
		from++
	}
	switch w := r.norm(from); {
	case w == "on" && r.isNow(c):
		from++
	case (w == "down" || w == "up") && r.norm(from+1) == "to":
		from += 2
	default:
		return false
	}
	f, t := r.trim(capture{"value", from, c.To})
	if f >= t || t-f > 4 || !lang.HasDigit(r.text(f, t)) || !r.usable(f, t, "value") {
		return false
	}
	attr, ok := r.heldAs(f, t)
	if ok {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(f, t)})
	}
	return ok
}

// newOne reads "the old one was 12, the new one is 31" where the speaker has the old one.
func (r *line) newOne(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || v.Lemma != "be" || v.Tense != lang.Present || v.Negated || !r.ones(c, "new") {
		return false
	}
	for i := range r.s.Clauses {
		o := &r.s.Clauses[i]
		if o.From == c.From || o.Verb.Lemma != "be" || o.Verb.Tense != lang.Past || o.Verb.Negated || !r.ones(o, "old") {
			continue
		}
		f, t := r.trim(capture{"value", o.Verb.To, o.To})
		if f >= t {
			continue
		}
		if attr, old, ok := r.heldValue(r.text(f, t)); ok {
			f, t = r.trim(capture{"value", v.To, c.To})
			return f < t && t-f <= 6 && r.tookPlace(attr, old, f, t)
		}
	}
	return false
}

// ones reports whether the subject of a clause is "the old one", with which word for "old".
func (r *line) ones(c *lang.Clause, which string) bool {
	i := c.Subject.From
	if r.norm(i) == "the" || r.s.Lang.Word("my", r.norm(i)) {
		i++
	}
	return r.norm(i) == which && (r.norm(i+1) == "one" || i+1 == c.Subject.To)
}

// newly reads "New email: …" where the speaker has one.
func (r *line) newly(noun string, from int) bool {
	attr := r.heldNear(noun)
	if strings.EqualFold(noun, "number") {
		attr = r.heldUnder("phone number")
	}
	f, t := r.trim(capture{"value", from, r.lineEnd()})
	if attr == "" || sleep.AttributeOf(attr).Many || f >= t || t-f > 8 || !r.usable(f, t, "value") || !r.s.Tokens[f].Cap && !lang.HasDigit(r.text(f, t)) {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(f, t)})
	return true
}

// insisted reports whether the next line is "Ever." and no more: "No puns. Ever."
func (r *line) insisted() bool {
	for i, l := range r.req.Lines {
		if l != r.l || i+1 >= len(r.req.Lines) || r.req.Lines[i+1].Episode != l.Episode {
			continue
		}
		return strings.EqualFold(strings.Trim(r.req.Lines[i+1].Text, " .!"), "ever")
	}
	return false
}

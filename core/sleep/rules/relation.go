package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// relation reads "my sister is Noemi" and "Ravindra's manager is Leena".
func (r *line) relation(c *lang.Clause, named bool) bool {
	sub := &c.Subject
	if sub.Kin == "" || sub.Proper != "" {
		return false
	}
	from, to := r.trim(capture{"name", c.Verb.To, c.To})
	if sub.Plural {
		from, to = r.trim(capture{"list", c.Verb.To, c.To})
	}
	if from >= to || !r.nameLike(from, to) && !named {
		return false
	}
	subject := core.SubjectUser
	if sub.Owner != nil {
		subject = r.who(sub.Owner)
	} else if !sub.Mine {
		return false
	}
	kin := sub.Kin
	for _, q := range r.split(from, to) {
		f, t := r.trim(capture{"name", q[0], q[1]})
		if f < t && r.usable(f, t, "name") {
			r.add(sleep.Proposal{Subject: subject, Attribute: kin, Value: r.text(f, t)})
		}
	}
	return true
}

// nameLike reports whether a phrase is a proper name.
func (r *line) nameLike(from, to int) bool {
	t := r.s.Tokens[from]
	if r.small() {
		return to-from <= 2 && r.norm(from-1) != "a" && r.norm(from-1) != "an" && r.norm(from-1) != "the" && r.w.At("no values", r.s.Tokens[:to], from) == 0 && !r.s.Lang.Word("common", t.Norm) && r.w.At("nationalities", r.s.Tokens[:to], from) == 0 &&
			r.w.At("diets", r.s.Tokens[:to], from) == 0 && r.w.At("marital", r.s.Tokens[:to], from) == 0 && r.w.At("ailments", r.s.Tokens[:to], from) == 0 && !strings.HasSuffix(t.Norm, "ing")
	}
	return t.Cap && r.norm(from-1) != "a" && r.norm(from-1) != "an" && !r.s.Lang.Word("no names", t.Norm) && r.w.At("nationalities", r.s.Tokens[:to], from) == 0
}

// mine reads "Helix is my favourite editor" and "Tom is my brother".
func (r *line) mine(c *lang.Clause) bool {
	sub := &c.Subject
	i := c.Verb.To
	if !r.s.Lang.Word("my", r.norm(i)) || sub.To <= sub.From {
		return false
	}
	if _, dated := r.dateAt(sub.From); dated {
		return false // "tomorrow is my day off"
	}
	from, to := r.trim(capture{"place", i + 1, c.To})
	noun, ok := r.noun(r.text(from, to))
	if !ok {
		return false
	}
	value := sub.Name
	if sub.Who == lang.Thing {
		value = r.text(sub.From, sub.To)
		if w := r.norm(sub.From); w == "the" || w == "a" || w == "an" {
			value = r.text(sub.From+1, sub.To)
		}
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: noun, Value: value})
	return true
}

// theirs reads "Leena is Ravindra's manager".
func (r *line) theirs(c *lang.Clause) bool {
	if c.Subject.To <= c.Subject.From {
		return false
	}
	for _, p := range r.s.Persons() {
		if p.From == c.Verb.To && p.Kin != "" && p.Proper == "" && p.Owner != nil && p.Owner.Who == lang.Person && p.To <= c.To {
			r.add(sleep.Proposal{Subject: p.Owner.Name, Attribute: p.Kin, Value: c.Subject.Name})
			return true
		}
	}
	return false
}

// denied reports whether what follows a clause takes it back: "…, but please don't".
func (r *line) denied(c *lang.Clause) bool {
	for j := c.To; j < len(r.s.Tokens); j++ {
		if w := r.norm(j); w == "not" || w == "never" || w == "hate" || w == "wrong" {
			return true
		}
	}
	return false
}

// owned reads "Wanda's office is in Graz" and "my sister's name is Noemi".
func (r *line) owned(c *lang.Clause, named bool) bool {
	o := c.Subject.Owner
	if o == nil {
		return false
	}
	if strings.EqualFold(c.Subject.Noun, "name") && o.Who == lang.Person && o.Mine && o.Proper == "" {
		from, to := r.trim(capture{"name", c.Verb.To, c.To})
		if from < to {
			r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: o.Kin, Value: r.text(from, to)})
			return true
		}
	}
	subject := r.who(o)
	if o.Who == lang.Thing {
		subject = o.Noun
	}
	if subject == "" {
		return false
	}
	return r.thing(c, subject, c.Subject.Noun, named)
}

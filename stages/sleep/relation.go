package sleep

import (
	"strings"

	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// direct checks that the clause has the relation the way round the item has it,
// once its subject p was found in the clause's subject.
func (h *holder) direct(s *lang.Sentence, c *lang.Clause, m lang.Match, p lang.Subject) (*sl.Mention, sl.Reason, string) {
	it, sub := h.it, c.Subject
	mention := sl.MentionOf(p)
	if it.Event {
		return mention, "", ""
	}
	// "Leena is Ravindra's manager": Ravindra is whose manager it is.
	if c.Verb.Lemma == "be" && m.From >= c.Verb.To && m.To < len(s.Tokens) && s.Tokens[m.To].Norm == "'s" && h.names(s, m.To+1, c.To) {
		return nil, sl.ReasonInverted, "the line has it the other way round"
	}
	// "Leena is the manager of Ravindra".
	if c.Verb.Lemma == "be" && m.From > c.Verb.To && s.Tokens[m.From-1].Norm == "of" && h.names(s, c.Verb.To, m.From) {
		return nil, sl.ReasonInverted, "the line has it the other way round"
	}
	// "Leena manages Ravindra": the manager is Leena.
	if m.From >= c.Verb.To && !c.Verb.Passive && doer(it.Attribute, c.Verb.Lemma) {
		return nil, sl.ReasonInverted, "the line has it the other way round"
	}
	if p.Owner == nil && sub.Owner == nil && sub.Who == lang.Person && m.From >= sub.From && m.To <= sub.To && !h.kinAttribute(sub.Kin) && !nameAttribute(it.Attribute) {
		return nil, sl.ReasonInverted, "the value is who the line speaks of"
	}
	// A value inside the subject is its name or relation, not something it has.
	if m.From < c.Verb.From && sub.Who == lang.Person && m.From >= sub.From && sub.To > sub.From && sub.Owner != nil && p.Owner != nil {
		return nil, sl.ReasonInverted, "the line has it the other way round"
	}
	if p.Owner == nil && sub.Owner != nil && m.From >= c.Verb.To && !h.names(s, sub.From, sub.To) && sub.Who == lang.Person {
		return nil, sl.ReasonHolder, "the line is about " + sub.Name // "Ravindra's manager lives in Rome" is not about Ravindra
	}
	return mention, "", ""
}

// nameAttribute reports whether an attribute is what somebody is called or is to
// another.
func nameAttribute(attribute string) bool {
	switch sl.AttributeOf(attribute).Name {
	case "name", "nickname", "surname", "relation", "relationship", "role", "occupation":
		return true
	}
	return false
}

// names reports whether tokens from to to name the attribute.
func (h *holder) names(s *lang.Sentence, from, to int) bool {
	key := sl.AttributeOf(strings.TrimSuffix(strings.TrimSuffix(h.it.Attribute, " of"), "_of"))
	if strings.HasSuffix(h.it.Attribute, " of") || strings.HasSuffix(h.it.Attribute, "_of") {
		return false
	}
	for i := from; i < to && i < len(s.Tokens); i++ {
		if !s.Tokens[i].Word {
			continue
		}
		for n := 1; n <= 3 && i+n <= to; n++ {
			if sl.AttributeOf(s.Slice(i, i+n)).Key == key.Key {
				return true
			}
		}
	}
	return false
}

// beside accepts a name that is not the subject of the clause where the line ties
// the value to it: "Wanda's office is …" as an object, "Wanda, a nurse", "my
// sister Noemi", "Leena is Ravindra's manager", "Leena manages Ravindra".
func (h *holder) beside(s *lang.Sentence, c *lang.Clause, m lang.Match, name string) (*sl.Mention, bool) {
	it := h.it
	if it.Event {
		return nil, false
	}
	for _, p := range s.Persons() {
		if p.From < c.From || p.To > c.To {
			continue
		}
		q := p
		for q.Owner != nil && q.Owner.Who == lang.Person {
			q = *q.Owner
		}
		mention := sl.MentionOf(p)
		owned := p.Owner != nil && p.Owner.Who == lang.Person && sameNames(name, q.Name)
		switch {
		case owned && m.To <= c.Verb.From && h.kin(p.Kin) && c.Verb.Lemma == "be":
			return sl.MentionOf(q), true // "Leena is Ravindra's manager"
		case owned && m.From >= p.From && m.To <= p.To && h.kin(p.Kin):
			return sl.MentionOf(q), true // "I met Ravindra's manager Leena"
		case !sameNames(name, p.Name):
			continue
		case mutual[sl.AttributeOf(it.Attribute).Name] && !oneWay[strings.ToLower(it.Attribute)] && p.From >= c.Verb.To && m.To <= c.Verb.From && c.Subject.Who == lang.Person:
			return mention, true // "Leena is married to Tom"
		case c.Verb.Lemma == "be" && m.To <= c.Verb.From && p.From > c.Verb.To && s.Tokens[p.From-1].Norm == "of" && h.names(s, c.Verb.To, p.From-1):
			return mention, true // "Leena is the manager of Ravindra"
		case p.Kin != "" && m.From >= p.From && m.To <= p.To:
			return mention, true // "my sister Noemi": a sister
		case s.After(p.To, ",") && m.From > p.To && m.From <= p.To+3 && c.Verb.Lemma != "" && m.From > c.Verb.To:
			return mention, true // "I met Wanda, a nurse"
		case p.To < len(s.Tokens) && s.Tokens[p.To].Norm == "'s" && m.From > p.To && m.From <= p.To+6 && h.names(s, p.To+1, m.From):
			return mention, true // "Wanda's office is …"
		case p.From >= c.Verb.To && m.To <= c.Verb.From && doer(it.Attribute, c.Verb.Lemma):
			return mention, true // "Leena manages Ravindra"
		}
	}
	return nil, false
}

// mutual are relations that hold both ways.
var mutual = map[string]bool{"partner": true, "sibling": true, "friend": true, "colleague": true, "neighbour": true, "cousin": true, "flatmate": true}

// oneWay are names of mutual relations that fit one side only.
var oneWay = map[string]bool{"wife": true, "husband": true, "girlfriend": true, "boyfriend": true, "sister": true, "brother": true}

func (h *holder) kin(kin string) bool { return h.kinAttribute(kin) }

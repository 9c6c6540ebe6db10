package sleep

import (
	"slices"
	"strings"

	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
	"github.com/orma-memory/orma/core/text"
)

// pronoun resolves an item about "she".
func (h *holder) pronoun(l *sl.Line, s *lang.Sentence, c *lang.Clause) (*sl.Mention, sl.Reason, string) {
	want := strings.ToLower(h.it.Subject)
	sub := c.Subject
	switch {
	case sub.Who == lang.Third && s.SamePronoun(want, sub):
	case sub.Owner != nil && sub.Owner.Who == lang.Third && s.SamePronoun(want, *sub.Owner):
		sub = *sub.Owner
	default:
		return nil, sl.ReasonUnresolved, "the clause has no such pronoun"
	}
	m, ok := h.b.Referent(l, sub.From, sub)
	if ok && m.Proper != "" && sl.AttributeOf(h.it.Attribute).Name == "name" {
		return nil, sl.ReasonUnresolved, "who was named last has a name" // "You have a cat? Her name is …"
	}
	if ok {
		return m, "", ""
	}
	return nil, sl.ReasonUnresolved, "nobody was named before"
}

// named checks an item about somebody or something with a name.
func (h *holder) named(l *sl.Line, s *lang.Sentence, c *lang.Clause, m lang.Match) (*sl.Mention, sl.Reason, string) {
	it, sub := h.it, c.Subject
	name := it.Subject
	for _, p := range []string{"the user's ", "user's ", "my "} {
		name = strings.TrimPrefix(name, p)
	}
	if s.Lang == nil {
		if strings.Contains(text.Fold(l.Text), text.Fold(name)) {
			return &sl.Mention{Name: name}, "", ""
		}
		return nil, sl.ReasonUnresolved, "the line does not name it"
	}
	if sub.Who == lang.Third || sub.Owner != nil && sub.Owner.Who == lang.Third {
		p := sub
		if sub.Owner != nil {
			p = *sub.Owner
		}
		if r, ok := h.b.Referent(l, p.From, p); ok && h.means(name, r) {
			return r, "", ""
		}
		if sub.Who == lang.Third {
			return nil, sl.ReasonUnresolved, "the line speaks of somebody else"
		}
	}
	if thing, ok := h.b.LastThing(l, c); ok && sameNames(name, thing) {
		return &sl.Mention{Name: thing}, "", ""
	}
	if p, ok := h.holds(s, sub, name); ok {
		return h.direct(s, c, m, p)
	}
	if p, ok := h.beside(s, c, m, name); ok {
		return p, "", ""
	}
	words, _ := h.b.Env.Languages.Content(name)
	places, _ := s.Locate(words)
	if len(places) == 0 {
		return nil, sl.ReasonUnresolved, "the line does not name it"
	}
	switch sub.Who {
	case lang.Thing, lang.It, lang.Nobody, lang.Mine:
		if h.thing(s, places, name) && ahead(s, places[0], m) && !overlaps(places[0], m) && s.ClauseOf(places[0].From) == s.ClauseOf(m.From) {
			return &sl.Mention{Name: name}, "", ""
		}
	}
	if sub.Who == lang.First || sub.Who == lang.Person {
		return nil, sl.ReasonInverted, "the line is not about " + name
	}
	return nil, sl.ReasonHolder, "the line is not about " + name
}

// ahead reports whether the line speaks of a thing before it says the value, or
// says what the value is for.
func ahead(s *lang.Sentence, thing, value lang.Match) bool {
	if thing.From < value.From || thing.From == 0 {
		return true
	}
	switch s.Tokens[thing.From-1].Norm {
	case "by":
		c := s.ClauseOf(thing.From)
		return c >= 0 && s.Clauses[c].Verb.Passive // "was installed by Halvard Reefs"
	case "for", "of", "in", "on", "at", "the", "our", "my":
		return s.Tokens[thing.From-1].Norm != "the" || thing.From > 1 && s.Tokens[thing.From-2].Norm != "to" && s.Tokens[thing.From-2].Norm != "from"
	}
	return false
}

// thing reports whether a name is not that of a person.
func (h *holder) thing(s *lang.Sentence, places []lang.Match, name string) bool {
	for _, p := range s.Persons() {
		if overlaps(lang.Match{From: p.From, To: p.To}, places[0]) && (p.Kin != "" || p.Gender != 0) {
			return false
		}
	}
	return name != ""
}

func overlaps(a, b lang.Match) bool { return a.From < b.To && b.From < a.To }

// means reports whether a name can be that of a mention.
func (h *holder) means(name string, m *sl.Mention) bool {
	if sameNames(name, m.Name) || m.Proper != "" && sameNames(name, m.Proper) || m.Kin != "" && strings.EqualFold(name, m.Kin) {
		return true
	}
	return false
}

// sameNames reports whether one name is the other or a part of it.
func sameNames(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return false
	}
	for _, w := range x {
		if !slices.Contains(y, w) {
			return false
		}
	}
	return true
}

func nameWords(s string) []string {
	var out []string
	for _, t := range lang.Tokens(s) {
		if t.Word && t.Norm != "my" && t.Norm != "the" && t.Norm != "a" && t.Norm != "an" {
			out = append(out, text.Fold(strings.TrimSuffix(t.Norm, "'s")))
		}
	}
	return out
}

// holds finds the name in the subject of a clause: it itself, or its owner.
func (h *holder) holds(s *lang.Sentence, sub lang.Subject, name string) (lang.Subject, bool) {
	if o := sub.Owner; o != nil && o.Who != lang.Third && len(nameWords(name)) <= len(nameWords(o.Name+" "+o.Noun)) {
		if p, ok := h.holds(s, *o, name); ok {
			return p, true
		}
	}
	switch sub.Who {
	case lang.Person:
		if sub.Owner == nil && sameNames(name, sub.Name) {
			return sub, true
		}
		if sub.Owner != nil && len(nameWords(name)) >= len(nameWords(sub.Name)) && sameNames(name, sub.Name) {
			return sub, true
		}
		if sub.Proper != "" && sameNames(name, sub.Proper) {
			return sub, true
		}
		if e := h.b.Book.SameEntity(name, sub.Name, sub.Proper, sub.Kin, sub.Mine); e {
			return sub, true
		}
	case lang.Thing, lang.Owned, lang.Mine:
		if sameNames(name, sub.Noun) {
			p := sub
			p.Name = name
			return p, true
		}
	}
	return sub, false
}

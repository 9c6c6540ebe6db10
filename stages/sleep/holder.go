package sleep

import (
	"context"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Holder drops items about somebody whom the line does not speak of.
var Holder = sl.Spec{Spec: component.Define(component.About{
	Name:    "holder",
	Summary: "Drop items whose subject is not the one the line speaks of",
	Doc: `
"user" is the first person of user turns and notes, and what such a line says about
no person at all. A pronoun stands for the last person named before it in the
session; without one the item is dropped. Any other name must be that of the
clause's subject, or of its owner ("Wanda's office"), and a relation must be the
way round the line has it: of "Ravindra's manager is Leena" Leena is the value.`,
}, struct{}{}, newHolder)}

func newHolder(struct{}, component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(_ context.Context, b *sl.Batch) error {
		for it := range b.Live {
			h := holder{b: b, it: it}
			h.check()
		}
		return nil
	}), nil
}

type holder struct {
	b  *sl.Batch
	it *sl.Item
}

func (h *holder) check() {
	it := h.it
	var kept []*sl.Line
	for i, l := range it.Lines {
		s, m, c := l.Grammar(), it.Match, it.Clause
		if i > 0 {
			words, _ := h.b.Env.Languages.Content(it.Value)
			places, _ := s.Locate(words)
			if len(places) == 0 {
				continue
			}
			m, c = places[0], s.ClauseOf(places[0].From)
		}
		mention, reason, detail := h.line(l, s, m, c)
		if reason != "" {
			if i == 0 {
				it.Reject(reason, detail)
				return
			}
			continue
		}
		if i == 0 {
			it.Mention = mention
		} else if (mention == nil) != (it.Mention == nil) || mention != nil && !strings.EqualFold(mention.Name, it.Mention.Name) {
			continue
		}
		kept = append(kept, l)
	}
	it.Lines = kept
	if it.Mention == nil {
		it.Subject = core.SubjectUser
	} else {
		it.Subject = it.Mention.Name
	}
}

// line checks one line and returns whom the item is about; nil is the user.
func (h *holder) line(l *sl.Line, s *lang.Sentence, m lang.Match, clause int) (*sl.Mention, sl.Reason, string) {
	it := h.it
	var c *lang.Clause
	if clause >= 0 && s.Lang != nil {
		c = &s.Clauses[clause]
	} else {
		c = &lang.Clause{To: len(s.Tokens)}
	}
	if it.AboutUser() || h.b.Book.UserNamed(it.Subject) {
		return h.user(l, s, c, m)
	}
	if s.Pronoun(it.Subject) {
		return h.pronoun(l, s, c)
	}
	if s.Anaphor(it.Subject) {
		if name, ok := h.b.LastThing(l, c); ok {
			return &sl.Mention{Name: name}, "", ""
		}
		return nil, sl.ReasonUnresolved, "nothing was named before"
	}
	return h.named(l, s, c, m)
}

// user checks that a clause can be about the speaker.
func (h *holder) user(l *sl.Line, s *lang.Sentence, c *lang.Clause, m lang.Match) (*sl.Mention, sl.Reason, string) {
	if !l.Own {
		return nil, sl.ReasonHolder, "these are not the user's words"
	}
	sub := c.Subject
	switch sub.Who {
	case lang.Mine:
		if m.From >= sub.From && m.To <= sub.To && !h.it.Event && !h.it.Lift && !h.it.Ended && !h.it.Prohibited && h.it.Value != "" {
			return nil, sl.ReasonInverted, "the value is what the line speaks of"
		}
		return nil, "", ""
	case lang.First:
		if p, ok := h.apposed(s, c, m); ok {
			return nil, sl.ReasonHolder, "the line says it of " + p.Name
		}
		return nil, "", ""
	case lang.Second:
		if h.it.Prohibited || h.it.Lift || permission(s, c) || sl.AttributeOf(h.it.Attribute).Name == "nickname" && asksForName(s, c) {
			return nil, "", ""
		}
		return nil, sl.ReasonHolder, "the line is about the listener"
	case lang.Person:
		if sub.Unsure && h.it.Lift || h.it.Prohibited && noName(sub) && banned(s, c, m) {
			return nil, "", "" // "Pork is fine again", "Smoking is prohibited": no name
		}
		if sub.Unsure && sub.Name != "" && c.Verb.Lemma == "be" && strings.HasSuffix(" "+strings.ToLower(h.it.Attribute), " "+strings.ToLower(sub.Name)) {
			return nil, "", "" // "Rent is 750 now": nor here
		}
		if sub.Unsure && sub.Name != "" && strings.HasPrefix(strings.ToLower(h.it.Attribute), strings.ToLower(sub.Name)+" ") {
			return nil, "", "" // "Standup is at 9:30": no name either
		}
		if sub.Mine && sub.Owner == nil && h.kinAttribute(sub.Kin) && (!s.Lang.HasVerbs() || c.Verb.Lemma == "be" || c.Verb.Lemma == "call" || c.Verb.Lemma == "name" || m.From < sub.To) {
			return nil, "", "" // "my sister is Noemi"
		}
		if h.mine(s, c, m) {
			return nil, "", "" // "Tom is my brother"
		}
		if c.Verb.To < len(s.Tokens) && (s.Tokens[c.Verb.To].Norm == "me" || s.Tokens[c.Verb.To].Norm == "us") && sub.Kin == "" && sub.Name != "" && m.From >= sub.From && m.To <= sub.To {
			return nil, "", "" // "Tannhaus Optics took me on"
		}
		if h.it.Ended && sub.Kin == "" && m.From >= sub.From && m.To <= sub.To {
			return nil, "", "" // "Moss died"
		}
		if h.agent(s, c, sub) {
			return nil, "", "" // "Leena manages me"
		}
		if h.madeMe(s, c, m) || h.succeeds(c, m) || h.changes(s, c, m) {
			return nil, "", ""
		}
		return nil, sl.ReasonHolder, "the line is about " + sub.Name
	case lang.Owned:
		if o := sub.Owner; o != nil && o.Who == lang.Third && strings.EqualFold(sub.Noun, "name") && s.Lang.Word("kin", strings.ToLower(h.it.Attribute)) && s.HasWords("negators", -1) {
			return nil, "", "" // "his name is Jonah, not Jonas"
		}
		if o := sub.Owner; o != nil && o.Mine && o.Proper == "" && strings.EqualFold(sub.Noun, "name") && h.kinAttribute(o.Kin) {
			return nil, "", "" // "my sister's name is Noemi"
		}
		return nil, sl.ReasonHolder, "the line is about somebody else"
	case lang.Third:
		if h.changes(s, c, m) {
			return nil, "", "" // "they raised my rent to …"
		}
		if h.madeMe(s, c, m) {
			return nil, "", ""
		}
		return nil, sl.ReasonHolder, "the line is about somebody else"
	}
	if v := c.Verb; sub.Who == lang.Nobody && !h.it.Lift && !h.it.Prohibited && s.Lang != nil && s.Lang.HasVerbs() && v.Lemma != "" && v.Lemma != "be" && !v.Guessed && v.Tense == lang.Present && !v.Bare && !v.Perfect && v.From == v.To-1 {
		return nil, sl.ReasonHolder, "the line is about somebody it does not name" // "Lives in Lyon now."
	}
	if p, ok := h.personBefore(s, c, m); ok && !h.it.Prohibited && !h.it.Lift && sl.AttributeOf(h.it.Attribute).Name != "nickname" {
		return nil, sl.ReasonHolder, "the line is about " + p.Name
	}
	return nil, "", ""
}

// personBefore finds a person named in the clause before the value, where the
// clause has no subject that was understood.
func (h *holder) personBefore(s *lang.Sentence, c *lang.Clause, m lang.Match) (lang.Subject, bool) {
	if c.Subject.Who != lang.Nobody && c.Subject.Who != lang.Thing && c.Subject.Who != lang.It {
		return lang.Subject{}, false
	}
	if c.Subject.Who == lang.Nobody && c.Verb.Bare {
		return lang.Subject{}, false // an order
	}
	var found lang.Subject
	ok := false
	for _, p := range s.Persons() {
		if p.From < c.From || p.To > m.From || p.Unsure {
			continue
		}
		if prev := s.Tokens[max(p.From-1, 0)].Norm; p.From > c.From && (prev == "to" || prev == "for" || prev == "in" || prev == "at" || prev == "the" || prev == "with" || prev == "on" || prev == "not") {
			continue
		}
		if ok = !listed(s, p.To, m.From); ok {
			found = p
		}
	}
	for j := c.From; ok && j < m.From; j++ {
		if w := s.Tokens[j].Norm; (w == "me" || w == "i" || w == "mine") && (j < found.From || j >= found.To) {
			return found, false
		}
	}
	return found, ok
}

// listed reports whether nothing but the marks of a list stand between two tokens:
// "two dogs: Rex and Bo" says Bo of the speaker, not of Rex.
func listed(s *lang.Sentence, from, to int) bool {
	for j := from; j < to; j++ {
		if w := s.Tokens[j].Norm; w != "," && w != "and" && w != "&" {
			return false
		}
	}
	return from < to
}

// apposed finds a person whom the value describes in passing: "with Wanda, a nurse".
func (h *holder) apposed(s *lang.Sentence, c *lang.Clause, m lang.Match) (lang.Subject, bool) {
	for _, p := range s.Persons() {
		if p.From < c.Verb.To || p.To+1 >= m.From || m.From > p.To+4 || !s.After(p.To, ",") {
			continue
		}
		switch s.Tokens[p.To+1].Norm {
		case "a", "an", "the", "my", "our", "who":
			return p, true
		}
	}
	return lang.Subject{}, false
}

// kinAttribute reports whether the attribute is the relation itself.
func (h *holder) kinAttribute(kin string) bool {
	a, b := sl.AttributeOf(h.it.Attribute), sl.AttributeOf(kin)
	return a.Key == b.Key || strings.Contains(" "+strings.ReplaceAll(strings.ToLower(h.it.Attribute), "_", " ")+" ", " "+kin+" ")
}

// mine reports whether the clause says that its subject, the value, is "my" what
// the attribute says: "Tom is my brother".
func (h *holder) mine(s *lang.Sentence, c *lang.Clause, m lang.Match) bool {
	if c.Verb.Lemma != "be" || m.To > c.Verb.From || c.Verb.To+1 >= c.To {
		return false
	}
	w := s.Tokens[c.Verb.To].Norm
	return (w == "my" || w == "our") && h.names(s, c.Verb.To+1, c.To)
}

// agent reports whether the clause says "value does it to me" and the attribute is
// the doer: "Leena manages me".
func (h *holder) agent(s *lang.Sentence, c *lang.Clause, sub lang.Subject) bool {
	if !doer(h.it.Attribute, c.Verb.Lemma) || !sameNames(h.it.Value, sub.Name) {
		return false
	}
	return c.Verb.To < len(s.Tokens) && (s.Tokens[c.Verb.To].Norm == "me" || s.Tokens[c.Verb.To].Norm == "us")
}

// madeMe reports whether the clause says what somebody made of the speaker: "they made
// me foreman".
func (h *holder) madeMe(s *lang.Sentence, c *lang.Clause, m lang.Match) bool {
	if i := c.Verb.To; h.it.Ended && h.it.Value == "" && i < len(s.Tokens) && s.Tokens[i].Norm == "me" {
		return true // "they let me go"
	}
	if i := c.Verb.To; i >= len(s.Tokens) || m.From <= i || s.Tokens[i].Norm != "me" && s.Tokens[i].Norm != "us" {
		return false
	}
	switch c.Verb.Lemma {
	case "make", "appoint", "name", "promote", "elect", "assign", "transfer", "hire", "call":
		return true
	}
	return false
}

// changes reports whether the clause says what somebody made of a thing of the
// speaker's that the attribute names, if in short: "they raised my rent to …", "Finance
// cut the budget to …".
func (h *holder) changes(s *lang.Sentence, c *lang.Clause, m lang.Match) bool {
	i := c.Verb.To
	if i+1 >= m.From {
		return false
	}
	switch s.Tokens[i].Norm {
	case "my", "our":
		return h.names(s, i+1, m.From) || sl.HasWords(strings.ReplaceAll(strings.ToLower(h.it.Attribute), "_", " "), s.Tokens[i+1].Norm)
	case "the":
		return sl.HasWords(strings.ReplaceAll(strings.ToLower(h.it.Attribute), "_", " "), s.Tokens[i+1].Norm)
	}
	return false
}

// succeeds reports whether the clause says that one thing took the place of another,
// and the value is one of the two: "Kay replaced Tim as my boss".
func (h *holder) succeeds(c *lang.Clause, m lang.Match) bool {
	switch c.Verb.Lemma {
	case "replace", "succeed":
		return true
	case "take":
		return m.From >= c.Subject.From && m.To <= c.Subject.To
	}
	return false
}

// doer reports whether a noun names who does what a verb says: manager, manage.
func doer(noun, verb string) bool {
	n := strings.ToLower(strings.ReplaceAll(noun, "_", " "))
	if a := sl.AttributeOf(n); a.Known && len(verb) > 2 {
		for _, end := range []string{"er", "or", "r"} {
			if b := sl.AttributeOf(verb + end); b.Known && b.Key == a.Key {
				return true
			}
			if b := sl.AttributeOf(strings.TrimSuffix(verb, "e") + end); b.Known && b.Key == a.Key {
				return true
			}
		}
	}
	base := strings.TrimSuffix(verb, "e")
	return len(verb) > 2 && (n == base+"er" || n == base+"or" || n == verb+base[len(base)-1:]+"er" || n == "supervisor" && verb == "supervise" || n == "boss" && verb == "manage")
}

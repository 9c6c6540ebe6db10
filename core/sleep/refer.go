package sleep

import (
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// gap is how far apart two lines without a session may be for a pronoun to reach
// from one to the other.
const gap = 30 * time.Minute

// Referent finds whom a pronoun in a line means: the last person named before it,
// in the line or in earlier lines of the same session, whose gender, where known,
// agrees.
func (b *Batch) Referent(l *Line, tok int, p lang.Subject) (*Mention, bool) {
	g := l.Grammar()
	if m, ok := lastPerson(g, tok, p); ok {
		return m, m != nil
	}
	if animal(g, tok, p) {
		return nil, false
	}
	for _, prev := range b.before(l) {
		if !prev.Own && prev.Episode != l.Episode {
			continue
		}
		if m, ok := lastPerson(prev.Grammar(), len(prev.Grammar().Tokens), p); ok {
			return m, m != nil
		}
		if animal(prev.Grammar(), len(prev.Grammar().Tokens), p) {
			return nil, false // "I have a cat. She turned three."
		}
	}
	return nil, false
}

// animal reports whether he or she may be an animal that a line speaks of before a token.
func animal(g *lang.Sentence, tok int, p lang.Subject) bool {
	if p.Plural || g.Lang == nil {
		return false
	}
	for i := 0; i < tok && i < len(g.Tokens); i++ {
		if g.Lang.Word("animals", g.Tokens[i].Norm) {
			return true
		}
	}
	return false
}

// before returns the lines of l's session that were said before it, newest first.
func (b *Batch) before(l *Line) []*Line {
	all := slices.Concat(b.Context, b.Lines)
	var out []*Line
	for _, x := range all {
		if x == l || !sameTalk(x, l) {
			continue
		}
		if x.Said.Before(l.Said) || x.Episode == l.Episode && x.Source.Start < l.Source.Start || x.Said.Equal(l.Said) && x.Episode < l.Episode {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, c *Line) int {
		if n := c.Said.Compare(a.Said); n != 0 {
			return n
		}
		if a.Episode != c.Episode {
			return int(c.Episode - a.Episode)
		}
		return c.Source.Start - a.Source.Start
	})
	return out
}

func sameTalk(a, l *Line) bool {
	switch {
	case a.Episode == l.Episode:
		return true
	case a.Session != l.Session:
		return false
	case l.Session != "":
		return true
	}
	return l.Said.Sub(a.Said) <= gap
}

// lastPerson finds the last person mentioned before a token. It is nil and true when
// somebody is meant there of whom no more is known.
func lastPerson(g *lang.Sentence, tok int, p lang.Subject) (*Mention, bool) {
	all := g.Persons()
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if p.Plural && m.Gender == 0 && m.From > 0 && g.Tokens[m.From-1].Norm == "the" && strings.HasSuffix(m.Name, "s") {
			m.Plural, m.Gender = true, 'p' // "the Okafors"
		}
		if m.Unsure && (!subjectOf(g, m) || thing(g, m)) || vocative(g, m) {
			continue
		}
		if m.To > tok || !isPerson(g, m) {
			continue
		}
		if m.Owner != nil && m.Owner.Who == lang.Third {
			switch {
			case p.Plural || m.Gender == 0 || m.Gender != p.Gender:
				continue
			case m.Proper == "":
				return nil, true // "his girlfriend came. She …"
			}
			return &Mention{Name: m.Proper, Gender: m.Gender}, true // "his girlfriend Amalie"
		}
		if m.Gender != 0 && p.Gender != 0 && m.Gender != p.Gender && !(p.Plural && !m.Plural && m.Gender == 0) {
			continue
		}
		if p.Plural && !m.Plural && m.Gender != 0 {
			continue
		}
		if p.Plural && !m.Plural && m.From > 1 && g.Tokens[m.From-1].Norm == "and" && g.Tokens[m.From-2].Cap {
			return nil, true // "Ole and Mats. They …": both
		}
		return MentionOf(m), true
	}
	return nil, false
}

// subjectOf reports whether a mention is the subject of a clause.
func subjectOf(g *lang.Sentence, m lang.Subject) bool {
	for _, c := range g.Clauses {
		if c.Subject.Who == lang.Person && c.Subject.From == m.From && c.Verb.Lemma != "" {
			return true
		}
	}
	return false
}

// thing reports whether a word with nothing but the first capital letter of its line
// does what things do: "Production runs on Postgres".
func thing(g *lang.Sentence, m lang.Subject) bool {
	for i, c := range g.Clauses {
		if c.Subject.Who == lang.Person && c.Subject.From == m.From {
			return g.HasWords("thing verbs", i)
		}
	}
	return false
}

// vocative reports whether a name only addresses the listener: "Thanks, Maria!"
func vocative(g *lang.Sentence, m lang.Subject) bool {
	if m.Kin != "" {
		return false
	}
	before, after := m.From == 0, m.To >= len(g.Tokens)
	if !before {
		switch g.Tokens[m.From-1].Norm {
		case ",", "hey", "hi", "hello", "thanks", "dear", "yes", "no", "ok", "okay", "wow", "sorry", "oh", "yeah", "you":
			before = true
		}
	}
	if !after {
		switch g.Tokens[m.To].Norm {
		case ",", "!", ".", "?", "-", "–", "—", "…":
			after = true
		}
	}
	return before && after
}

// isPerson tells persons from places and things with a proper name.
func isPerson(g *lang.Sentence, m lang.Subject) bool {
	if m.Kin != "" || m.Gender != 0 {
		return true
	}
	if g.Lang != nil && g.Lang.Word("no persons", strings.ToLower(m.Name)) {
		return false
	}
	prev := ""
	if m.From > 0 {
		prev = g.Tokens[m.From-1].Norm
	}
	if c := g.ClauseOf(m.From); c >= 0 && g.Clauses[c].Subject.Who == lang.Mine && g.Clauses[c].Verb.Lemma == "be" && m.From > g.Clauses[c].Verb.To && prev != "and" {
		return false // "my laptop is a ThinkPad with Debian"
	}
	if m.From > 1 && !g.Tokens[m.From-1].Cap {
		if w := g.Tokens[m.From-2].Norm; (w == "the" || w == "a" || w == "an") && g.Tokens[m.From-1].Word && m.To < len(g.Tokens) && g.Tokens[m.To].Word {
			return false // "through the old Elbe tunnel"
		}
	}
	switch prev {
	case "the":
		return m.Plural
	case "in", "at", "near", "into", "on", "via", "a", "an", "outside", "around", "through", "under", "over", "use", "using", "called":
		return false
	case "from":
		c := g.ClauseOf(m.From)
		if c < 0 {
			return true
		}
		switch g.Clauses[c].Verb.Lemma {
		case "hear", "get", "receive", "buy", "borrow", "have", "take", "learn", "rent":
		default:
			return false // "is visiting from Lagos"
		}
	case "me", "him", "us":
		if m.From > 1 && (g.Tokens[m.From-2].Norm == "call" || g.Tokens[m.From-2].Norm == "calls" || g.Tokens[m.From-2].Norm == "called") {
			return false // "he calls me Moster"
		}
	case "to", "for":
		c := g.ClauseOf(m.From)
		if c < 0 {
			return true
		}
		switch g.Clauses[c].Verb.Lemma {
		case "move", "go", "fly", "travel", "drive", "return", "come", "relocate", "head", "be", "work", "walk", "ride", "switch":
			return false
		}
	}
	return !lang.HasDigit(m.Name)
}

// MentionOf makes a mention of what a line says.
func MentionOf(s lang.Subject) *Mention {
	m := &Mention{Name: s.Name, Proper: s.Proper, Gender: s.Gender, Plural: s.Plural}
	if s.Mine {
		m.Kin = s.Kin
	}
	if m.Name == "" {
		m.Name = s.Noun
	}
	m.Name = strings.TrimSpace(m.Name)
	for _, a := range []string{s.Proper, m.Kin} {
		if a != "" && !strings.EqualFold(a, m.Name) {
			m.Aliases = append(m.Aliases, a)
		}
	}
	return m
}

// LastThing finds what "it" means in a clause: the thing that was spoken of last
// before it, in the line or an earlier one of the session.
func (b *Batch) LastThing(l *Line, c *lang.Clause) (string, bool) {
	if c.Subject.Who != lang.It {
		return "", false
	}
	if n, ok := lastThing(l.Grammar(), c.From); ok {
		return n, true
	}
	for _, prev := range b.before(l) {
		if !prev.Own && prev.Episode != l.Episode {
			continue
		}
		if n, ok := lastThing(prev.Grammar(), len(prev.Grammar().Tokens)); ok {
			return n, true
		}
	}
	return "", false
}

func lastThing(g *lang.Sentence, before int) (string, bool) {
	for i := len(g.Clauses) - 1; i >= 0; i-- {
		c := &g.Clauses[i]
		if c.From >= before {
			continue
		}
		switch c.Subject.Who {
		case lang.Thing, lang.Mine, lang.Owned:
			if c.Subject.Noun != "" {
				return c.Subject.Noun, true
			}
		case lang.Person, lang.First, lang.Third:
			return "", false // what of their doings is meant nobody knows
		}
	}
	return "", false
}

// meet enters whom the lines up to l name by a relation, so that the name alone means
// them from then on: "with my husband Jörg … Jörg is a welder".
func (b *Batch) meet(l *Line) {
	for ; b.met < len(b.Lines) && b.Lines[b.met].N <= l.N; b.met++ {
		x := b.Lines[b.met]
		if !x.Citable || !x.Own {
			continue
		}
		for _, m := range x.Grammar().Persons() {
			if m.Mine && m.Owner == nil && m.Kin != "" && m.Proper != "" && !m.Plural {
				b.Book.Entity(b.Space, MentionOf(m))
			}
		}
	}
}

// introduce enters whom a state names: with "my brother is called Ravi", Ravi and "my
// brother" are one.
func (b *Batch) introduce(it *Item) {
	g := it.Line().Grammar()
	if g.Lang == nil || it.Condition != "" {
		return
	}
	kin, ok := g.Lang.Kin(strings.ReplaceAll(it.Attribute, "_", " "))
	if a := AttributeOf(kin); a.Known && !a.Person {
		return // "my employer is …" is no person
	}
	if !ok || isCommon(it.Value) || lang.HasDigit(it.Value) || len(strings.Fields(it.Value)) > 3 {
		return
	}
	b.Book.Entity(b.Space, &Mention{Name: kin + " " + it.Value, Kin: kin, Proper: it.Value, Aliases: []string{it.Value, kin}})
}

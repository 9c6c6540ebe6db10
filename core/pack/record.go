package pack

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// fact, said and happening are states, passages and events with every field
// cleaned: what layouts write.
type fact struct {
	subject   string // "" for the user
	attribute string
	value     string
	condition string
	since     string // YYYY-MM-DD, or empty
}

type said struct {
	day    string // YYYY-MM-DD, or empty
	who    string
	quoted bool
	parts  []part
}

// part is a run of text of a passage that is wholly outdated or wholly not.
type part struct {
	text     string
	outdated bool
	now      string
}

type happening struct {
	day  string // YYYY-MM-DD, or two with " to " between them, or empty
	text string
}

var dayRE = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// day returns s if it is a calendar day.
func day(s string) string {
	if dayRE.MatchString(s) {
		return s
	}
	return ""
}

func (c cleaner) fact(s *core.State, whole bool) *fact {
	f := &fact{condition: c.name(limit(s.Condition, maxCondition))}
	if s.Subject != core.SubjectUser {
		f.subject = c.subject(s.Subject)
	}
	f.attribute = c.name(limit(strings.ReplaceAll(strings.TrimPrefix(s.Attribute, core.ForbiddenPrefix), "_", " "), maxName))
	f.value = s.Value
	if !whole {
		f.value = limit(s.Value, maxValue)
	}
	f.value = c.text(f.value)
	if s.Stated {
		f.since = day(s.ValidFrom)
	}
	return f
}

// subject cleans an entity's name. One that could be taken for the user or for a
// heading stands in quotation marks.
func (c cleaner) subject(name string) string {
	name = c.name(limit(name, maxName))
	look := skeleton(name)
	switch word := wordRE.FindString(look); {
	case word == "", strings.HasPrefix(word, "forbidden"), word == "event", word == "log", word == "today", ourHeadings[look]:
		return `"` + strings.ReplaceAll(name, `"`, "'") + `"`
	}
	return name
}

// rule returns the words of a rule: its value, with whom and what it is about where
// the value alone would not say.
func (f *fact) rule() string {
	s := f.value
	if len(strings.Fields(f.value)) <= 3 && !generic[f.attribute] && !f.saysItself() {
		s += " (" + f.attribute + ")"
	}
	if f.subject != "" {
		s = f.subject + ": " + s
	} else if strings.HasPrefix(skeleton(strings.TrimLeft(s, "-*•#_[ ")), "forbidden") {
		s = `"` + s + `"` // not a heading
	}
	if f.condition != "" {
		s += " (" + f.when() + ")"
	}
	return s
}

// saysItself reports whether a word of the attribute, or the beginning of one, is in
// the value: then the attribute adds nothing.
func (f *fact) saysItself() bool {
	value := strings.ToLower(f.value)
	for word := range strings.FieldsSeq(strings.ToLower(f.attribute)) {
		if strings.Contains(value, fourRunes(word)) {
			return true
		}
	}
	return f.attribute == ""
}

func fourRunes(s string) string {
	n := 0
	for i := range s {
		if n++; n > 4 {
			return s[:i]
		}
	}
	return s
}

// generic are names of rules that add nothing to what they forbid.
var generic = map[string]bool{"rule": true, "action": true, "behavior": true, "behaviour": true, "request": true, "instruction": true, "command": true, "anti pattern": true}

// when returns the condition as a clause.
func (f *fact) when() string {
	first, _, _ := strings.Cut(f.condition, " ")
	switch strings.ToLower(first) {
	case "when", "if", "while", "during", "unless", "except", "whenever", "after", "before", "on", "in", "at", "with", "without", "for":
		return f.condition
	}
	return "if " + f.condition
}

// order sorts facts so that the stable part does not follow the query: the user
// first, by name, then by subject, attribute, condition and id.
func order(a, b *core.State) int {
	if u, v := a.Subject == core.SubjectUser, b.Subject == core.SubjectUser; u != v {
		if u {
			return -1
		}
		return 1
	}
	return cmp.Or(nameFirst(a, b), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.Condition, b.Condition), cmp.Compare(a.ID, b.ID))
}

// nameFirst puts the user's name before other states.
func nameFirst(a, b *core.State) int {
	named := func(s *core.State) bool { return s.Subject == core.SubjectUser && s.Attribute == "name" }
	switch u, v := named(a), named(b); {
	case u && !v:
		return -1
	case v && !u:
		return 1
	}
	return 0
}

func (c cleaner) happening(e *core.Event) *happening {
	h := &happening{day: day(e.Start), text: c.text(limit(e.Text, maxValue))}
	if end := day(e.End); h.day != "" && end > h.day {
		h.day += " to " + end
	}
	if s := c.name(limit(e.Subject, maxName)); h.text != "" && s != "" && s != core.SubjectUser && !strings.Contains(skeleton(h.text), skeleton(s)) {
		h.text = s + ": " + h.text
	}
	return h
}

func (c cleaner) said(p *Passage, zone *time.Location) *said {
	if p.Zone != nil {
		zone = p.Zone
	}
	s := &said{who: c.who(p), quoted: p.Quoted}
	if !p.At.IsZero() {
		s.day = p.At.In(zone).Format(time.DateOnly)
	}
	text, _ := clip(p.Text, maxSaid)
	add := func(p part) {
		if p.text = c.text(p.text); p.text != "" {
			s.parts = append(s.parts, p)
		}
	}
	at := 0
	for _, o := range sorted(p.Outdated) {
		start, end := max(o.Start, at), min(o.End, len(text))
		if start >= end {
			continue
		}
		add(part{text: text[at:start]})
		add(part{text: text[start:end], outdated: true, now: c.name(limit(o.Now, maxName))})
		at = end
	}
	add(part{text: text[at:]})
	return s
}

func sorted(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return spans
}

// outdated reports whether any part of s is.
func (s *said) outdated() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.outdated })
}

// who says who said a passage. Only the user's own lines go by a bare name, so that
// a tool or an import cannot speak in the user's.
func (c cleaner) who(p *Passage) string {
	name := c.name(strings.TrimSpace(limit(p.Speaker, maxName)))
	switch kind := core.TrustOf(p.Role, p.Kind); {
	case kind == core.TrustTool:
		return named("tool", name)
	case p.Role == core.RoleSystem:
		return named("system message", name)
	case kind == core.TrustAssistant:
		if name == "" || strings.EqualFold(name, "assistant") {
			return "assistant"
		}
		return name + " (assistant)"
	case p.Kind == core.KindDocument:
		return named("document", name)
	case name == "":
		return "user"
	}
	return name
}

func named(what, name string) string {
	if name == "" || strings.EqualFold(what, name) {
		return what
	}
	return what + " " + name
}

// limit is [clip] with an ellipsis.
func limit(s string, n int) string {
	t, cut := clip(s, n)
	if cut {
		t += ellipsis
	}
	return t
}

package pack

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonLines is the layout for programs: one JSON object for the rules, one for the
// states and one for the turn, a line each.
type jsonLines struct{}

func (jsonLines) cleaner() cleaner { return cleaner{} }

func (jsonLines) head(bool) string { return "" }

func (jsonLines) headings() (states, more, said, events string) {
	return `{"now_true":[` + "]}\n", `,"also_true":[]`, `,"said_before":[]`, `,"events":[]`
}

func (jsonLines) rule(f *fact) string { return object(f.rule()) }

func (jsonLines) fact(f *fact) string {
	subject := f.subject
	if subject == "" {
		subject = "user"
	}
	return object(struct {
		Subject   string `json:"subject"`
		Attribute string `json:"attribute"`
		Value     string `json:"value"`
		Condition string `json:"condition,omitempty"`
		Since     string `json:"since,omitempty"`
	}{subject, f.attribute, f.value, f.condition, f.since})
}

func (jsonLines) said(s *said) string {
	var out []string
	for _, p := range s.parts {
		out = append(out, object(struct {
			Date     string `json:"date,omitempty"`
			Who      string `json:"who"`
			Text     string `json:"text"`
			Quoted   bool   `json:"quoted,omitempty"`
			Outdated bool   `json:"outdated,omitempty"`
			Now      string `json:"now,omitempty"`
		}{s.day, s.who, p.text, s.quoted, p.outdated, p.now}))
	}
	return strings.Join(out, ",")
}

func (jsonLines) event(h *happening) string {
	return object(struct {
		Date string `json:"date,omitempty"`
		Text string `json:"text"`
	}{h.day, h.text})
}

func (jsonLines) rules(b *strings.Builder, rules []entry) {
	b.WriteString(`{"forbidden":[`)
	list(b, rules)
	b.WriteString("]}\n")
}

func (jsonLines) facts(b *strings.Builder, states []entry, _ bool) {
	if len(states) > 0 {
		b.WriteString(`{"now_true":[`)
		list(b, states)
		b.WriteString("]}\n")
	}
}

func (jsonLines) today(day string, _, _ bool) string { return `{"today":` + object(day) + "}\n" }

func (l jsonLines) turn(b *strings.Builder, t *turn) {
	b.WriteString(strings.TrimSuffix(l.today(t.today, false, false), "}\n"))
	for _, s := range []struct {
		key string
		es  []entry
	}{{"also_true", t.more}, {"said_before", t.said}, {"events", t.event}} {
		if len(s.es) > 0 {
			b.WriteString(`,"` + s.key + `":[`)
			list(b, s.es)
			b.WriteString("]")
		}
	}
	b.WriteString("}\n")
}

func list(b *strings.Builder, es []entry) {
	for i := range es {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(es[i].text)
	}
}

// object marshals v, which holds only strings and bools, so that it cannot fail.
func object(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("pack: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

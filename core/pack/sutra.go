package pack

import "strings"

// sutra is the layout for small budgets: bracket lines, one a subject, short dates.
type sutra struct {
	year  string // of today: days in it are written without it
	terse bool
}

// Brackets that close nothing would end a line of this layout early.
func (sutra) cleaner() cleaner { return cleaner{stray: true} }

func (l sutra) head(rules bool) string {
	switch {
	case l.terse:
		return heading
	case rules:
		return heading + "User facts: use without asking or mentioning. FORBIDDEN is strict.\n"
	}
	return heading + "User facts: use without asking or mentioning.\n"
}

func (sutra) headings() (states, more, said, events string) { return "", "", "", "" }

func (sutra) rule(f *fact) string { return "[FORBIDDEN: " + f.rule() + "]\n" }

func (sutra) fact(f *fact) string { return groupPart(f) }

func (l sutra) said(s *said) string {
	lines, who := "", dated(short(s.day, l.year), s.who)
	for _, p := range s.parts {
		lines += "[LOG " + who + ": " + quoted(p.text, s.quoted) + mark(p) + "]\n"
	}
	return lines
}

func (l sutra) event(h *happening) string {
	if h.day == "" {
		return "[EVENT: " + h.text + "]\n"
	}
	from, to, span := strings.Cut(h.day, " to ")
	day := short(from, l.year)
	if span {
		day += " to " + short(to, l.year)
	}
	return "[EVENT " + day + ": " + h.text + "]\n"
}

func (sutra) rules(b *strings.Builder, rules []entry) { section(b, "", rules) }

func (sutra) facts(b *strings.Builder, states []entry, _ bool) { groups(b, states, "[", "]\n") }

func (l sutra) today(day string, said, outdated bool) string {
	return today(day, said && !l.terse, outdated && !l.terse)
}

func (l sutra) turn(b *strings.Builder, t *turn) {
	b.WriteString(l.today(t.today, len(t.said) > 0, t.outdated()))
	l.facts(b, t.more, true)
	section(b, "", t.said)
	section(b, "", t.event)
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// short writes a day as "17 Oct", with the year if it is not the given one.
func short(day, year string) string {
	if len(day) != len("2006-01-02") {
		return day
	}
	m := 10*int(day[5]-'0') + int(day[6]-'0')
	if m < 1 || m > 12 {
		return day
	}
	s := strings.TrimPrefix(day[8:], "0") + " " + months[3*m-3:3*m]
	if day[:4] != year {
		s += " " + day[:4]
	}
	return s
}

// groups writes one line a subject: its name once, then what is true of it.
func groups(b *strings.Builder, states []entry, open, end string) {
	for i := range states {
		e := &states[i]
		switch {
		case i > 0 && e.group == states[i-1].group:
			b.WriteString("; ")
		default:
			if i > 0 {
				b.WriteString(end)
			}
			b.WriteString(open)
			if e.group == "" {
				b.WriteString("user: ")
			} else {
				b.WriteString(e.group + ": ")
			}
		}
		b.WriteString(e.text)
	}
	if len(states) > 0 {
		b.WriteString(end)
	}
}

// groupPart is one fact inside a line. A semicolon in it would begin another fact.
func groupPart(f *fact) string {
	when, since := "", ""
	if f.condition != "" {
		when = " " + f.when()
	}
	if f.since != "" {
		since = " since " + short(f.since, "")
	}
	return strings.ReplaceAll(f.attribute+when+": "+f.value+since, ";", ",")
}

package rules

import (
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// pastKinds are the attributes of which it is worth knowing what they were.
var pastKinds = map[string]bool{"home city": true, "employer": true, "occupation": true, "university": true, "field of study": true, "partner": true, "diet": true, "instrument": true, "car": true, "marital status": true}

// once reports whether a clause tells that something was so for a time that is over:
// it says until when, from when to when, for how long, or in which year.
func (r *line) once(p *pattern, c *lang.Clause) bool {
	if c.Verb.Tense != lang.Past || c.Verb.Perfect || !pastKinds[p.attributes[0]] || p.options["past"] || p.options["any"] || c.Verb.Passive && c.Verb.Lemma != "marry" && c.Verb.Lemma != "employ" {
		return false
	}
	if c.Governed >= 0 {
		w := &r.s.Clauses[c.Governed]
		return w.Verb.Tense == lang.Past && w.Lead != "if" && !w.Supposed
	}
	from := c.From
	if c.Prefix[1] > c.Prefix[0] {
		from = c.Prefix[0]
	}
	for i := from; i < c.To; i++ {
		switch w := r.norm(i); {
		case w == "previously" || w == "formerly" || w == "once":
			return true
		case w == "for" && r.longTime(i, c.To):
			return true
		case w == "before" && (r.norm(i+1) == "that" || r.norm(i+1) == "this"):
			return true
		}
		f, ok := r.dateAt(i)
		if !ok || !f.Resolved || f.Span.Start.String() > r.l.Day() {
			continue
		}
		switch f.Span.Rel {
		case clock.Until, clock.By:
			return true
		}
		if f.Span.Start.AddDays(300).Before(f.Span.End) {
			return true
		}
	}
	return false
}

// shortLived are the attributes whose values for a few days are not what they are.
var shortLived = map[string]bool{"home city": true, "work location": true, "field of work": true, "employer": true, "diet": true, "works from": true}

// temporary reports whether a clause says that something is so for some days only:
// "this week", "for the next two days", "until Friday".
func (r *line) temporary(c *lang.Clause) bool {
	if c.Verb.Tense != lang.Present {
		return false
	}
	from := c.From
	if c.Prefix[1] > c.Prefix[0] {
		from = c.Prefix[0]
	}
	for i := from; i < c.To; i++ {
		switch r.norm(i) {
		case "temporarily", "today", "tonight":
			return true
		case "this":
			if w := r.norm(i + 1); w == "week" || w == "month" || w == "weekend" || w == "summer" || w == "winter" || w == "morning" || w == "afternoon" || w == "evening" || w == "semester" || w == "term" {
				return true
			}
		case "for":
			if r.norm(i+1) == "the" && (r.norm(i+2) == "next" || r.norm(i+2) == "day" || r.norm(i+2) == "week" || r.norm(i+2) == "weekend" || r.norm(i+2) == "summer") || r.norm(i+2) == "days" || r.norm(i+2) == "weeks" && !c.Verb.Perfect {
				return true
			}
		}
		if f, ok := r.dateAt(i); ok && f.Resolved && (f.Span.Rel == clock.Until || f.Span.Rel == clock.By) {
			return true
		}
	}
	return false
}

// longTime reports whether "for" at i begins a stretch of months or years.
func (r *reader) longTime(i, to int) bool {
	for j := i + 1; j < to && j <= i+4; j++ {
		switch r.norm(j) {
		case "year", "years", "months", "decade", "decades":
			return true
		}
	}
	return false
}

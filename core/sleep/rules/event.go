package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// event reads a clause with a date: "I went trekking last Saturday".
func (r *line) event(c *lang.Clause) {
	v := c.Verb
	if !r.svo() || v.Lemma == "" || v.Negated || v.Ended || v.Modal || v.Can || c.Condition || c.Supposed || c.Reported || c.Hedged || c.Wish || c.Question || c.Governed >= 0 {
		return
	}
	if r.w.Word("no events", v.Lemma) {
		return
	}
	f, ok := r.onlyDate(c)
	if !ok || v.Tense == lang.Present && !v.Perfect && !v.Prog && v.Lemma != "have" && v.Lemma != "be" && !ahead(f, r.l) {
		return
	}
	if (v.Tense == lang.Future || v.Prog && v.Tense == lang.Present) && f.Span.End.String() < r.l.Day() {
		return // "I'm going to … from September"
	}
	if r.described(c) || v.Lemma == "be" && !v.Prog && !v.Passive && r.mood(c, f) || r.w.Word("no events", r.norm(v.To-1)) {
		return
	}
	subject := r.subject(c)
	var from int
	switch c.Subject.Who {
	case lang.First, lang.Person, lang.Third:
		from = max(v.To-1, v.From)
		if v.Lemma == "be" || v.Passive {
			from = v.From
		}
		if v.Lemma == "have" && v.Tense != lang.Past {
			from = v.To
		}
	case lang.Mine, lang.Thing, lang.Owned:
		subject, from = core.SubjectUser, c.Subject.From
		if c.Subject.Who == lang.Owned {
			subject = r.who(c.Subject.Owner)
		}
	default:
		return
	}
	if from < c.From && c.Carried {
		from = c.From
	}
	for from < c.To && r.s.Tokens[from].Half {
		from++ // "I'll be": without the speaker
	}
	text := r.without(from, c.To, f)
	if n := len(strings.Fields(text)); n == 0 || n > 16 || !r.telling(text, n, v.Lemma == "be" && from < c.To && from >= v.From) {
		return
	}
	r.add(sleep.Proposal{Event: true, Subject: subject, Value: text, When: r.s.Text[f.Start:f.End]})
}

// described reports whether the clause describes a noun before it and tells nothing:
// "here's a picture I took last week", "the trip we made in May for my birthday".
func (r *line) described(c *lang.Clause) bool {
	if c.Subject.Who != lang.First || c.Lead != "" || c.Carried || c.Prefix[1] > c.Prefix[0] {
		return false
	}
	i := c.From - 1
	if i < 1 || !r.s.Tokens[i].Word || r.s.Lang.At("openers", r.s.Tokens, i) > 0 || r.s.Lang.At("adverbs", r.s.Tokens, i) > 0 || r.s.Lang.Word("time words", r.norm(i)) || r.s.Lang.Word("time units", r.norm(i)) {
		return false
	}
	for k := range r.s.Clauses {
		p := &r.s.Clauses[k]
		if p.To == c.From && (r.s.Lang.Word("reports", p.Verb.Lemma) || p.Condition) {
			return false
		}
	}
	_, dated := r.dateAt(i)
	return !dated
}

// mood reports whether a clause says of a time or a thing how it was and no more:
// "last night was amazing", "I was so tired yesterday".
func (r *line) mood(c *lang.Clause, f clock.Found) bool {
	if c.Subject.Who == lang.Thing || c.Subject.Who == lang.It || c.Subject.Who == lang.Nobody {
		if s := r.s.Tokens[c.Subject.From].Start; c.Subject.To > c.Subject.From && s < f.End && f.Start <= s {
			return true // the subject is the time
		}
	}
	n, other := 0, false
	for i := c.Verb.To; i < c.To; i++ {
		t := r.s.Tokens[i]
		if !t.Word || t.Start < f.End && f.Start < t.End {
			continue
		}
		w := t.Norm
		if r.s.Lang.Word("adverbs", w) || r.s.Lang.Word("light", w) && w != "in" && w != "at" && w != "on" || r.s.Lang.At("tails", r.s.Tokens[:c.To], i) > 0 {
			continue
		}
		n++
		other = other || t.Cap || lang.HasDigit(w) || w == "in" || w == "at" || w == "on" || strings.HasSuffix(w, "ing") || r.s.Lang.Word("kin", w) || r.s.Lang.Verb(w)
	}
	return n == 1 && !other || n == 0 && c.Subject.Who != lang.Mine
}

// telling reports whether the text of an event says what happened: "did it" and "was
// wild" do not.
func (r *line) telling(text string, n int, be bool) bool {
	content, capital := 0, false
	words, _ := r.req.Env.Languages.Content(text)
	for _, w := range words {
		if !r.s.Lang.Word("it", w.Norm) && !r.s.Lang.Word("light", w.Norm) {
			content++
			capital = capital || w.Name
		}
	}
	if strings.HasSuffix(text, " except") || strings.HasSuffix(text, "'s") || strings.HasSuffix(text, "’s") || content == 0 {
		return false
	}
	if be && n <= 2 {
		return capital || content > 1
	}
	return n > 1 || capital || len(text) > 3
}

func ahead(f clock.Found, l *sleep.Line) bool { return f.Span.Start.String() > l.Day() }

// onlyDate returns the one resolved time of a clause.
func (r *line) onlyDate(c *lang.Clause) (clock.Found, bool) {
	start, end := r.s.Tokens[c.From].Start, r.s.Tokens[c.To-1].End
	if p := c.Prefix; p[1] > p[0] {
		start = min(start, r.s.Tokens[p[0]].Start)
	}
	var only clock.Found
	n := 0
	for _, f := range r.dates {
		if f.Resolved && f.Start < end && start < f.End {
			only = f
			n++
		}
	}
	return only, n == 1
}

// without is the text of tokens from to to without a time and closing words.
func (r *line) without(from, to int, f clock.Found) string {
	var parts []string
	flush := func(a, b int) {
		if a < b {
			parts = append(parts, r.text(a, b))
		}
	}
	start := from
	for i := from; i < to; i++ {
		if t := r.s.Tokens[i]; t.Start < f.End && f.Start < t.End {
			flush(start, i)
			start = i + 1
		}
	}
	for start < to && (!r.s.Tokens[to-1].Word || r.s.Lang.At("tails", r.s.Tokens[:to], to-1) == 1) {
		to--
	}
	flush(start, to)
	s := strings.Trim(strings.Join(parts, " "), " ,;:-")
	for _, w := range []string{" on", " in", " at", " by", " is", " was", " are"} {
		s = strings.TrimSuffix(s, w)
	}
	for _, w := range []string{"my ", "the ", "our ", "a ", "an ", "My ", "The ", "Our "} {
		s = strings.TrimPrefix(s, w)
	}
	return strings.TrimSpace(s)
}

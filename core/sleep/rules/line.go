package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// line extracts from one line.
type line struct {
	reader
	req  *sleep.Request
	l    *sleep.Line
	last *sleep.Proposal // the last state of the session

	astray bool   // the line before, of any record, may be about somebody else
	inLine bool   // last is of this line
	topic  string // of what the speaker said that there is a new one: "dentist"
	out    []sleep.Proposal

	before []sleep.Proposal // of the lines before

	announced bool            // a line before said that rules follow
	names     map[string]bool // of the lines before
	asked     map[string]bool // whether the book knows a name
	others    bool            // the line before is about somebody else
}

func (r *line) read() {
	if r.noMore() || r.labelled() {
		return
	}
	for i := range r.s.Clauses {
		c := &r.s.Clauses[i]
		if r.s.Tokens[c.From].Quoted || c.Question || c.Reported && !r.states(i, c) || c.Elided && r.astray {
			continue
		}
		before := len(r.out)
		r.clause(i, c)
		if len(r.out) == before || r.out[before].Ended || c.Verb.Lemma == "buy" || c.Verb.Lemma == "get" && r.w.Word("marital", r.norm(c.Verb.To)) {
			r.event(c)
		}
	}
}

// clause tries the readings of a clause until one gives something.
func (r *line) clause(i int, c *lang.Clause) {
	if r.called(c) && c.Subject.Who != lang.First && c.Subject.Who != lang.Mine || r.svo() && r.introduces(c) {
		return
	}
	if r.l.Rules && (r.forbid(i, c) || r.ban(i, c) || r.forbids(c) || r.lift(i, c) || r.instruct(i, c)) {
		return
	}
	if !r.states(i, c) || c.Relative && c.Subject.Who == lang.First {
		return
	}
	if r.svo() && (r.correct(i, c) || r.change(c) || r.replaced(c) || r.ending(c) || r.gone(c) || r.family(c) || r.copula(c)) {
		return
	}
	r.patterns(c)
	if i == 0 && len(r.out) == 0 {
		r.fragment(c)
	}
	if r.l.Own && len(r.out) == 0 {
		r.habit(c)
	}
}

// states reports whether a clause states something: also what somebody is reported to
// say of himself, "my manager said she's allergic to lilies".
func (r *line) states(i int, c *lang.Clause) bool {
	if i > 0 && c.Reported && c.Said && c.Subject.Who == lang.Third && !c.Subject.Plural && r.alone(&r.s.Clauses[i-1]) {
		d := *c
		d.Reported = false
		return d.States()
	}
	return c.States()
}

// alone reports whether a clause speaks of one person and of no other: who "he" is in what
// Karim told Ben nobody knows.
func (r *line) alone(c *lang.Clause) bool {
	if c.Subject.Who != lang.Person || c.Subject.Plural {
		return false
	}
	for _, p := range r.s.Persons() {
		if p.From >= c.Verb.From && p.From < c.To {
			return false
		}
	}
	return true
}

// add proposes a state.
func (r *line) add(p sleep.Proposal) {
	p.Cites = []string{r.l.Tag()}
	if p.Subject == "" || p.Subject == core.SubjectUser && !r.l.Own {
		return
	}
	r.out = append(r.out, p)
}

// subject returns whom a clause is about as an item's subject, or "".
func (r *line) subject(c *lang.Clause) string { return r.who(&c.Subject) }

func (r *line) who(s *lang.Subject) string {
	switch s.Who {
	case lang.First, lang.Mine:
		return core.SubjectUser
	case lang.Person:
		if strings.Contains(s.Name, " and ") {
			return "" // each of them would need a fact
		}
		return s.Name
	case lang.Thing:
		if r.l.Own && s.Noun != "" && (r.norm(s.From) == "the" || r.norm(s.From) == "our") {
			return core.SubjectUser
		}
	case lang.Third:
		if s.To > s.From {
			return r.norm(s.From)
		}
		switch s.Gender {
		case 'm':
			return "he"
		case 'f':
			return "she"
		}
		return "they"
	}
	return ""
}

// patterns tries the patterns of the language on a clause.
func (r *line) patterns(c *lang.Clause) {
	m := &matcher{words: r.w.Lists, s: r.s, verb: c.Verb, to: c.To}
	start := c.Verb.From
	if r.svo() {
		if c.Verb.Lemma == "" {
			return
		}
	} else {
		start = c.From
	}
	for i := range r.w.patterns {
		p := &r.w.patterns[i]
		if !r.applies(p, c) {
			continue
		}
		for _, be := range []bool{false, true} {
			if be && !(c.Verb.Passive || c.Verb.Prog) {
				continue
			}
			m.be = be
			if caps, ok := m.match(p, start); ok && r.take(p, c, caps) {
				return
			}
		}
	}
}

func (r *line) svo() bool { return r.s.Lang.HasVerbs() }

// applies checks the options of a pattern that concern the clause.
func (r *line) applies(p *pattern, c *lang.Clause) bool {
	o := p.options
	v := c.Verb
	past := v.Tense == lang.Past
	if r.isPet(c) && (len(p.attributes) != 1 || !ofPets[p.attributes[0]]) {
		return false
	}
	switch {
	case r.isPet(c) && !o["first"] && !o["mine"]:
		return o["negated"] == v.Negated && v.Tense == lang.Present && !v.Used
	case r.svo() && o["mine"] != (c.Subject.Who == lang.Mine || c.Subject.Who == lang.Thing && r.l.Own && (r.norm(c.Subject.From) == "the" || r.norm(c.Subject.From) == "our")):
		return false
	case o["negated"] != v.Negated && o["negated"]:
		return false
	case v.Negated && r.svo() && len(p.attributes) > 0 && p.attributes[0] == "uses for <noun>":
		return false
	case o["first"] && c.Subject.Who != lang.First:
		return false
	case o["negated"] && !v.Negated:
		return false
	case o["sure"] && c.Subject.Unsure && !r.known(&c.Subject):
		return false
	case c.Subject.Who == lang.Person && c.Subject.Unsure && !firm[v.Lemma] && !r.known(&c.Subject):
		return false
	case !r.svo():
		return true
	case !v.Used && r.once(p, c):
		return true
	case o["any"]:
		return v.Tense != lang.Future
	case o["past"]:
		return past || v.Perfect
	case v.Used:
		return true
	}
	return v.Tense == lang.Present || v.Tense == lang.NoTense
}

// firm are verbs that only persons do, so that a capital letter at the beginning of
// a line is enough of a name.
var firm = map[string]bool{
	"live": true, "work": true, "speak": true, "study": true, "like": true, "love": true, "hate": true, "move": true, "join": true,
	"marry": true, "prefer": true, "drive": true, "teach": true, "enjoy": true, "dislike": true, "own": true, "play": true,
}

// ofPets are attributes that an animal of the speaker's may have itself.
var ofPets = map[string]bool{"allergy": true, "likes": true, "dislikes": true, "health": true, "afraid of": true}

// isPet reports whether a clause is about an animal of the speaker's.
func (r *line) isPet(c *lang.Clause) bool {
	s := &c.Subject
	return s.Who == lang.Mine && r.l.Own && (r.w.Word("pets", last(s.Noun)) || hasName(r, *s))
}

func (r *line) known(s *lang.Subject) bool {
	if r.names[s.Proper] {
		return true
	}
	if r.req.Batch == nil || r.req.Batch.Book == nil || s.Proper == "" {
		return false
	}
	ok, asked := r.asked[s.Proper]
	if !asked {
		ok = r.req.Batch.Book.KnownName(s.Proper)
		if r.asked == nil {
			r.asked = map[string]bool{}
		}
		r.asked[s.Proper] = ok
	}
	return ok
}

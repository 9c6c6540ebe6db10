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
	out  []sleep.Proposal

	before []sleep.Proposal // of the lines before
}

func (r *line) read() {
	for i := range r.s.Clauses {
		c := &r.s.Clauses[i]
		if r.s.Tokens[c.From].Quoted || c.Question || c.Reported {
			continue
		}
		before := len(r.out)
		r.clause(i, c)
		if len(r.out) == before || r.out[before].Ended {
			r.event(c)
		}
	}
}

// clause tries the readings of a clause until one gives something.
func (r *line) clause(i int, c *lang.Clause) {
	if r.l.Rules && (r.forbid(i, c) || r.lift(c)) {
		return
	}
	if !c.States() {
		return
	}
	if r.svo() && (r.correct(c) || r.called(c) || r.family(c) || r.copula(c)) {
		return
	}
	r.patterns(c)
	if r.l.Own && len(r.out) == 0 {
		r.habit(c)
	}
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
	switch {
	case o["mine"] != (c.Subject.Who == lang.Mine || c.Subject.Who == lang.Thing && r.l.Own && (r.norm(c.Subject.From) == "the" || r.norm(c.Subject.From) == "our")):
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
	case c.Subject.Who == lang.Person && c.Subject.Unsure && !r.known(&c.Subject) && !firm[v.Lemma]:
		return false
	case !r.svo():
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

func (r *line) known(s *lang.Subject) bool {
	return r.req.Batch != nil && r.req.Batch.Book != nil && s.Proper != "" && r.req.Batch.Book.KnownName(s.Proper)
}

// take makes proposals of a match. It is false when a value is not of the wanted
// kind, so that another pattern may try.
func (r *line) take(p *pattern, c *lang.Clause, caps []capture) bool {
	noun := ""
	var values []capture
	for _, k := range caps {
		switch k.kind {
		case "any":
		case "noun":
			from, to := r.trim(capture{"place", k.From, k.To})
			if noun = r.text(from, to); noun == "" || to-from > 4 {
				return false
			}
		default:
			values = append(values, k)
		}
	}
	subject := r.subject(c)
	if subject == "" {
		if !r.svo() {
			subject = r.plainSubject(c)
		}
		if subject == "" {
			return false
		}
	}
	if p.attributes[0] == "home city" && c.Verb.Lemma == "move" || p.attributes[0] == "moves on" {
		attr, ok := r.succession(c)
		switch {
		case ok:
			p = &pattern{attributes: []string{attr}, options: map[string]bool{"first": true}}
		case p.attributes[0] == "moves on" || len(values) > 0 && r.numbered(values[0]):
			return false
		}
	}
	if p.attributes[0] == "sold" {
		r.add(sleep.Proposal{Subject: subject, Attribute: noun, Ended: true})
		return true
	}
	if len(values) == 0 && len(p.elements) > 0 { // "I am retired"
		last := len(p.elements) - 1
		if w := p.elements[last].words; len(w) == 1 {
			values = []capture{{"value", c.To, c.To}}
			for j := c.Verb.From; j < c.To; j++ {
				if r.norm(j) == w[0] {
					values[0] = capture{"value", j, j + 1}
				}
			}
		}
	}
	var props []sleep.Proposal
	for i, k := range values {
		if i >= len(p.attributes) {
			break
		}
		attr := strings.NewReplacer("<noun>", noun, "<subject>", strings.ToLower(c.Subject.Noun)).Replace(p.attributes[i])
		opts := p
		if i > 0 {
			opts = &pattern{attributes: p.attributes} // how a value begins is asked of the first
		}
		got := r.values(opts, c, attr, subject, k)
		if got == nil {
			return false
		}
		props = append(props, got...)
	}
	for _, q := range props {
		r.add(q)
	}
	return len(props) > 0
}

// succession returns the attribute under which X is known in "we moved from X to
// Y" and "I left X for Y": that is what Y is too.
func (r *line) succession(c *lang.Clause) (string, bool) {
	from := -1
	for j := c.Verb.To; j+1 < c.To && from < 0; j++ {
		if r.norm(j) == "from" {
			from = j + 1
		}
	}
	k := capture{"name", from, c.To}
	switch {
	case from < 0 && c.Verb.Lemma == "move":
		// "we moved to Postgres 17": only what has a version is known by it
		for j := c.Verb.To; j+1 < c.To; j++ {
			if r.norm(j) == "to" {
				k = capture{"name", j + 1, c.To}
				break
			}
		}
		if k.From < 0 || !r.numbered(k) {
			return "", false
		}
	case from < 0:
		k.From = c.Verb.To
		for j := k.From; j < c.To; j++ {
			if r.norm(j) == "for" {
				k.To = j
				break
			}
		}
	}
	f, t := r.trim(k)
	if f >= t {
		return "", false
	}
	old := r.text(f, t)
	for i := len(r.before) - 1; i >= 0; i-- {
		if p := r.before[i]; !p.Event && p.Subject == core.SubjectUser && sleep.SameKind(p.Value, old) {
			return p.Attribute, true
		}
	}
	if r.req.Batch != nil && r.req.Batch.Book != nil {
		return r.req.Batch.Book.HeldAs(core.SubjectUser, old)
	}
	return "", false
}

func (r *line) numbered(k capture) bool {
	from, to := r.trim(k)
	return from < to && lang.HasDigit(r.text(from, to))
}

// values makes the proposals of one capture, or nil.
func (r *line) values(p *pattern, c *lang.Clause, attr, subject string, k capture) []sleep.Proposal {
	from, to := r.trim(k)
	parts := [][2]int{{from, to}}
	if k.kind == "list" {
		parts = r.split(from, to)
	}
	var out []sleep.Proposal
	for n, q := range parts {
		f, t := r.trim(capture{k.kind, q[0], q[1]})
		if !r.usable(f, t, k.kind) {
			if n == 0 {
				return nil
			}
			continue
		}
		opts := p.options
		if n > 0 {
			opts = nil
		}
		if !r.fits(f, t, k, opts) {
			return nil
		}
		if attr == "ends" && f+1 < t && endedActs[r.norm(f)] != "" {
			for f++; f+1 < t && (r.norm(f) == "at" || r.norm(f) == "in" || r.norm(f) == "for" || r.norm(f) == "as"); f++ {
			}
		}
		s := sleep.Proposal{Subject: subject, Attribute: r.attribute(attr, c, f, t), Value: r.text(f, t), Ended: p.options["ended"], Prohibited: p.options["rule"]}
		if attr == "avoids" && c.Verb.Negated {
			s.Value = r.text(c.Verb.From, t)
		}
		if p.options["event"] {
			s.Event, s.Attribute = true, ""
		}
		out = append(out, s)
	}
	return out
}

// attribute completes the names that depend on the value.
func (r *line) attribute(attr string, c *lang.Clause, from, to int) string {
	switch attr {
	case "prefers":
		return r.preference(from, to)
	case "ends":
		if r.s.Tokens[from].Cap {
			return "employer"
		}
		if from > 0 {
			if a, ok := endedActs[r.norm(from-1)]; ok {
				return a
			}
		}
		return "habit"
	}
	return attr
}

// endedActs are the attributes of what somebody stopped doing.
var endedActs = map[string]string{
	"liking": "likes", "loving": "likes", "enjoying": "likes", "drinking": "drinks", "eating": "eats", "using": "uses", "working": "employer",
	"living": "home city", "playing": "plays", "wearing": "wears", "taking": "medication", "driving": "car", "speaking": "language", "preferring": "preference",
	"hating": "dislikes", "avoiding": "avoids", "collecting": "hobby", "keeping": "keeps",
}

// preference names what a preference is about: "window seats" and "aisle seats"
// are two values of preferred seats.
func (r *line) preference(from, to int) string {
	head := to
	for i := from; i < to; i++ {
		switch r.norm(i) {
		case "for", "in", "with", "at", "on", "when", "over", "to", "of", "from", "near", "by", "without", "under", "between", "after", "before", "during", "that", "which", "where":
			if r.norm(i) == "for" && i > from {
				return "preference for " + r.text(i+1, to)
			}
			head = min(head, i)
		}
	}
	if head-from < 2 || r.s.Tokens[head-1].Cap {
		return "preference"
	}
	return "preferred " + strings.ToLower(r.text(head-1, head))
}

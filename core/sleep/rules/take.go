package rules

import (
	"cmp"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// take makes proposals of a match. It is false when a value is not of the wanted
// kind, so that another pattern may try.
func (r *line) take(p *pattern, c *lang.Clause, caps []capture) bool {
	noun := ""
	var values, olds []capture
	for _, k := range caps {
		switch k.kind {
		case "any":
		case "old":
			olds = append(olds, k)
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
	if p.attributes[0] == "<noun>" && c.Subject.Who == lang.Person && c.Subject.Mine && strings.EqualFold(noun, c.Subject.Kin) {
		subject = core.SubjectUser // "my brother's name is …"
	}
	if subject == "" {
		if !r.svo() {
			subject = r.plainSubject(c)
		}
		if subject == "" {
			return false
		}
	}
	if r.isPet(c) {
		subject = strings.ToLower(r.theOne(c.Subject.Noun))
		if hasName(r, c.Subject) {
			subject = c.Subject.Noun
		}
	}
	if p.attributes[0] == "home city" && c.Verb.Lemma == "move" || p.attributes[0] == "moves on" {
		attr, old, ok := r.succession(c)
		switch {
		case ok:
			if old[0] < old[1] {
				olds = append(olds, capture{"old", old[0], old[1]})
			}
			p = &pattern{attributes: []string{attr}, options: map[string]bool{"first": true, "past": true}}
		case p.attributes[0] == "moves on" || len(values) > 0 && r.numbered(values[0]):
			return false
		}
	}
	if p.attributes[0] == "uses" && len(olds) > 0 {
		// "from X to Y": Y is what X was, be it an editor or a bank.
		if from, to := r.trim(olds[0]); from < to {
			if attr, ok := r.heldAs(from, to); ok && sleep.AttributeOf(attr).Key != sleep.AttributeOf("uses").Key {
				p = &pattern{attributes: []string{attr}, options: map[string]bool{"first": true, "past": true}}
			} else if !ok && r.s.Lang.Word("my", r.norm(olds[0].From)) {
				noun, is := r.noun(r.text(from, to)) // "I replaced my phone with a …"
				if !is || to-from > 3 {
					return false
				}
				p, olds = &pattern{attributes: []string{noun}, options: map[string]bool{"first": true, "past": true, "upper": true}}, nil
			}
		}
	}
	if p.attributes[0] == "sold" {
		for _, k := range caps { // "I sold my Polo"
			f, t := r.trim(k)
			if attr, ok := r.heldAs(f, t); k.kind == "noun" && f < t && r.s.Tokens[f].Cap && ok {
				r.add(sleep.Proposal{Subject: subject, Attribute: attr, Value: noun, Ended: true})
				return true
			}
		}
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
	if shortLived[p.attributes[0]] && !c.Verb.Used && r.temporary(c) {
		return false
	}
	var props []sleep.Proposal
	for i, k := range values {
		if i >= len(p.attributes) {
			break
		}
		attr := strings.NewReplacer("<noun>", noun, "<subject>", r.thingName(c.Subject.Noun)).Replace(p.attributes[i])
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
	if len(props) > 0 && sleep.AttributeOf(p.attributes[0]).Many { // of others, the new value takes the old one's place
		for _, k := range olds {
			if from, to := r.trim(k); from < to {
				r.add(sleep.Proposal{Subject: subject, Attribute: p.attributes[0], Value: r.text(from, to), Ended: true})
			}
		}
	}
	return len(props) > 0
}

// thingName is a thing without where it is: "team at Nimbus" is the team.
func (r *line) thingName(noun string) string {
	noun = strings.ToLower(noun)
	for _, w := range []string{" at ", " in ", " on ", " from ", " for "} {
		noun, _, _ = strings.Cut(noun, w)
	}
	return noun
}

// succession returns the attribute under which X is known in "we moved from X to
// Y" and "I left X for Y", and where X stands: that is what Y is too.
func (r *line) succession(c *lang.Clause) (attr string, old [2]int, ok bool) {
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
			return "", old, false
		}
	case from < 0:
		k.From = c.Verb.To
		if r.norm(k.From) == "in" {
			k.From++
		}
		for j := k.From; j < c.To; j++ {
			if r.norm(j) == "for" || r.norm(j) == "in" && (r.norm(j+1) == "favour" || r.norm(j+1) == "favor") {
				k.To = j
				break
			}
		}
	}
	f, t := r.trim(k)
	if f >= t {
		return "", old, false
	}
	attr, ok = r.heldAs(f, t)
	if from >= 0 || c.Verb.Lemma != "move" {
		old = [2]int{f, t}
	}
	return attr, old, ok
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
		for _, q := range parts {
			if f, t := r.trim(capture{k.kind, q[0], q[1]}); len(parts) > 1 && (f >= t || t-f > 4) {
				parts = [][2]int{{from, to}} // "a safe, inviting place to grow" is one thing
				break
			}
		}
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
		f = r.named(f, t, attr)
		if attr == "<made>" {
			f = r.makeAt(f, t)
		}
		if attr == "prefers" && (r.w.Word("passing choices", r.norm(t-1)) && (r.norm(f-1) == "the" || r.norm(f-1) == "this" || r.norm(f-1) == "that" || r.norm(f-1) == "your" || t-f == 1 || r.norm(f) == "your" || r.norm(f) == "this" || r.norm(f) == "that" || r.norm(f) == "first" || r.norm(f) == "second") || r.norm(f) == "not" || r.norm(f) == "to" && r.norm(f+1) == "not") {
			return nil // "the second option" of what was just offered
		}
		if attr == "name" && (r.norm(f-1) == "the" || r.norm(t) == "'s" || r.w.At("not oneself", r.s.Tokens[:t], f) == t-f) {
			return nil // "I'm the Pope", "I'm Tom's brother"
		}
		if attr == "owns" && r.s.Lang.Word("my", r.norm(f)) {
			return nil // "I own my mistakes"
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
		name := r.attribute(attr, c, f, t)
		switch {
		case attr == "ends" && subject == core.SubjectUser:
			held := ""
			held, t = r.endsAs(f, t)
			name = cmp.Or(held, name)
		case attr == "language":
			t = r.tongue(f, t)
		case attr == "uses":
			name, t = r.usedAs(f, t)
		case attr == "employer" && c.Verb.Lemma == "start" && subject != core.SubjectUser && r.schooled(t-1, c):
			name = "school"
		}
		s := sleep.Proposal{Subject: subject, Attribute: name, Value: r.text(f, t), Ended: p.options["ended"], Prohibited: p.options["rule"]}
		s.Past = pastKinds[attr] && !c.Verb.Negated && (c.Verb.Used || r.once(p, c))
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

// tongue returns where the name of a language ends: "Igbo with the kids" is Igbo.
func (r *line) tongue(from, to int) int {
	for j := from + 1; j < to; j++ {
		switch r.norm(j) {
		case "with", "at", "to", "in", "when", "fluently", "well", "as", "for", "on":
			return j
		}
	}
	return to
}

// schooled reports whether somebody who started at a school goes there, and does not
// work there: a child, or anybody who starts at a school for small ones.
func (r *line) schooled(last int, c *lang.Clause) bool {
	switch r.norm(last) {
	case "kindergarten", "nursery", "primary", "preschool", "elementary", "daycare":
		return true
	}
	return r.w.Word("schools", r.norm(last)) && sleep.AttributeOf(c.Subject.Kin).Name == "child"
}

// usedAs reads "zsh as my shell", "Arch on my laptop": what a thing is used as, and where
// its name ends.
func (r *line) usedAs(from, to int) (attribute string, end int) {
	for j := from + 1; j+1 < to; j++ {
		w, owned := r.norm(j), r.s.Lang.Word("my", r.norm(j+1)) || r.norm(j+1) == "the" || r.norm(j+1) == "a" || r.norm(j+1) == "an"
		switch {
		case !owned:
		case w == "as" && to-j < 6:
			if noun, ok := r.noun(r.text(j+2, to)); ok {
				return noun, j
			}
		case w == "on" || w == "at" || w == "in" || w == "for":
			return "uses", j
		}
	}
	return "uses", to
}

// named returns where the name begins in "a place called The Crooked Spoon", and the
// language in "a bit of Finnish".
func (r *line) named(from, to int, attr string) int {
	switch attr {
	case "employer", "school", "university", "volunteers", "runs", "owns":
		for i := from + 1; i+1 < to; i++ {
			if w := r.norm(i); (w == "called" || w == "named") && r.s.Tokens[i+1].Cap {
				return i + 1
			}
		}
	case "language":
		for from+1 < to && !r.s.Tokens[from].Cap {
			switch r.norm(from) {
			case "bit", "little", "some", "of", "a", "basic", "fluent", "broken", "also":
				from++
				continue
			}
			break
		}
	}
	return from
}

// attribute completes the names that depend on the value.
func (r *line) attribute(attr string, c *lang.Clause, from, to int) string {
	switch attr {
	case "<made>":
		return r.made(from, to)
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
	"hating": "dislikes", "seeing": "partner", "dating": "partner", "learning": "learning", "studying": "field of study", "avoiding": "avoids", "collecting": "hobby", "keeping": "keeps",
}

// preference names what a preference is about: "window seats" and "aisle seats"
// are two values of preferred seats.
func (r *line) preference(from, to int) string {
	head := to
	for i := from; i < to; i++ {
		switch r.norm(i) {
		case "and", ",":
			return "preference" // of two things
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

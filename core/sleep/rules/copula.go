package rules

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// copula reads "my X is Y", "Y is my X", "Wanda's X is Y" and "the X is Y".
func (r *line) copula(c *lang.Clause) bool {
	if !r.svo() {
		return false
	}
	v := c.Verb
	if r.onNow(c) || r.newOne(c) {
		return true
	}
	if f := strings.Fields(strings.ToLower(c.Subject.Noun)); c.Subject.Who == lang.Mine && len(f) == 2 && f[1] == "allergy" && v.Passive && (v.Lemma == "go" || v.Lemma == "cure") {
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "allergy", Value: f[0], Ended: true})
		return true // "my wasp allergy is gone"
	}
	named := v.Passive && (v.Lemma == "call" || v.Lemma == "name")
	if v.Lemma != "be" && !named || v.Tense != lang.Present {
		return r.changed(c) || r.schedule(c)
	}
	sub := &c.Subject
	switch sub.Who {
	case lang.Mine:
		if named {
			return r.thing(c, core.SubjectUser, sub.Noun, true)
		}
		return r.thing(c, core.SubjectUser, sub.Noun, false)
	case lang.Owned:
		return r.owned(c, named)
	case lang.Person:
		return r.relation(c, named) || r.mine(c) || r.theirs(c) || sub.Unsure && r.definite(c)
	case lang.Thing:
		return r.mine(c) || r.definite(c)
	}
	return false
}

// complement is what follows the verb.
func (r *line) complement(c *lang.Clause) capture { return capture{"value", c.Verb.To, c.To} }

// thing reads "my X is Y".
func (r *line) thing(c *lang.Clause, subject, noun string, named bool) bool {
	noun, ok := r.noun(r.theOne(noun))
	if !ok {
		return false
	}
	for i := c.Verb.From; i <= c.Verb.To && i < c.To; i++ {
		if !named && r.w.Word("intensifiers", r.norm(i)) {
			return false
		}
	}
	k := r.complement(c)
	if r.w.Word("pets", last(noun)) && (named || r.upperAt(k)) {
		noun += " name"
	}
	from, to := r.trim(k)
	if !named && r.dateOnly(k) {
		return r.dated(c, subject, noun, k)
	}
	if from >= to || !named && r.w.At("no values", r.s.Tokens[:to], from) > 0 && !r.s.Tokens[from].Cap || !r.usable(from, to, "value") {
		return false
	}
	if w := r.norm(from); !named && !r.s.Tokens[from].Cap && (strings.HasSuffix(w, "ing") && len(w) > 4 && !r.activity(noun) || to == from+1 && adjective(w) && !strings.HasPrefix(noun, "favourite") && !strings.HasPrefix(noun, "favorite")) {
		return false
	}
	if r.w.Word("work nouns", noun) && !r.job(from, to) {
		return false
	}
	if to == from+1 && r.w.Word("colours", r.norm(from)) && last(noun) != "colour" && last(noun) != "color" {
		noun += " colour"
	}
	switch r.norm(from) {
	case "in", "at", "on", "under", "near", "behind", "beside":
		if r.s.Lang.Word("it", r.norm(from+1)) || from+1 >= to {
			return false
		}
		if r.hour(from+1, to) {
			r.add(sleep.Proposal{Subject: subject, Attribute: r.timed(noun), Value: r.text(from+1, to)})
			return true
		}
		noun += " location"
		if r.s.Tokens[from+1].Cap || lang.HasDigit(r.norm(from+1)) {
			from++
		}
	case "to", "of", "with", "for", "from":
		return false
	}
	if r.s.Lang.Word("my", r.norm(from)) && to-from > 1 { // "my boss is my neighbour"
		return false
	}
	if !named && r.article(from) && r.w.Word("codes", last(noun)) {
		return false // "my password is a secret"
	}
	if !named && r.years(from, to) {
		if last(noun) == "age" {
			return false
		}
		noun += " age" // "my dog is 4 years old"
	}
	if hasName(r, c.Subject) && !named {
		return false // "my cat Miso is …" is about Miso
	}
	parts := [][2]int{{from, to}}
	if a := sleep.AttributeOf(noun); a.Known && a.Many {
		parts = r.split(from, to)
	}
	for _, q := range parts {
		if f, t := r.trim(capture{"value", q[0], q[1]}); f < t {
			r.add(sleep.Proposal{Subject: subject, Attribute: noun, Value: r.text(f, t)})
		}
	}
	return true
}

// hasName reports whether the noun of a subject ends in a proper name.
func hasName(r *line, s lang.Subject) bool {
	return s.Who == lang.Mine && s.To > s.From+2 && r.s.Tokens[s.To-1].Cap && r.w.Word("pets", r.norm(s.To-2))
}

// activity reports whether a noun may be something one does: "my hobby is painting".
func (r *line) activity(noun string) bool {
	return strings.HasPrefix(noun, "favourite") || strings.HasPrefix(noun, "favorite") || r.w.Word("activity nouns", last(noun)) || r.w.Word("work nouns", noun)
}

// adjective reports whether a word has an ending that only describes.
func adjective(w string) bool {
	for _, end := range []string{"ful", "less", "ous", "ible", "able", "ive", "ish", "ly", "esome", "ened", "ied"} {
		if strings.HasSuffix(w, end) && len(w) > len(end)+2 {
			return true
		}
	}
	return false
}

func last(words string) string {
	f := strings.Fields(strings.ToLower(words))
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1]
}

func (r *line) upperAt(k capture) bool {
	from, to := r.trim(k)
	return from < to && r.s.Tokens[from].Cap && r.norm(from-1) != "a" && r.norm(from-1) != "an"
}

// noun cleans the noun of "my X" and says whether it may be an attribute.
func (r *line) noun(s string) (string, bool) {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(s, "'s", "")))
	words = strings.Fields(strings.NewReplacer("’s", "", ",", "").Replace(strings.Join(words, " ")))
	var keep []string
	for _, w := range words {
		switch w {
		case "new", "current", "own", "present", "actual":
			continue
		case "old", "former", "previous", "ex", "earlier", "ideal", "dream", "next", "future", "potential":
			return "", false
		}
		if r.s.Lang.Word("my", w) || w == "the" || w == "of" && len(keep) == 0 {
			continue
		}
		keep = append(keep, w)
	}
	if len(keep) == 3 && keep[0] == "name" && keep[1] == "of" { // "the name of my dog"
		keep = []string{keep[2], "name"}
	}
	if len(keep) == 0 || len(keep) > 5 {
		return "", false
	}
	all := strings.Join(keep, " ")
	if !strings.HasPrefix(keep[0], "favo") && slices.ContainsFunc(keep, func(w string) bool { return r.w.Word("unreal", w) }) {
		return "", false
	}
	if r.w.Word("no nouns", keep[len(keep)-1]) || len(keep) == 1 && r.w.Word("bare nouns", keep[0]) {
		return "", false
	}
	for i, w := range keep {
		if r.s.Lang.Word("my", w) || i > 0 && r.s.Lang.Reports(w) {
			return "", false // "my doctor said my weight"
		}
		if r.s.Lang.Word("first", w) || r.s.Lang.Word("question words", w) {
			return "", false
		}
	}
	return all, true
}

// dateOnly reports whether the complement is a date and nothing else.
func (r *line) dateOnly(k capture) bool {
	from, to := k.From, k.To
	for to > from && !r.s.Tokens[to-1].Word {
		to--
	}
	for from < to && (r.norm(from) == "on" || r.norm(from) == "in" || r.norm(from) == "at" || r.norm(from) == "by" || r.norm(from) == "due") {
		from++
	}
	if from >= to {
		return false
	}
	for i := from; i < to; i++ {
		if _, ok := r.dateAt(i); ok {
			continue
		}
		switch w := r.norm(i); {
		case w == "at" || w == "on" || w == "the" || w == "of" || w == "now" || w == "pm" || w == "am" || lang.HasDigit(w) || !r.s.Tokens[i].Word:
		case r.s.Lang.At("tails", r.s.Tokens[:to], i) > 0:
		default:
			return false
		}
	}
	_, ok := r.dateAt(from)
	return ok
}

// dated reads "my exam is on 12 November" and "my exam is in two weeks": a date
// that names its day is a value; any date of something that happens is an event.
func (r *line) dated(c *lang.Clause, subject, noun string, k capture) bool {
	from, to := r.trim(capture{"date", k.From, k.To})
	for from < to && (r.norm(from) == "on" || r.norm(from) == "in" || r.norm(from) == "by" || r.norm(from) == "due") {
		from++
	}
	if from >= to {
		return false
	}
	f, _ := r.dateAt(from)
	absolute := lang.HasDigit(r.text(from, to)) && strings.ContainsAny(r.text(from, to), "0123456789") && !strings.Contains(r.text(from, to), "ago")
	done := false
	if absolute && r.norm(from) != "two" {
		r.add(sleep.Proposal{Subject: subject, Attribute: noun, Value: r.text(from, to)})
		done = true
	}
	if r.w.Word("dated", last(noun)) && last(noun) != "birthday" && last(noun) != "anniversary" {
		r.add(sleep.Proposal{Event: true, Subject: subject, Value: noun, When: r.s.Text[f.Start:f.End]})
		done = true
	}
	return done
}

// definite reads "the gate code is 4471": only values that cannot be a remark.
func (r *line) definite(c *lang.Clause) bool {
	sub := &c.Subject
	if !r.l.Own {
		return false
	}
	switch w := r.norm(sub.From); {
	case w == "the" || w == "our":
	case sub.To == sub.From+1 && r.w.Word("meetings", w) && r.norm(c.Verb.To) == "at" && r.hour(c.Verb.To+1, c.To) && !r.anyDate(c.Verb.To+1, c.To):
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: r.timed(w), Value: r.text(r.trim(capture{"date", c.Verb.To + 1, c.To}))})
		return true // "standup is at 9:30"
	case sub.From == r.begin() && r.isNow(c) && r.holds(r.s.Slice(sub.From, sub.To)):
		sub.Noun = r.s.Slice(sub.From, sub.To) // "retention is 30 days now"
	default:
		return false
	}
	k := r.complement(c)
	from, to := r.trim(k)
	noun, ok := r.noun(r.theOne(sub.Noun))
	if !ok || from >= to {
		return false
	}
	if w := r.norm(sub.From); w == "the" && sleep.AttributeOf(noun).Name == "employer" {
		return false // "the company is called …": some company
	}
	if r.dateOnly(k) {
		return r.dated(c, core.SubjectUser, noun, k)
	}
	technical := !r.article(from) && to-from <= 2 && r.w.At("technical nouns", r.s.Tokens[:c.Subject.To], c.Subject.To-1) > 0 && r.w.At("no values", r.s.Tokens[:to], from) == 0 && !adjective(r.norm(from)) && !r.s.Lang.Verb(r.norm(from))
	if w := r.norm(from); (w == "at" || w == "on" || w == "in") && from+1 < to {
		if r.hour(from+1, to) {
			noun = r.timed(noun)
		} else if !lang.HasDigit(r.text(from, to)) && !r.s.Tokens[from+1].Cap && !strings.ContainsAny(r.text(from, to), "./:") {
			return false
		}
		from++
	}
	if !technical && !lang.HasDigit(r.text(from, to)) && !r.nameLike(from, to) || !r.usable(from, to, "value") || to-from > 6 || r.norm(from-1) == "a" || r.norm(from-1) == "an" {
		return false
	}
	if h := r.heldNear(noun); h != "" {
		noun = h // "the base URL" is that of the API
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: noun, Value: r.text(from, r.number(from, to))})
	return true
}

// number returns where a number ends in a value: "5433 on my machine" is 5433.
func (r *line) number(from, to int) int {
	if from+2 < to && lang.HasDigit(r.norm(from)) && (r.norm(from+1) == "on" || r.norm(from+1) == "in" || r.norm(from+1) == "at" || r.norm(from+1) == "for") {
		return from + 1
	}
	return to
}

// schedule reads "my shift starts at six".
func (r *line) schedule(c *lang.Clause) bool {
	if c.Subject.Who != lang.Mine || c.Verb.Tense != lang.Present || c.Verb.Negated {
		return false
	}
	switch c.Verb.Lemma {
	case "start", "begin", "leave", "open", "close", "end", "expire", "arrive", "finish", "run":
	default:
		return false
	}
	if w := r.norm(c.Verb.To); w != "at" && w != "on" && w != "from" && w != "until" && w != "in" {
		return false
	}
	noun, ok := r.noun(c.Subject.Noun)
	from, to := r.trim(capture{"date", c.Verb.To + 1, c.To})
	if !ok || from >= to || to-from > 8 {
		return false
	}
	if f, is := r.dateAt(from); is && f.Resolved {
		r.add(sleep.Proposal{Event: true, Subject: core.SubjectUser, Value: noun + " " + r.text(c.Verb.From, c.Verb.To), When: r.s.Text[f.Start:f.End]})
		return true
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: noun + " " + r.text(c.Verb.From, c.Verb.To), Value: r.text(from, to)})
	return true
}

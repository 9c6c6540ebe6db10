package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// ban reads what a clause says is forbidden, without an order: "it is forbidden to
// deploy on Fridays", "wildcard imports are not allowed", "nobody may restart the
// workers", "secrets must never be committed".
func (r *line) ban(i int, c *lang.Clause) bool {
	if !r.svo() || !r.l.Own || c.Condition || c.Supposed || c.Reported || c.Question || c.Hedged || c.Carried || c.Relative || r.told(i) || r.saidSo(i) {
		return false
	}
	if from := r.nobodyMay(c); from > 0 {
		return r.prohibit(r.trimOrder(from, r.reach(i, c)))
	}
	if at, n := r.bannedAt(c); n > 0 {
		if c.Subject.Who == lang.It {
			if r.norm(at+n) != "to" {
				return false
			}
			return r.prohibit(r.trimOrder(at+n+1, r.reach(i, c)))
		}
		return r.thingBanned(c, at, at+n)
	}
	return r.mustNot(c)
}

// forbids reads an order not to do something in a language that is read without verb
// groups: "production pe kabhi push mat karna".
func (r *line) forbids(c *lang.Clause) bool {
	if r.svo() || !r.l.Own || c.Question || c.Condition || c.Supposed || c.Reported || c.Subject.Who != lang.Nobody && c.Subject.Who != lang.First && !c.Subject.Unsure && r.norm(c.Subject.From) != "use" {
		return false
	}
	from := c.From
	for r.w.Word("never", r.norm(from)) || r.s.Lang.Word("me", r.norm(from)) {
		from++
	}
	for j := from; j < c.To; j++ {
		if r.s.Lang.At("idioms", r.s.Tokens[:c.To], j) > 0 || r.w.Word("sayings", r.norm(j)) {
			return false
		}
		if !r.w.Word("not", r.norm(j)) || !r.w.Word("orders", r.norm(j+1)) {
			continue
		}
		to := j
		for to > from && r.w.Word("never", r.norm(to-1)) {
			to--
		}
		if w := r.norm(j + 1); !r.w.Word("light orders", w) {
			return to > from && r.prohibit(from, j+2)
		}
		return r.prohibit(from, to)
	}
	return false
}

// prohibit proposes a rule of the tokens from to to.
func (r *line) prohibit(from, to int) bool {
	if from >= to {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: r.norm(from), Value: r.text(from, to), Prohibited: true})
	return true
}

// nobodyMay returns where what is forbidden begins in "nobody is allowed to …", or 0.
func (r *line) nobodyMay(c *lang.Clause) int {
	j := c.From
	switch {
	case r.norm(j) == "nobody" || r.norm(j) == "no-one":
		j++
	case r.norm(j) == "no" && r.norm(j+1) == "one":
		j += 2
	default:
		return 0
	}
	switch w := r.norm(j); {
	case w == "may" || w == "must" || w == "should":
		if n := r.norm(j + 1); n != "have" && n != "need" && n != "be" {
			return j + 1
		}
	case w == "is" && (r.norm(j+1) == "allowed" || r.norm(j+1) == "permitted" || r.norm(j+1) == "supposed") && r.norm(j+2) == "to":
		return j + 3
	case w == "is" && r.norm(j+1) == "to":
		return j + 2
	}
	return 0
}

// bannedAt finds "is forbidden", "are not allowed" in a clause and returns where the
// words behind the verb begin and how many they are.
func (r *line) bannedAt(c *lang.Clause) (at, n int) {
	for j := c.From; j+1 < c.To; j++ {
		if w := r.norm(j); w != "is" && w != "are" && w != "'s" && !(j < c.Verb.To && j >= c.Verb.From && w == "it's") {
			continue
		}
		if n := r.w.At("bans", r.s.Tokens[:c.To], j+1); n > 0 {
			return j + 1, n
		}
	}
	return 0, 0
}

// thingBanned reads "smoking is prohibited in my flat": the words before the verb, and
// where the ban holds.
func (r *line) thingBanned(c *lang.Clause, at, end int) bool {
	from, to := c.From, at-1
	for from < to && (r.norm(from) == "and" || r.norm(from) == "so" || r.norm(from) == "the") {
		from++
	}
	switch s := &c.Subject; s.Who {
	case lang.First, lang.Second, lang.Third, lang.Owned:
		return false
	case lang.Person:
		if !s.Unsure && to-from < 2 || s.Kin != "" || s.Plural {
			return false
		}
	}
	for j := from; j < to; j++ {
		if r.s.Lang.Reports(r.norm(j)) {
			return false // "the sign says smoking is prohibited"
		}
	}
	if to <= from || to-from > 6 || r.s.Lang.Word("it", r.norm(from)) && to == from+1 || r.s.Lang.Word("first", r.norm(from)) {
		return false
	}
	f, t := r.trimOrder(end, c.To)
	if r.norm(f) == "to" || r.norm(f) == "by" || r.elsewhere(f, t) {
		return false // "dogs are not allowed at the hotel" is no rule of the speaker's
	}
	value := r.text(from, to)
	if f < t {
		value += " " + r.text(f, t)
	}
	head := to - 1
	for j := from + 1; j < to; j++ {
		if r.s.Lang.Word("condition prepositions", r.norm(j)) || r.norm(j) == "to" || r.norm(j) == "of" {
			head = j - 1
			break
		}
	}
	if strings.HasSuffix(r.norm(from), "ing") {
		head = from
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: r.norm(head), Value: value, Prohibited: true})
	return true
}

// elsewhere reports whether a ban holds where others make the rules.
func (r *line) elsewhere(from, to int) bool {
	for j := from; j < to; j++ {
		switch w := r.norm(j); {
		case w == "there" || w == "his" || w == "her" || w == "their" || r.w.Word("public places", w):
			return true
		case j > from && r.s.Tokens[j].Cap && (r.norm(j-1) == "in" || r.norm(j-1) == "at") && !r.s.Lang.Word("no names", w):
			return true
		}
	}
	return false
}

// mustNot reads "secrets must never be committed", "tests must not touch the network".
func (r *line) mustNot(c *lang.Clause) bool {
	v, s := &c.Verb, &c.Subject
	if !v.Negated || s.To <= s.From || s.Who != lang.Thing && s.Who != lang.Mine && !(s.Who == lang.Person && s.Unsure && s.Kin == "") {
		return false
	}
	must := r.word(v.From, v.To, "must")
	switch {
	case v.Passive && (must || r.word(v.From, v.To, "should") || r.word(v.From, v.To, "may")):
	case must && v.Lemma != "":
	default:
		return false
	}
	from := s.From
	if r.norm(from) == "the" || r.norm(from) == "and" {
		from++
	}
	f, t := r.trimOrder(v.To-1, c.To)
	if v.Lemma == "be" {
		f, t = r.trimOrder(v.To, c.To)
		if !r.word(f, t, "than") {
			return false // "the bill must not be late" is no rule for the listener
		}
	}
	if f >= t || from >= s.To {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: v.Lemma, Value: r.text(from, s.To) + " " + r.text(f, t), Prohibited: true})
	return true
}

// noMore reads "no emojis in commit messages": without a verb, as a rule that is
// announced or begged for, or one that says where it holds.
func (r *line) noMore() bool {
	if !r.svo() || !r.l.Rules || r.s.Question {
		return false
	}
	begin := r.begin()
	if begin > 0 && r.norm(begin-1) == "no" {
		begin-- // no opener here
	}
	begged := r.word(0, begin+1, "please") || r.word(0, begin+1, "rule") || r.word(0, begin+1, "rules") || r.insisted()
	for j := 0; j < len(r.s.Tokens); j++ {
		if r.s.Tokens[j].Quoted {
			return false
		}
		if r.norm(j) == ":" && r.w.Word("announcers", r.norm(j-1)) {
			begged, begin = true, j+1
		}
	}
	found := false
	for j := begin; j < len(r.s.Tokens); {
		for r.norm(j) == "and" || r.norm(j) == "also" || r.norm(j) == "but" || r.norm(j) == "so" || r.norm(j) == "," || r.norm(j) == "please" || r.norm(j) == ":" {
			j++
		}
		if r.norm(j) != "no" || j+1 >= len(r.s.Tokens) || !r.s.Tokens[j+1].Word {
			return found
		}
		from, to := j+1, r.phraseEnd(j+1)
		if r.norm(from) == "more" && (r.announced || begged || found || r.begs(to)) {
			from++ // "no more bullet points, please"
		}
		if !r.bannable(from, to, r.announced || begged || found || r.begs(to)) {
			return found
		}
		r.prohibit(r.trimOrder(from, to))
		found, j = true, to
	}
	return found
}

// phraseEnd returns where a phrase without a verb ends.
func (r *line) phraseEnd(from int) int {
	for j := from; j < len(r.s.Tokens); j++ {
		w := r.norm(j)
		if !r.s.Tokens[j].Word && w != "-" && w != "'" && w != "/" || (w == "and" || w == "or" || w == "but") && r.norm(j+1) == "no" || w == "please" || w == "ever" && j+1 == r.lineEnd() {
			return j
		}
	}
	return len(r.s.Tokens)
}

// begs reports whether "please" stands at i, or "ever" and nothing else: "no puns. Ever."
func (r *line) begs(i int) bool {
	for r.norm(i) == "," || r.norm(i) == "." || r.norm(i) == "!" {
		i++
	}
	return r.norm(i) == "please" || r.norm(i) == "ever" && i+1 == r.lineEnd()
}

// bannable reports whether a phrase behind "no" names what is not to be: with begged,
// any; else it must be a thing, and where.
func (r *line) bannable(from, to int, begged bool) bool {
	if from >= to || to-from > maxValueWords || r.w.At("no bans", r.s.Tokens[:to], from) > 0 {
		return false
	}
	place, ruled := false, false
	for j := from; j < to; j++ {
		w := r.norm(j)
		if r.s.Lang.Word("be", w) || r.s.Lang.Word("first", w) || w == "that" || w == "which" || w == "who" || r.w.At("no bans", r.s.Tokens[:to], j) > 0 {
			return false
		}
		if j > from && (w == "in" || w == "on" || w == "at" || w == "after" || w == "before" || w == "during" || w == "inside" || w == "under") {
			if _, dated := r.dateAt(j); dated && w != "after" && w != "before" {
				return false // "no bugs in this week"
			}
			place = true
			ruled = ruled || w == "after" || w == "before" || w == "during"
		}
		ruled = ruled || place && (r.w.Word("ruled places", w) || r.s.Lang.Word("my", w) || w == "this")
		if w == "today" || w == "yet" || w == "far" || w == "left" || w == "yesterday" || w == "tomorrow" || w == "tonight" || w == "since" || w == "because" {
			return false
		}
	}
	if begged {
		return true
	}
	head := r.norm(from)
	for j := from + 1; j < to && place; j++ {
		if w := r.norm(j); w == "in" || w == "on" || w == "at" || w == "after" || w == "before" || w == "during" || w == "inside" || w == "under" {
			head = r.norm(j - 1)
			break
		}
	}
	return ruled && to == r.lineEnd() && (strings.HasSuffix(head, "s") || strings.HasSuffix(head, "ing") || r.initials(head, from, to))
}

// lineEnd returns where the words of the line end.
func (r *line) lineEnd() int {
	to := len(r.s.Tokens)
	for to > 0 && !r.s.Tokens[to-1].Word {
		to--
	}
	return to
}

// initials reports whether a word between two tokens is written in capitals only: "ORM".
func (r *line) initials(word string, from, to int) bool {
	for j := from; j < to; j++ {
		if w := r.text(j, j+1); r.norm(j) == word && len(w) > 1 && w == strings.ToUpper(w) && w != strings.ToLower(w) {
			return true
		}
	}
	return false
}

// announces reports whether a line says that rules follow, and no more: "house rules:".
func (r *line) announces() bool {
	for i := len(r.s.Tokens) - 1; i >= 0; i-- {
		if r.s.Tokens[i].Word {
			return r.w.Word("announcers", r.norm(i)) && !r.s.Question && len(r.s.Clauses) <= 1
		}
	}
	return false
}

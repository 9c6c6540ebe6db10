package rules

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// forbid reads orders to the listener not to do something.
func (r *line) forbid(i int, c *lang.Clause) bool {
	if !r.svo() || c.Condition || c.Supposed || c.Reported || c.Question || c.Carried || c.Lead == "because" || c.Relative || r.told(i) || r.saidSo(i) {
		return false
	}
	from := -1
	switch c.Subject.Who {
	case lang.Nobody:
		from = r.order(c)
	case lang.Second:
		if c.Verb.Negated && (c.Verb.Modal || c.Verb.Can || c.Verb.Tense == lang.Future || i > 0 && r.norm(r.s.Clauses[i-1].To-1) == "sure") && c.Verb.Lemma != "be" {
			from = c.Verb.To - 1
		}
		switch {
		case c.Verb.Negated && c.Verb.Passive && c.Verb.Lemma == "allow" && r.norm(c.Verb.To) == "to":
			from = c.Verb.To + 1
		case c.Verb.Negated && c.Verb.Lemma == "be" && r.norm(c.Verb.To) == "to":
			from = c.Verb.To + 1 // "you are never to …"
		}
	case lang.First:
		from = r.wanted(c)
	}
	if from < 0 || from >= c.To {
		return false
	}
	to := r.reach(i, c)
	f, t := r.trimOrder(from, to)
	if f >= t {
		return false
	}
	verb := r.norm(f)
	for k := f; k+1 < t && r.s.Lang.Word("light", verb); k++ {
		verb = r.norm(k + 1)
	}
	if t-f == 1 && r.s.Lang.VerbBase(r.norm(f)) && c.Verb.Negated {
		return false // "don't bother", "don't look"
	}
	if f+1 < t && r.s.Lang.Word("question words", r.norm(f+1)) || f+2 < t && r.s.Lang.Word("question words", r.norm(f+2)) {
		return false // "don't ask me why"
	}
	for k := f; k < t; k++ {
		if w := r.norm(k); w == "yourself" || w == "yourselves" {
			return false // advice, not an order
		}
	}
	if r.s.Lang.Word("it", r.norm(f+1)) && t-f == 2 || t-f == 1 && r.s.Lang.Word("common", verb) {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: verb, Value: r.text(f, t), Prohibited: true})
	return true
}

// instruct reads orders to the listener that hold from now on: "always use tabs".
func (r *line) instruct(i int, c *lang.Clause) bool {
	if !r.svo() || c.Subject.Who != lang.Nobody || c.Condition || c.Supposed || c.Reported || c.Question || c.Carried || c.Verb.Negated || r.told(i) || r.saidSo(i) {
		return false
	}
	j := c.From
	for r.norm(j) == "please" || r.norm(j) == "and" || r.norm(j) == "so" || r.norm(j) == "but" || r.norm(j) == "also" {
		j++
	}
	if r.norm(j) != "always" || !r.w.Word("instructions", r.norm(j+1)) {
		return false
	}
	from, to := r.trimOrder(j, r.reach(i, c))
	for k := from; k < to; k++ {
		if w := r.norm(k); w == "yourself" || w == "your" {
			return false // advice
		}
	}
	if to-from < 3 {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "instruction", Value: r.text(from, to)})
	return true
}

// told reports whether the clause before says that somebody said it.
func (r *line) told(i int) bool {
	if i == 0 {
		return false
	}
	p := &r.s.Clauses[i-1]
	if p.Condition || p.Verb.Lemma == "" || r.sentenceBetween(p.To, r.s.Clauses[i].From) {
		return false
	}
	if p.Subject.Who == lang.First {
		return r.toOther(p)
	}
	return r.s.Lang.Word("reports", p.Verb.Lemma) && p.Subject.Who != lang.Nobody
}

// toOther reports whether the speaker says something to another than the listener:
// "I told him: …", "I keep telling my son, …".
func (r *line) toOther(c *lang.Clause) bool {
	for j := c.Verb.To - 1; j+1 < c.To; j++ {
		if w := r.s.Lang.Lemma(r.norm(j)); w != "warn" && w != "remind" && w != "text" && !r.s.Lang.Word("reports", w) {
			continue
		}
		to := r.norm(j + 1)
		return to == "him" || to == "her" || to == "them" || r.s.Lang.Word("my", to) || to == "the" || to == "myself" || r.s.Tokens[j+1].Cap && to != "i"
	}
	return false
}

// saidSo reports whether the clause after an order says that it is somebody else's:
// "avoid the rush, they said".
func (r *line) saidSo(i int) bool {
	if i+1 >= len(r.s.Clauses) {
		return false
	}
	n := &r.s.Clauses[i+1]
	if n.Lead != "" || r.sentenceBetween(r.s.Clauses[i].To, n.From) || !r.s.Lang.Word("reports", n.Verb.Lemma) || n.Verb.Tense != lang.Past && n.Verb.Tense != lang.Present {
		return false
	}
	for j := n.Verb.To; j < n.To; j++ {
		if w := r.norm(j); r.s.Tokens[j].Word && w != "me" && w != "us" {
			return false
		}
	}
	return n.Subject.Who == lang.Third || n.Subject.Who == lang.Person || n.Subject.Who == lang.Thing || n.Subject.Who == lang.Mine
}

func (r *line) sentenceBetween(from, to int) bool {
	for j := from; j < to; j++ {
		if w := r.norm(j); w == "." || w == "!" || w == ";" {
			return true
		}
	}
	return false
}

// order returns where what is forbidden begins in an order, or -1.
func (r *line) order(c *lang.Clause) int {
	j := c.From
	if p := c.Prefix; p[1] > p[0] {
		j = p[1]
		if r.norm(j) == "," {
			j++
		}
	}
	for r.norm(j) == "please" || r.norm(j) == "just" || r.norm(j) == "and" || r.norm(j) == "so" || r.norm(j) == "but" || r.norm(j) == "also" || r.norm(j) == "kindly" {
		j++
	}
	if r.norm(j) == "i" && r.norm(j+1) == "would" && r.norm(j+2) == "rather" && r.norm(j+3) == "you" && r.norm(j+5) == "not" {
		return j + 6 // "I would rather you did not …"
	}
	if n := r.w.At("never", r.s.Tokens[:c.To], j); n > 0 {
		return j + n
	}
	if r.norm(j) == "do" && r.norm(j+1) == "not" && r.norm(j+2) == "you" && r.norm(j+3) == "ever" {
		return j + 4
	}
	if r.w.At("idioms", r.s.Tokens, j) > 0 {
		return -1
	}
	switch r.norm(j) {
	case "never", "avoid":
		j++
		if r.norm(j) == "," {
			j++
			if n := r.w.At("no matter", r.s.Tokens[:c.To], j); n > 0 && r.norm(j+n) == "," {
				j += n + 1 // "never, under any circumstances, share …"
			}
		}
	case "do":
		if r.norm(j+1) != "not" {
			return -1
		}
		for j += 2; r.norm(j) == ","; j++ {
		}
		if r.norm(j) == "ever" && r.norm(j+1) == "," {
			j += 2 // "do not, ever, push"
		}
	case "steer", "stay", "keep":
		if w := r.norm(j + 1); w != "clear" && w != "away" || r.norm(j+2) != "of" && r.norm(j+2) != "from" {
			return -1
		}
		return j + 3
	case "stop", "quit":
		if !strings.HasSuffix(r.norm(j+1), "ing") {
			return -1
		}
		return j + 1
	case "refrain":
		if r.norm(j+1) != "from" {
			return -1
		}
		return j + 2
	case "make", "remember", "try", "be", "take", "see":
		if w := r.norm(j); w == "make" && r.norm(j+1) != "sure" || w == "take" && r.norm(j+1) != "care" || w == "see" && r.norm(j+1) != "to" {
			return -1
		}
		k := j + 1
		for k < j+5 && r.norm(k) != "not" && r.norm(k) != "never" {
			k++
		}
		switch {
		case k == j+5 || k >= c.To:
		case r.norm(k+1) == "to":
			return k + 2 // "make sure not to push"
		case r.norm(k) == "never" && (r.norm(k-1) == "to" || r.norm(k-1) == "you") && (r.s.Lang.VerbBase(r.norm(k+1)) || !r.s.Lang.Verb(r.norm(k+1)) && !r.s.Lang.Word("common", r.norm(k+1))):
			return k + 1 // "make sure you never push"
		}
		return -1
	default:
		return -1
	}
	avoid := r.norm(j-1) == "avoid"
	for r.norm(j) == "ever" || r.norm(j) == "please" || r.norm(j) == "again" {
		j++
	}
	w := r.norm(j)
	switch {
	case w == "" || !r.s.Tokens[j].Word:
		return -1
	case avoid:
		return j
	case r.w.Word("own verbs", w):
		return -1
	case r.s.Lang.VerbBase(w) || w == "be" || w == "do" || w == "have":
		return j
	case r.s.Lang.Verb(w) || r.s.Lang.Word("common", w) || r.s.Lang.Word("condition prepositions", w) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing"):
		return -1
	}
	return j
}

// wanted reads "I do not want you to …".
func (r *line) wanted(c *lang.Clause) int {
	if !c.Verb.Negated {
		if w := c.Verb.Lemma; (w == "want" || w == "need") && r.norm(c.Verb.To) == "you" && r.word(c.Verb.To+1, c.Verb.To+3, "to") && r.word(c.Verb.To+1, c.Verb.To+3, "never") {
			return c.Verb.To + 3 // "I want you to never …"
		}
		return -1
	}
	switch c.Verb.Lemma {
	case "want", "need":
		if w := r.norm(c.Verb.To); (w == "any" || w == "more") && (r.has(c, "you") || r.has(c, "your")) {
			return c.Verb.To + 1 // "I don't want any small talk from you"
		}
		fallthrough
	case "like", "expect", "allow":
		if r.norm(c.Verb.To) == "you" && r.norm(c.Verb.To+1) == "to" {
			return c.Verb.To + 2
		}
	}
	return -1
}

// reach returns the end of an order with the clauses that only describe its object:
// "flights that leave before ten".
func (r *line) reach(i int, c *lang.Clause) int {
	to := c.To
	for k := i + 1; k < len(r.s.Clauses); k++ {
		n := &r.s.Clauses[k]
		if !n.Relative && n.Lead != "that" && n.Lead != "where" && n.Lead != "which" || r.sentenceBetween(to, n.From) || n.Lead == "that" && r.norm(to) == "," {
			break
		}
		to = n.To
	}
	return to
}

// trimOrder cuts what is forbidden to its words. Dates stay: they limit it.
func (r *line) trimOrder(from, to int) (int, int) {
	for changed := true; changed && from < to; {
		changed = false
		if !r.s.Tokens[to-1].Word || r.norm(to-1) == "except" {
			to--
			changed = true
			continue
		}
		for n := min(4, to-from-1); n > 0; n-- {
			if r.s.Lang.At("tails", r.s.Tokens[:to], to-n) == n && r.norm(to-1) != "together" {
				to -= n
				changed = true
				break
			}
		}
	}
	if to-from > maxValueWords*2 {
		to = from + maxValueWords*2
	}
	return from, to
}

// lift reads "it is fine to use semicolons again", "you can call me buddy again".
func (r *line) lift(i int, c *lang.Clause) bool {
	if !r.svo() || c.Supposed || c.Reported || c.Question || c.Condition {
		return false
	}
	from, to := -1, c.To
	v := c.Verb
	permitted := func(i int) bool { return r.s.Lang.At("permissions", r.s.Tokens[:c.To], i) > 0 }
	switch {
	case v.Lemma == "be" && !v.Negated && (c.Subject.Who == lang.It || c.Subject.Who == lang.First) && permitted(v.To):
		for j := v.To; j < c.To; j++ {
			if w := r.norm(j); w == "to" || w == "with" || w == "if" {
				from = j + 1
				break
			}
		}
	case v.Lemma == "be" && !v.Negated && (c.Subject.Who == lang.Thing || c.Subject.Who == lang.Mine || c.Subject.Who == lang.Person) && permitted(v.To) && (r.has(c, "again") || r.has(c, "now") || r.norm(v.To) == "allowed" || r.norm(v.To) == "permitted"):
		from, to = c.Subject.From, c.Subject.To
	case v.Passive && !v.Negated && (v.Lemma == "allow" || v.Lemma == "permit") && (c.Subject.Who == lang.Thing || c.Subject.Who == lang.Mine || c.Subject.Who == lang.Person && c.Subject.Unsure):
		from, to = c.Subject.From, c.Subject.To
	case i == 0 && c.Subject.Who != lang.First && (strings.HasSuffix(r.norm(r.begin()), "ing") || c.Subject.Who == lang.Nobody && c.Verb.Lemma == "" || r.s.Lang.FiniteThird(r.norm(r.begin()))) && r.permittedAt() > 0:
		from, to = r.begin(), r.permittedAt() // "pushing to main is fine now", "deploys on Fridays are fine again"
	case c.Subject.Who == lang.Second && v.Modal && !v.Negated && r.word(c.Verb.From, c.Verb.To, "may"):
		from = v.To - 1
	case c.Subject.Who == lang.Nobody && r.has(c, "again") && v.Bare && !v.Negated && (r.norm(c.From) == "use" || r.norm(c.From) == "start" || r.norm(c.From) == "go" || r.norm(c.From) == "resume"):
		from = c.From + 1
		for r.norm(from) == "using" || r.norm(from) == "ahead" || r.norm(from) == "and" || r.norm(from) == "with" || r.norm(from) == "back" || r.norm(from) == "to" || r.norm(from) == "use" {
			from++
		}
	case c.Subject.Who == lang.Nobody && r.norm(c.From) == "go" && r.norm(c.From+1) == "ahead":
		for from = c.From + 2; r.norm(from) == "and" || r.norm(from) == "with" || r.norm(from) == "use" || r.norm(from) == ","; from++ {
		}
	case c.Subject.Who == lang.First && v.Lemma == "mind" && (v.Ended || v.Negated && r.has(c, "now")):
		from = v.To
		if r.norm(from) == "you" || r.norm(from) == "if" || r.norm(from) == "your" {
			from++
		}
	case c.Subject.Who == lang.First && v.Lemma == "change" && r.norm(v.To) == "my" && r.norm(v.To+1) == "mind" && (r.norm(v.To+2) == "about" || r.norm(v.To+2) == "on"):
		from = v.To + 3
	case c.Subject.Who == lang.First && v.Can && !v.Negated && r.has(c, "again"):
		from = v.To
	case c.Subject.Who == lang.First && v.Lemma == "outgrow" && !v.Negated:
		from = v.To
		if r.s.Lang.Word("my", r.norm(from)) {
			from++
		}
	case (c.Subject.Who == lang.Thing || c.Subject.Who == lang.Mine) && (v.Ended && (v.Lemma == "apply" || v.Lemma == "hold" || v.Lemma == "stand" || v.Lemma == "count") || v.Passive && !v.Negated && (v.Lemma == "lift" || v.Lemma == "drop" || v.Lemma == "cancel") || v.Lemma == "be" && !v.Negated && (r.norm(v.To) == "over" || r.norm(v.To) == "gone")):
		// "the ban on semicolons is lifted", "the semicolon rule no longer applies"
		from, to = r.banned(c)
	case c.Subject.Who == lang.Second && v.Can && !v.Negated && (r.has(c, "again") || r.has(c, "now") || v.Ended || i == 0 && r.s.Correction):
		from = v.To - 1
	case c.Subject.Who == lang.Second && (v.Ended || v.Negated) && (v.Lemma == "have" || v.Lemma == "need") && r.norm(v.To) == "to" && r.norm(v.To+1) == "avoid":
		from = v.To + 2
	case c.Subject.Who == lang.Nobody && r.norm(c.From) == "feel" && r.norm(c.From+1) == "free" && r.norm(c.From+2) == "to":
		from = c.From + 3
	case c.Subject.Who == lang.Nobody && r.w.Word("dropping", r.norm(r.ordered(c))) && (r.has(c, "rule") || r.has(c, "ban") || r.norm(r.ordered(c)+1) == "what"):
		what := r.norm(r.ordered(c)+1) == "what" // "forget what I said about …"
		for j := c.From; j < len(r.s.Tokens) && from < 0 && !r.sentenceBetween(j, j+1); j++ {
			if w := r.norm(j); w == "about" || w == "against" || w == "on" && !what {
				from, to = j+1, r.clauseAt(j).To
			}
		}
		if f, t := r.trim(capture{"value", from, to}); from > 0 && f < t && what {
			if attr, ok := r.heldAs(f, t); ok {
				r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: r.text(f, t), Ended: true})
				return true
			}
		}
	}
	if from < 0 || from >= to {
		return false
	}
	f, t := r.trim(capture{"value", from, to})
	for k := t; k < to; k++ {
		if w := r.norm(k); strings.HasSuffix(w, "days") {
			t = k + 1 // "on Fridays" is part of what was forbidden, "from Monday" is when that ends
		}
	}
	if f+1 < t && (r.norm(f) == "use" || r.norm(f) == "using") {
		f++ // it says of a thing what the rule may say with another verb: put, add, write
	}
	if f >= t {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "rule", Value: r.text(f, t), Lift: true})
	return true
}

// ordered returns where the verb of an order stands.
func (r *line) ordered(c *lang.Clause) int {
	j := c.From
	for r.norm(j) == "please" || r.norm(j) == "just" {
		j++
	}
	return j
}

// clauseAt returns the clause in which a token stands, or the last one.
func (r *line) clauseAt(i int) *lang.Clause {
	for k := range r.s.Clauses {
		if i < r.s.Clauses[k].To {
			return &r.s.Clauses[k]
		}
	}
	return &r.s.Clauses[len(r.s.Clauses)-1]
}

// permittedAt returns where "is fine again" begins in the line, or 0.
func (r *line) permittedAt() int {
	for j := r.begin() + 1; j+1 < len(r.s.Tokens); j++ {
		if w := r.norm(j); (w == "is" || w == "are") && r.s.Lang.At("permissions", r.s.Tokens, j+1) > 0 && (r.norm(j+2) == "now" || r.norm(j+2) == "again" || r.norm(j+1) == "allowed") {
			return j
		}
	}
	return 0
}

// banned returns the words of the subject that name what a rule is about: what stands
// behind "on" or "against", or before "rule".
func (r *line) banned(c *lang.Clause) (from, to int) {
	from, to = c.Subject.From, c.Subject.To
	ban := false
	for j := c.Subject.From; j < c.Verb.From; j++ {
		switch r.norm(j) {
		case "rule", "ban", "restriction", "prohibition", "embargo":
			ban = true
			to = j
		case "on", "against", "about", "of":
			if ban {
				return j + 1, c.Verb.From
			}
		}
	}
	for from < to && (r.norm(from) == "the" || r.norm(from) == "no" || r.norm(from) == "that" || r.s.Lang.Word("my", r.norm(from))) {
		from++
	}
	if !ban {
		return -1, to
	}
	return from, to
}

// word reports whether a word stands between two tokens.
func (r *line) word(from, to int, word string) bool {
	for j := from; j < to; j++ {
		if r.norm(j) == word {
			return true
		}
	}
	return false
}

func (r *line) has(c *lang.Clause, word string) bool {
	for j := c.From; j < c.To; j++ {
		if r.norm(j) == word {
			return true
		}
	}
	return false
}

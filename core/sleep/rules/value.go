package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// The most words a value may have.
const maxValueWords = 14

// reader reads the clauses of one line.
type reader struct {
	w     *words
	s     *lang.Sentence
	dates []clock.Found
}

func (r *reader) norm(i int) string {
	if i < 0 || i >= len(r.s.Tokens) {
		return ""
	}
	return r.s.Tokens[i].Norm
}

// dateAt returns the time expression whose bytes overlap token i.
func (r *reader) dateAt(i int) (clock.Found, bool) {
	t := r.s.Tokens[i]
	for _, f := range r.dates {
		if f.Start < t.End && t.Start < f.End {
			return f, true
		}
	}
	return clock.Found{}, false
}

// stops are the words at which a capture of a kind ends.
var stops = map[string]map[string]bool{
	"place": set("with for because since but where which while as during after so by until if when though although to until who and"),
	"job":   set("at for in with and but who because on by since from but while part-time full-time now"),
	"name":  set("with for because since but where which while as during after so by in at on and who until from over"),
	"list":  set("because since but while so until who which where when after during if though although"),
	"value": set("because since but while until though although"),
	"number": set(
		"and but because so or with for at in on since who which"),
	"count": set("and but because so or with for at in on since who which"),
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// trim cuts a capture to its value: tokens from to to.
func (r *reader) trim(c capture) (from, to int) {
	from, to = c.From, c.To
	if c.kind != "date" {
		to = r.stop(c, from, to)
	}
	for changed := true; changed && from < to; {
		changed = false
		if n := r.tail(from, to); n > 0 {
			to -= n
			changed = true
		}
		if c.kind != "date" {
			if f, t := r.undate(from, to); f != from || t != to {
				from, to, changed = f, t, true
			}
		}
	}
	for from < to && (!r.s.Tokens[from].Word && !currency(r.norm(from)) && r.norm(from) != "+" && r.norm(from) != "#" || r.leading(from, to)) {
		from++
	}
	return from, to
}

func currency(mark string) bool {
	return mark == "€" || mark == "$" || mark == "£" || mark == "₹" || mark == "¥"
}

// stop finds the first word that is not part of the value any more.
func (r *reader) stop(c capture, from, to int) int {
	for i := from; i < to; i++ {
		t := r.s.Tokens[i]
		w := t.Norm
		switch {
		case t.Norm == "(" || t.Norm == ")" || t.Norm == "[" || t.Norm == "]":
			if i > from {
				return i
			}
		case w == "," && c.kind != "list" && c.kind != "value" && !(c.kind == "place" && i+1 < to && r.s.Tokens[i+1].Cap):
			return i
		case w == "," && c.kind == "value" && (r.norm(i+1) == "not" || r.norm(i+1) == "which" || r.norm(i+1) == "who" || r.norm(i+1) == "where"):
			return i
		case i == from:
		case w == "and" && (c.kind == "place" || c.kind == "name") && i+1 < to && r.s.Tokens[i+1].Cap && c.kind == "place" && r.s.Tokens[i-1].Cap && r.norm(i-2) == "in":
		case stops[c.kind][w]:
			if w == "so" && c.kind == "list" && i+1 < to {
				return i
			}
			return i
		case (w == "more" || w == "better" || w == "less" || w == "rather") && r.norm(i+1) == "than":
			return i
		case (w == "for" || w == "since") && r.duration(i, to):
			return i
		case c.kind == "name" && r.s.Tokens[from].Cap && !t.Cap && t.Word && !r.s.Lang.Word("name joints", w) && !lang.HasDigit(w):
			return i
		}
	}
	return to
}

// duration reports whether "for ten years" stands at i.
func (r *reader) duration(i, to int) bool {
	if _, ok := r.dateAt(i); ok {
		return true
	}
	for j := i + 1; j < to && j <= i+4; j++ {
		switch r.norm(j) {
		case "years", "year", "months", "month", "weeks", "days", "ages", "decades", "while", "hours", "now", "childhood", "then", "ever":
			return true
		}
	}
	return false
}

// tail returns how many tokens at the end are marks or closing words.
func (r *reader) tail(from, to int) int {
	if !r.s.Tokens[to-1].Word && r.norm(to-1) != "%" && !currency(r.norm(to-1)) && r.norm(to-1) != "°" {
		return 1
	}
	for n := min(5, to-from); n > 0; n-- {
		if r.s.Lang.At("tails", r.s.Tokens[:to], to-n) == n {
			return n
		}
	}
	switch r.norm(to - 1) {
	case "and", "or", "but", "of", "to", "in", "at", "on", "for", "with", "the", "a", "an", "my":
		return 1
	}
	return 0
}

// undate takes time expressions off both ends.
func (r *reader) undate(from, to int) (int, int) {
	if f, ok := r.dateAt(to - 1); ok {
		t := to
		for t > from && r.s.Tokens[t-1].Start >= f.Start {
			t--
		}
		if t > from {
			return from, t
		}
	}
	if f, ok := r.dateAt(from); ok {
		k := from
		for k < to && r.s.Tokens[k].Start < f.End {
			k++
		}
		if k < to {
			return k, to
		}
	}
	return from, to
}

// leading reports whether the token at from says nothing.
func (r *reader) leading(from, to int) bool {
	if from+1 >= to {
		return false
	}
	switch r.norm(from) {
	case "a", "an", "the", "some", "any", "still", "really", "also", "only", "mostly", "mainly", "just", "now", "usually", "currently", "actually", "always", "both", "either", "very", "quite":
		return true
	}
	return false
}

// text is a value as the line has it.
func (r *reader) text(from, to int) string { return r.s.Slice(from, to) }

// usable reports whether a value says something.
func (r *reader) usable(from, to int, kind string) bool {
	if from >= to || to-from > maxValueWords {
		return false
	}
	words := 0
	for i := from; i < to; i++ {
		t := r.s.Tokens[i]
		if t.Quoted || r.s.Lang.Word("first", t.Norm) && kind != "value" {
			return false
		}
		if t.Word {
			words++
		}
	}
	if kind == "list" && r.s.Lang.Word("condition prepositions", r.norm(from)) {
		return false
	}
	if words == 0 || kind == "list" && r.w.At("no likes", r.s.Tokens[:to], from) > 0 {
		return false
	}
	if r.w.At("empty values", r.s.Tokens[:to], from) == to-from {
		return false
	}
	return !r.s.Lang.Word("question words", r.norm(from))
}

// fits reports whether a value is of the kind and the options of a pattern.
func (r *reader) fits(from, to int, c capture, opts map[string]bool) bool {
	first := r.s.Tokens[from]
	upper := first.Cap || lang.HasDigit(first.Norm) && c.kind != "place" || r.flat() || r.innerCap(from, to)
	if !first.Cap && opts["upper"] && !lang.HasDigit(first.Norm) {
		switch r.norm(from - 1) {
		case "a", "an", "the", "my", "our", "your", "this", "that":
			upper = false
		}
	}
	switch {
	case opts["upper"] && !upper || opts["cap"] && !first.Cap && !r.innerCap(from, to):
		return false
	case opts["lower"] && first.Cap && !r.flat():
		return false
	}
	switch c.kind {
	case "count":
		n := 0
		for i := from; i < to; i++ {
			if !r.s.Tokens[i].Word || !lang.HasDigit(lang.Stem(r.norm(i))) && r.norm(i) != "one" {
				return false
			}
			n++
		}
		return n <= 2
	case "place":
		return r.w.At("no places", r.s.Tokens[:to], from) != to-from
	case "number":
		return lang.HasDigit(lang.Stem(first.Norm)) || currency(first.Norm)
	case "date":
		_, ok := r.dateAt(from)
		if !ok && from+1 < to {
			_, ok = r.dateAt(from + 1)
		}
		return ok || lang.HasDigit(first.Norm)
	case "job":
		return r.job(from, to)
	case "name":
		w := first.Norm
		return (first.Cap || r.innerCap(from, to) || opts["lower"]) && !r.s.Lang.Word("no names", w) && r.w.At("nationalities", r.s.Tokens[:to], from) == 0
	}
	return true
}

// innerCap reports whether a small first word belongs to a name: "van Gogh".
func (r *reader) innerCap(from, to int) bool {
	return from+1 < to && (r.s.Lang.Word("name joints", r.norm(from)) || r.norm(from) == "old") && r.s.Tokens[from+1].Cap
}

// flat reports whether the line has no capital letters to go by: none, or only the
// first and "I".
func (r *reader) flat() bool {
	for i, t := range r.s.Tokens {
		if t.Cap && i > 0 && t.Norm != "i" && !t.Half {
			return false
		}
	}
	return true
}

// small reports whether the line has no capital letter at all.
func (r *reader) small() bool {
	for _, t := range r.s.Tokens {
		if t.Cap {
			return false
		}
	}
	return true
}

// job reports whether a phrase is somebody's work: its head is a known one or has
// the ending of one.
func (r *reader) job(from, to int) bool {
	head := to
	for i := from; i < to; i++ {
		switch r.norm(i) {
		case "of", "at", "in", "for", "with", "on", "who", "and", ",", "/", "specialising", "specializing", "working", "by":
			head = i
		}
		if head == i {
			break
		}
	}
	if head <= from || head-from > 5 {
		return false
	}
	for n := 1; n <= 3 && head-n >= from; n++ {
		if r.w.At("no jobs", r.s.Tokens[:head], head-n) == n {
			return false
		}
	}
	for n := 1; n <= 3 && head-n >= from; n++ {
		if r.w.At("jobs", r.s.Tokens[:head], head-n) == n {
			return true
		}
	}
	w := r.norm(head - 1)
	for _, end := range []string{"ologist", "ographer", "ician", "ist", "eer", "er", "or", "smith", "wright", "monger", "keeper", "maker", "grapher", "trician", "woman", "man", "person", "ner", "ter", "der", "ser", "ler", "cer", "ger", "per", "ker", "rer", "ver", "yer", "zer", "ier", "tor", "sor", "ant", "mate"} {
		if strings.HasSuffix(w, end) && len(w) > max(len(end)+2, 5) {
			return end != "mate" || w == "shipmate"
		}
	}
	return false
}

// split cuts a list at commas and "and".
func (r *reader) split(from, to int) [][2]int {
	var out [][2]int
	start := from
	flush := func(i int) {
		if i > start {
			out = append(out, [2]int{start, i})
		}
		start = i + 1
	}
	for i := from; i < to; i++ {
		switch w := r.norm(i); {
		case w == "," || w == "and" || w == "or" || w == "&" || w == "/" || w == "plus":
			flush(i)
		case w == "as" && r.norm(i+1) == "well" && r.norm(i+2) == "as":
			flush(i)
			start = i + 3
			i += 2
		}
	}
	flush(to)
	return out
}

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
	"place":    set("with for because since but where which while as during after so by until if when though although to until who and"),
	"school":   set("with for because since but where which while as during after so by until if when though although in at on who and every"),
	"dwelling": set("with for because since but where which while as during after so by until if when though although to who and"),
	"job":      set("at for in with and but who because on by since from but while part-time full-time now"),
	"name":     set("with for because since but where which while as during after so by in at on and who until from over"),
	"made":     set("with for because since but where which while as during after so by until if when though although to who and from at in on off via last this that it"),
	"list":     set("because 'cause cause cuz coz since but while so until who which where when after during if though although"),
	"value":    set("because 'cause cuz coz since but while until though although"),
	"number": set(
		"and but because so or with for at in on since who which"),
	"pay":   set("and but because so or with for at in on since who which from as by"),
	"count": set("and but because so or with for at in on since who which"),
}

// newSubject are words behind a comma with which another statement begins.
var newSubject = set("everyone everybody nobody people it he she they we i but so")

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
	for from < to && (!r.s.Tokens[from].Word && !currency(r.norm(from)) && r.norm(from) != "+" && r.norm(from) != "#" && !r.sign(from, to) || r.leading(from, to)) {
		from++
	}
	return from, to
}

// sign reports whether the mark at a token belongs to the word after it: "-2.5",
// "@quill".
func (r *reader) sign(i, to int) bool {
	if i+1 >= to || r.s.Tokens[i].End != r.s.Tokens[i+1].Start {
		return false
	}
	switch r.norm(i) {
	case "@":
		return true
	case "-", "−", "~", "<", ">":
		return lang.HasDigit(r.norm(i + 1))
	}
	return false
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
		case w == "," && c.kind != "list" && c.kind != "value" && !((c.kind == "place" || c.kind == "dwelling") && i+1 < to && r.s.Tokens[i+1].Cap):
			return i
		case w == "," && c.kind == "value" && (r.norm(i+1) == "not" || r.norm(i+1) == "which" || r.norm(i+1) == "who" || r.norm(i+1) == "where" || newSubject[r.norm(i+1)]):
			return i
		case i == from:
		case w == "and" && (c.kind == "place" || c.kind == "name") && i+1 < to && r.s.Tokens[i+1].Cap && c.kind == "place" && r.s.Tokens[i-1].Cap && r.norm(i-2) == "in":
		case w == "and" && c.kind != "list" && r.firm(i+1):
		case stops[c.kind][w]:
			if w == "so" && c.kind == "list" && i+1 < to {
				return i
			}
			return i
		case (w == "more" || w == "better" || w == "less" || w == "rather") && r.norm(i+1) == "than":
			return i
		case w == "and" && c.kind == "value" && r.w.Word("made", r.norm(i+1)):
			return i // "written in Zig and licensed under MIT"
		case (w == "for" || w == "since") && r.duration(i, to):
			return i
		case c.kind == "name" && r.s.Tokens[from].Cap && !t.Cap && t.Word && !r.s.Lang.Word("name joints", w) && !lang.HasDigit(w):
			return i
		}
	}
	return to
}

// firm reports whether a word ends the name of a firm: "Fell and Sons".
func (r *reader) firm(i int) bool {
	switch r.norm(i) {
	case "sons", "daughters", "brothers", "bros", "co", "company", "partners", "associates":
		return r.s.Tokens[i].Cap
	}
	return false
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
	case "and", "or", "but", "of", "to", "in", "at", "on", "for", "with", "from", "the", "a", "an", "my", "except":
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
	if !r.s.Lang.HasVerbs() && r.s.Lang.Word("adverbs", r.norm(from)) {
		return true
	}
	if from > 0 && r.s.Tokens[from].Cap && r.s.Tokens[from+1].Cap && r.norm(from-1) != "." && r.norm(from-1) != ":" {
		return false // "The Leopard"
	}
	switch r.norm(from) {
	case "a", "an", "the", "some", "any", "still", "really", "also", "only", "mostly", "mainly", "just", "now", "usually", "currently", "actually", "always", "both", "either", "very", "quite":
		return true
	}
	return false
}

// text is a value as the line has it.
func (r *reader) text(from, to int) string { return r.s.Slice(from, to) }

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
		case w == "," && i > start && (r.norm(i+1) == "except" || r.norm(i+1) == "unless" || r.norm(i+1) == "apart"):
			// "oat milk, except in tea" is one thing
		case w == "," || w == "&" || w == "/" || w == "plus" || w == "and" || w == "or" || !r.s.Lang.HasVerbs() && r.s.Lang.Word("and", w):
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

package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// usable reports whether a value says something.
func (r *reader) usable(from, to int, kind string) bool {
	if from >= to || to-from > maxValueWords {
		return false
	}
	switch r.norm(from) {
	case "so", "too", "very", "not", "even", "especially", "them", "it", "themselves", "itself", "myself":
		return false
	case "more", "up", "together", "apart", "into", "as", "just", "about", "off", "out", "away", "down", "along", "around":
		if kind == "list" {
			return false
		}
	}
	if r.s.Lang.Word("question words", r.norm(to-1)) {
		return false // "sharing what"
	}
	if from+1 < to && r.s.Lang.FiniteThird(r.norm(from)) && !r.s.Tokens[from].Cap {
		switch r.norm(from + 1) {
		case "me", "him", "us", "them", "you", "the", "a", "to", "my":
			return false // "the book I read reminds me"
		}
	}
	if w := r.norm(from); to == from+1 && (w == "him" || w == "her") {
		return false
	}
	if kind == "list" && r.passing(from, to) {
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

// passing reports whether a phrase is about what is at hand and not a thing that one
// likes: "the colours in it", "their work", "the first one", "this answer".
func (r *reader) passing(from, to int) bool {
	if w := r.norm(to - 1); to-from > 1 && (w == "one" || w == "ones" || w == "better" || w == "best" || w == "option" || w == "idea" || w == "answer" || w == "suggestion") {
		return true
	}
	for i := from; i < to; i++ {
		switch r.norm(i) {
		case "this", "that", "these", "those", "it", "him", "them", "her", "you", "your":
			return true
		}
	}
	switch w := r.norm(from); w {
	case "often", "always", "usually", "never", "sometimes", "even":
		return true // "… and often hug me"
	case "every", "everything", "all", "any", "anything":
		if n := r.norm(to); n == "but" || n == "except" || n == "apart" || n == "," && (r.norm(to+1) == "but" || r.norm(to+1) == "except" || r.norm(to+1) == "apart") {
			return true // "all vegetables, apart from carrots"
		}
		for i := from + 1; i < to; i++ {
			if r.norm(i-1) == "," && (r.norm(i) == "except" || r.norm(i) == "apart") {
				return true
			}
		}
	case "their", "his", "her", "its":
		return true
	}
	switch r.norm(from - 1) {
	case "the":
	case "all":
		return r.norm(from) == "the"
	default:
		return r.norm(from) == "all" && r.norm(from+1) == "the"
	}
	if r.s.Tokens[from].Cap || r.w.At("well known", r.s.Tokens[:to], from) > 0 {
		return false
	}
	for i := from; i < to; i++ {
		if r.s.Tokens[i].Cap {
			return false
		}
		if w := r.norm(i); i > from && i+1 < to && w == "of" && !r.s.Lang.Word("it", r.norm(i+1)) && (r.norm(from) == "smell" || r.norm(from) == "sound" || r.norm(from) == "taste" || r.norm(from) == "feel" || r.norm(from) == "feeling" || r.norm(from) == "sight") {
			return r.norm(i+1) == "the" || r.norm(i+1) == "my"
		}
	}
	return true
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
			if strings.ContainsAny(r.norm(i), "'’\"") || i+1 < to && !r.s.Tokens[i+1].Word || i+1 < len(r.s.Tokens) && (r.norm(i+1) == "'" || r.norm(i+1) == "\"") {
				return false // 5'11"
			}
			if !r.s.Tokens[i].Word || !lang.HasDigit(lang.Stem(r.norm(i))) && r.norm(i) != "one" {
				return false
			}
			n++
		}
		return n <= 2
	case "place":
		return !r.hour(from, to) && r.w.At("no places", r.s.Tokens[:to], from) != to-from && (!r.s.Lang.Word("kin", r.norm(to-1)) || to-from > 2 && r.firm(to-1))
	case "school":
		return first.Cap && (r.w.Word("schools", r.norm(to-1)) || r.w.Word("schools", first.Norm))
	case "dwelling":
		for i := from; i < to; i++ {
			if r.s.Tokens[i].Cap || r.w.At("dwellings", r.s.Tokens[:to], i) > 0 {
				return true
			}
		}
		return false
	case "made":
		return r.made(from, to) != "" && r.norm(to) != "for"
	case "number":
		return lang.HasDigit(lang.Stem(first.Norm)) || currency(first.Norm)
	case "pay":
		return r.pay(from, to)
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

// pay reports whether a phrase is what somebody earns: "52k", "€3,100 a month".
func (r *reader) pay(from, to int) bool {
	if currency(r.norm(from)) {
		from++
	}
	w := r.norm(from)
	if from >= to || !lang.HasDigit(w) {
		return false
	}
	for i := from + 1; i < to; i++ {
		switch r.norm(i) {
		case "hour", "month", "year", "week", "annum", "annually", "yearly", "monthly", "hourly", "weekly":
			if r.norm(i-1) == "a" || r.norm(i-1) == "an" || r.norm(i-1) == "per" || r.norm(i-1) == "/" || strings.HasSuffix(r.norm(i), "ly") || r.norm(i) == "annum" {
				return currency(r.norm(from-1)) || len(w) > 3 || strings.HasSuffix(w, "k") || r.w.Word("moneys", r.norm(from+1))
			}
		}
	}
	return to == from+1 && r.norm(to) != "every" && strings.HasSuffix(w, "k") && lang.HasDigit(w[:1])
}

// made returns what something is by its make: "car" of "a used Golf", but not of "a
// Golf ball".
func (r *reader) made(from, to int) string {
	for _, what := range [...]string{"phone", "laptop", "car"} {
		for i := from; i < to; i++ {
			n := r.w.At("makes of "+what, r.s.Tokens[:to], i)
			if n == 0 || !r.s.Tokens[i].Cap && !r.flat() && r.norm(i) != "iphone" {
				continue
			}
			for j := i + n; j < to; j++ {
				if !r.s.Tokens[j].Cap && !lang.HasDigit(r.norm(j)) && r.s.Tokens[j].Word && !r.w.Word("make words", r.norm(j)) {
					return ""
				}
			}
			return what
		}
	}
	return ""
}

// makeAt returns where the name begins in "a used Skoda Octavia".
func (r *reader) makeAt(from, to int) int {
	for from+1 < to && !r.s.Tokens[from].Cap && !lang.HasDigit(r.norm(from)) && r.made(from+1, to) != "" {
		from++
	}
	return from
}

// innerCap reports whether a small first word belongs to a name: "van Gogh".
func (r *reader) innerCap(from, to int) bool {
	return from+1 < to && (r.s.Lang.Word("name joints", r.norm(from)) || r.norm(from) == "old") && r.s.Tokens[from+1].Cap
}

// flat reports whether the line has no capital letters to go by: none, or only the
// first and "I". Who begins with a capital letter and ends with a full stop writes
// names with one too.
func (r *reader) flat() bool {
	if n := len(r.s.Tokens); n > 0 && r.s.Tokens[0].Cap && r.norm(n-1) == "." {
		return false
	}
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
	switch r.norm(from) {
	case "former", "ex", "ex-", "aspiring", "failed", "future", "would-be", "wannabe", "erstwhile":
		return false
	}
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
	if head <= from || head-from > 5 || r.w.Word("judgements", r.norm(from)) && head-from > 1 {
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

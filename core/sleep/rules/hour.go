package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// hour reports whether a phrase is a time of the day: "9:30", "half past six", "7 pm",
// "noon". A number with a name after it is a place: "12 Larch Street".
func (r *reader) hour(from, to int) bool {
	if from >= to {
		return false
	}
	clock := false
	for i := from; i < to; i++ {
		w := r.norm(i)
		switch {
		case w == "noon" || w == "midday" || w == "midnight" || w == "o'clock" || w == "am" || w == "pm" || w == "a.m" || w == "p.m":
			clock = true
		case w == "half" || w == "quarter":
			clock = true
		case w == "past" || w == "to" || w == "in" || w == "the" || w == "morning" || w == "evening" || w == "afternoon" || w == "sharp" || w == "on" || w == "every" || w == "around" || w == "about" || w == "now" || w == "utc" || w == "cet" || w == "gmt":
		case r.inDate(i):
		case lang.HasDigit(lang.Stem(w)):
			digits := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(w, "am"), "pm"), "h")
			if strings.Trim(digits, "0123456789:.") != "" && len(digits) > 0 && digits[0] >= '0' && digits[0] <= '9' {
				return false // "3M"
			}
			if len(digits) > 5 || i == from && to == from+1 && len(digits) > 2 && !strings.ContainsAny(digits, ":.") && len(digits) != 4 {
				return false
			}
			clock = true
		case !r.s.Tokens[i].Word:
		default:
			if _, ok := r.dateAt(i); !ok {
				return false
			}
		}
	}
	return clock
}

// inDate reports whether a number is part of a date with a month: "2 June".
func (r *reader) inDate(i int) bool {
	f, ok := r.dateAt(i)
	if !ok {
		return false
	}
	for _, w := range strings.Fields(strings.ToLower(r.s.Text[f.Start:f.End])) {
		if w = strings.Trim(w, ".,"); len(w) > 2 && months[w[:3]] && r.s.Lang.Word("time words", w) {
			return true
		}
	}
	return false
}

var months = set("jan feb mar apr may jun jul aug sep oct nov dec")

// anyDate reports whether a day stands between two tokens: then it is one meeting, not
// the usual time of it.
func (r *reader) anyDate(from, to int) bool {
	for i := from; i < to; i++ {
		if f, ok := r.dateAt(i); ok && !lang.HasDigit(r.norm(i)) && f.Resolved {
			return true
		}
		switch r.norm(i) {
		case "today", "tomorrow", "tonight":
			return true
		}
	}
	return false
}

// timed names the time of something: "standup time".
func (r *reader) timed(noun string) string {
	if last(noun) == "time" || last(noun) == "hour" || last(noun) == "alarm" {
		return noun
	}
	return noun + " time"
}

// years reports whether a phrase is an age: "4 years old".
func (r *reader) years(from, to int) bool {
	return to-from >= 2 && lang.HasDigit(lang.Stem(r.norm(from))) && (r.norm(from+1) == "years" || r.norm(from+1) == "year" || r.norm(from+1) == "months") && (to-from == 2 || r.norm(from+2) == "old")
}

// article reports whether "a" or "an" stands before a token.
func (r *reader) article(i int) bool { return r.norm(i-1) == "a" || r.norm(i-1) == "an" }

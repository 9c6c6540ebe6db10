package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markers reads a list of markers.
func markers(list string) []string {
	var out []string
	for m := range strings.SplitSeq(list, ",") {
		if m = strings.ToLower(strings.TrimSpace(m)); m != "" {
			out = append(out, m)
		}
	}
	return out
}

// bullet takes a list mark off a line, and says whether it was an open box, "[ ]".
func bullet(s string) (rest string, box bool) {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimLeft(s, "-*•–#>"))
	if strings.HasPrefix(s, "[ ]") {
		return strings.TrimSpace(s[3:]), true
	}
	return s, false
}

// after returns what follows a marker: "Decision: x", "Decision - x", "TODO(Ben): x"
// keeps the owner as "(Ben) x". A marker of several words needs no colon.
func after(s string, list []string) (string, bool) {
	for _, m := range list {
		if len(s) < len(m) || !strings.EqualFold(s[:len(m)], m) {
			continue
		}
		rest := s[len(m):]
		owner := ""
		if strings.HasPrefix(rest, "(") {
			if end := strings.IndexByte(rest, ')'); end > 0 {
				owner, rest = rest[:end+1]+" ", rest[end+1:]
			}
		}
		trimmed := strings.TrimLeft(rest, " \t")
		for _, sep := range []string{":", "—", "–", "- "} {
			if strings.HasPrefix(trimmed, sep) {
				return owner + strings.TrimSpace(trimmed[len(sep):]), true
			}
		}
		// "We decided to …" is a sentence; "Decided on …" may be anything.
		if strings.Contains(m, " ") && rest != trimmed {
			for _, word := range []string{"to ", "that "} {
				if strings.HasPrefix(strings.ToLower(trimmed), word) {
					return strings.TrimSpace(trimmed[len(word):]), true
				}
			}
		}
	}
	return "", false
}

// task is what a task's line says.
type task struct{ what, owner, due string }

// readTask takes owner and due date out of a line.
func readTask(s string) task {
	t := task{owner: "user"}
	s = trim(s)
	s, t.due = dueOf(s)
	switch {
	case strings.HasPrefix(s, "@"):
		name, rest, _ := strings.Cut(s[1:], " ")
		if s = rest; trim(name) != "" {
			t.owner = trim(name)
		}
	case strings.HasPrefix(s, "(") && strings.Contains(s, ")"):
		name, rest, _ := strings.Cut(s[1:], ")")
		if isName(name) {
			t.owner, s = trim(name), rest
		}
	default:
		s = ownerOf(s, &t)
	}
	t.what = trim(s)
	for _, word := range []string{"will ", "shall ", "should ", "must ", "to ", "is to "} {
		if t.owner != "user" && strings.HasPrefix(strings.ToLower(t.what), word) {
			t.what = trim(t.what[len(word):])
			break
		}
	}
	return t
}

// ownerOf finds "Asha: …", "Asha will …", "Asha to …" and "… (owner: Asha)", "… (Asha)".
func ownerOf(s string, t *task) string {
	if name, rest, ok := strings.Cut(s, ":"); ok && isName(name) {
		t.owner = trim(name)
		return rest
	}
	for _, verb := range []string{" will ", " shall ", " should ", " must ", " is to ", " to "} {
		if name, rest, ok := strings.Cut(s, verb); ok && isName(name) {
			t.owner = trim(name)
			return rest
		}
	}
	if open := strings.LastIndexByte(s, '('); open > 0 && strings.HasSuffix(s, ")") {
		name := strings.TrimSpace(s[open+1 : len(s)-1])
		if key, value, ok := strings.Cut(name, ":"); ok && strings.EqualFold(strings.TrimSpace(key), "owner") {
			name = strings.TrimSpace(value)
		}
		if isName(name) {
			t.owner = name
			return s[:open]
		}
	}
	return s
}

// dueOf takes "(due 2026-05-04)", "due: Friday" or a last "by 8 May" off a task.
func dueOf(s string) (rest, due string) {
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return s, "" // lower case of another length: places would not fit
	}
	for _, mark := range []string{"(due ", "(due: ", "(by ", "[due "} {
		if at := strings.LastIndex(low, mark); at > 0 {
			end := at + len(mark)
			if stop := strings.IndexAny(s[end:], ")]"); stop > 0 {
				return trim(s[:at] + s[end+stop+1:]), trim(s[end : end+stop])
			}
		}
	}
	for _, mark := range []string{" due: ", " due ", " by ", " before ", " until "} {
		at := strings.LastIndex(low, mark)
		if at <= 0 {
			continue
		}
		if when := trim(s[at+len(mark):]); isTime(when) {
			return trim(s[:at]), when
		}
	}
	return s, ""
}

// days and months, by their first three letters.
const timeWords = " mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec tod tom ton eod end nex thi noo "

// isTime reports whether a phrase of up to five words reads like a date: it has a digit,
// or begins with the name of a day, a month or the like.
func isTime(s string) bool {
	if s == "" || words(s) > 5 {
		return false
	}
	if strings.ContainsFunc(s, unicode.IsDigit) {
		return true
	}
	first, _, _ := strings.Cut(strings.ToLower(s), " ")
	return len(first) >= 3 && strings.Contains(timeWords, " "+first[:3]+" ")
}

// isName reports whether a text is one to three words that begin with capitals.
func isName(s string) bool {
	if s = trim(s); s == "" || words(s) > 3 {
		return false
	}
	for w := range strings.FieldsSeq(s) {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) || strings.ContainsAny(w, ".,;!?:()[]") {
			return false
		}
	}
	return true
}

func words(s string) int { return len(strings.Fields(s)) }

// trim takes space and the end of a sentence off.
func trim(s string) string { return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s), ".;, ")) }

package text

// stem reduces an English word of lower-case ASCII letters in place and
// returns what is left, by M. F. Porter, "An algorithm for suffix stripping",
// Program 14(3), 1980, with the two changes the author later published
// (bli to ble, logi to log). Words of one or two letters stay as they are.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	w = stemPlural(w)
	w = stemPast(w)
	if n := len(w); n > 0 && w[n-1] == 'y' && hasVowel(w[:n-1]) {
		w[n-1] = 'i'
	}
	w = replaceSuffix(w, porterStep2, 0)
	w = replaceSuffix(w, porterStep3, 0)
	w = stemEnding(w)
	return stemFinal(w)
}

// suffixRule replaces suffix by repl. The table's order is longest first
// among suffixes that end alike, so the first match is the longest.
type suffixRule struct{ suffix, repl string }

var porterStep2 = []suffixRule{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
	{"logi", "log"},
}

var porterStep3 = []suffixRule{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

var porterStep4 = []suffixRule{
	{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
	{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""},
	{"ive", ""}, {"ize", ""},
}

// replaceSuffix applies the first rule whose suffix w has, if the measure of
// the rest exceeds m.
func replaceSuffix(w []byte, rules []suffixRule, m int) []byte {
	n := len(w)
	if n < 2 {
		return w
	}
	for i := range rules {
		r := &rules[i]
		if s := r.suffix; w[n-2] != s[len(s)-2] || w[n-1] != s[len(s)-1] || !endsWith(w, s) {
			continue
		}
		rest := w[:len(w)-len(r.suffix)]
		if measure(rest) > m {
			return append(rest, r.repl...)
		}
		return w
	}
	return w
}

// stemPlural is step 1a.
func stemPlural(w []byte) []byte {
	n := len(w)
	switch {
	case w[n-1] != 's':
	case endsWith(w, "sses"), endsWith(w, "ies"):
		return w[:n-2]
	case !endsWith(w, "ss"):
		return w[:n-1]
	}
	return w
}

// stemPast is step 1b.
func stemPast(w []byte) []byte {
	var rest []byte
	switch {
	case endsWith(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	case endsWith(w, "ed"):
		rest = w[:len(w)-2]
	case endsWith(w, "ing"):
		rest = w[:len(w)-3]
	}
	if !hasVowel(rest) {
		return w
	}
	switch {
	case endsWith(rest, "at"), endsWith(rest, "bl"), endsWith(rest, "iz"):
		return append(rest, 'e')
	case doubleConsonant(rest):
		switch rest[len(rest)-1] {
		case 'l', 's', 'z':
			return rest
		}
		return rest[:len(rest)-1]
	case measure(rest) == 1 && endsCVC(rest):
		return append(rest, 'e')
	}
	return rest
}

// stemEnding is step 4.
func stemEnding(w []byte) []byte {
	if endsWith(w, "ion") {
		rest := w[:len(w)-3]
		if n := len(rest); n > 0 && (rest[n-1] == 's' || rest[n-1] == 't') && measure(rest) > 1 {
			return rest
		}
		return w
	}
	return replaceSuffix(w, porterStep4, 1)
}

// stemFinal is step 5.
func stemFinal(w []byte) []byte {
	if n := len(w); n > 0 && w[n-1] == 'e' {
		rest := w[:n-1]
		if m := measure(rest); m > 1 || (m == 1 && !endsCVC(rest)) {
			w = rest
		}
	}
	if n := len(w); n > 0 && w[n-1] == 'l' && doubleConsonant(w) && measure(w) > 1 {
		w = w[:n-1]
	}
	return w
}

func endsWith(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

// isConsonant tells whether w[i] is one; y is, unless it follows a consonant.
func isConsonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !isConsonant(w, i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences of w: m in [C](VC)^m[V].
func measure(w []byte) int {
	m := 0
	vowel := false // whether the letter before was a vowel
	for i, c := range w {
		v := false
		switch c {
		case 'a', 'e', 'i', 'o', 'u':
			v = true
		case 'y':
			v = i > 0 && !vowel
		}
		if vowel && !v {
			m++
		}
		vowel = v
	}
	return m
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !isConsonant(w, i) {
			return true
		}
	}
	return false
}

func doubleConsonant(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && isConsonant(w, n-1)
}

// endsCVC tells whether w ends consonant, vowel, consonant other than w, x, y.
func endsCVC(w []byte) bool {
	n := len(w)
	if n < 3 || !isConsonant(w, n-1) || isConsonant(w, n-2) || !isConsonant(w, n-3) {
		return false
	}
	switch w[n-1] {
	case 'w', 'x', 'y':
		return false
	}
	return true
}

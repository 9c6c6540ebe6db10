package secret

// A hint is a word that patterns are tried around. Its ASCII letters are small
// and stand for both cases.
type hint struct {
	word string
	rule int
}

// An index finds the hints in a text in one pass, by their first two bytes.
type index struct {
	first [1 << 16 / 64]uint64 // a bit for each pair that begins a hint
	rules map[[2]byte][]hint
}

func (x *index) add(h hint) {
	pair := [2]byte{h.word[0], h.word[1]}
	n := int(pair[0])<<8 | int(pair[1])
	x.first[n/64] |= 1 << (n % 64)
	x.rules[pair] = append(x.rules[pair], h)
}

// look returns where the text has hints of each rule, in order; nil if it has
// none at all, as nearly every text.
func (m *Masker) look(text string) [][]int {
	var found [][]int
	at := func(rule, pos int) {
		if found == nil {
			found = make([][]int, len(m.rules))
		}
		found[rule] = append(found[rule], pos)
	}
	var prev byte
	stretches := runs{m: m, at: at}
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		stretches.next(i, c)
		n := int(prev)<<8 | int(c)
		if m.index.first[n/64]&(1<<(n%64)) != 0 && i > 0 {
			for _, h := range m.index.rules[[2]byte{prev, c}] {
				if hasPrefixFold(text[i-1:], h.word) {
					at(h.rule, i-1)
				}
			}
		}
		prev = c
	}
	stretches.end(len(text))
	return found
}

func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// runs follows stretches without a space and stretches of digits, which may
// stand in groups with one sign between.
type runs struct {
	m          *Masker
	at         func(rule, pos int)
	word       int // where the present stretch began
	digit      int // where the present run of digits began
	digits     int
	lastDigit  int // the place after the last digit
	digitsOpen bool
}

// maxGap is how many bytes may part groups of digits: a no-break space has two.
const maxGap = 2

func (r *runs) next(i int, c byte) {
	if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
		r.endWord(i)
		r.word = i + 1
	}
	if c < '0' || c > '9' {
		return
	}
	if !r.digitsOpen || i-r.lastDigit > maxGap {
		r.endDigits()
		r.digit, r.digits, r.digitsOpen = i, 0, true
	}
	r.digits++
	r.lastDigit = i + 1
}

func (r *runs) end(n int) {
	r.endWord(n)
	r.endDigits()
}

func (r *runs) endWord(i int) {
	if i-r.word < 32 { // shorter than any pattern asks for
		return
	}
	r.hints(r.word, i, func(u *rule) bool { return u.longest > 0 && i-r.word >= u.longest })
}

func (r *runs) endDigits() {
	if r.digits < 12 {
		return
	}
	r.hints(r.digit, r.lastDigit, func(u *rule) bool { return u.digits > 0 && r.digits >= u.digits })
}

// hints marks a stretch for the rules that want it, often enough for windows
// to cover it.
func (r *runs) hints(from, to int, wants func(*rule) bool) {
	for i, u := range r.m.rules {
		if !wants(u) {
			continue
		}
		for pos := from; pos < to; pos += mustFollow - bytesBefore {
			r.at(i, pos)
		}
	}
}

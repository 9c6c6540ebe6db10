package clock

// readNumber reads a number in digits or words: "12", "twenty-one", "a hundred
// and five".
func (m *matcher) readNumber(pos int, langs uint32) (val int32, next int, ok bool) {
	if t := &m.toks[pos]; t.kind == tokInt {
		return t.val, pos + 1, true
	}
	val, next, ok = m.below100(pos, langs)
	if !ok {
		return 0, 0, false
	}
	if h, ok := m.numberAt(next, clsNumber, langs); ok && h == 100 && val < 100 {
		val, next = val*100, next+1
		rest := next
		if m.isGroup(rest, "and") {
			rest++
		}
		if v, n, ok := m.below100(rest, langs); ok && v < 100 {
			val, next = val+v, n
		}
	}
	return val, next, true
}

func (m *matcher) below100(pos int, langs uint32) (val int32, next int, ok bool) {
	if val, ok = m.numberAt(pos, clsNumber, langs); !ok {
		return 0, 0, false
	}
	if u, n, ok := m.unitsAfter(val, pos+1, clsNumber, langs); ok {
		return val + u, n, true
	}
	return val, pos + 1, true
}

// readOrdinal reads "3rd", "third" or "twenty-third".
func (m *matcher) readOrdinal(pos int, langs uint32) (val int32, next int, ok bool) {
	if t := &m.toks[pos]; t.kind == tokOrd {
		return t.val, pos + 1, true
	}
	if val, ok = m.numberAt(pos, clsOrdinal, langs); ok {
		return val, pos + 1, true
	}
	if val, ok = m.numberAt(pos, clsNumber, langs); ok {
		if u, n, ok := m.unitsAfter(val, pos+1, clsOrdinal, langs); ok {
			return val + u, n, true
		}
	}
	return 0, 0, false
}

// unitsAfter reads the units after tens, with or without a hyphen between.
func (m *matcher) unitsAfter(tens int32, pos int, c class, langs uint32) (val int32, next int, ok bool) {
	if tens < 20 || tens > 90 || tens%10 != 0 {
		return 0, 0, false
	}
	if pos < len(m.toks) && m.toks[pos].entry >= 0 && m.toks[pos].entry == m.g.marks['-'] {
		pos++
	}
	val, ok = m.numberAt(pos, c, langs)
	return val, pos + 1, ok && val > 0 && val < 10
}

func (m *matcher) numberAt(pos int, c class, langs uint32) (int32, bool) {
	if pos >= len(m.toks) {
		return 0, false
	}
	return m.sense(&m.toks[pos], c, langs, false)
}

// isGroup reports whether the token at pos is a word of a group, in any language.
func (m *matcher) isGroup(pos int, name string) bool {
	c, ok := m.g.groups[name]
	if !ok || pos >= len(m.toks) {
		return false
	}
	_, ok = m.sense(&m.toks[pos], c, ^uint32(0), false)
	return ok
}

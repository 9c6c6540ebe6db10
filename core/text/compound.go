package text

// emitCompound turns the atoms of one word into terms: the whole, its segments
// between / : @, and the atoms.
func (t *Terms) emitCompound(lead bool) {
	t.joinApostrophes()
	as := t.atoms
	if len(as) == 1 && !lead {
		t.emitAtom(&as[0], Word)
		return
	}
	if segments(as) > 1 {
		t.pushWhole(t.fold[:as[len(as)-1].end])
	}
	for from := 0; from < len(as); {
		to := from + 1
		for to < len(as) && !segmentSign(as[to].sep) {
			to++
		}
		t.emitSegment(as[from:to], lead && from == 0)
		from = to
	}
}

func segmentSign(sep byte) bool { return sep == '/' || sep == ':' || sep == '@' }

func segments(as []atom) int {
	n := 1
	for i := range as {
		if segmentSign(as[i].sep) {
			n++
		}
	}
	return n
}

// joinApostrophes drops English endings ('s 'm 'd 'll 're 've) and makes n't
// part of its verb: don't is dont. Other apostrophes part two atoms.
func (t *Terms) joinApostrophes() {
	out := t.atoms[:1]
	for _, a := range t.atoms[1:] {
		prev := &out[len(out)-1]
		if a.sep == '\'' && a.ascii && a.letters && prev.ascii {
			switch end := t.fold[a.start:a.end]; string(end) {
			case "s":
				continue
			case "m", "d", "ll", "re", "ve":
				if prev.letters && prev.runes > 1 || string(t.fold[prev.start:prev.end]) == "i" {
					continue
				}
			case "t":
				if t.fold[prev.end-1] == 'n' {
					prev.end = a.end
					prev.runes++
					continue
				}
			}
		}
		out = append(out, a)
	}
	t.atoms = out
}

// emitSegment emits atoms joined by - _ . & or apostrophes, and the whole of
// them. With lead a dot stands before the first, at fold[0].
func (t *Terms) emitSegment(as []atom, lead bool) {
	first, last := &as[0], &as[len(as)-1]
	whole := t.fold[first.start:last.end]
	switch {
	case lead:
		t.pushWhole(t.fold[:last.end])
	case len(as) == 1:
	case every(as, '.', func(a *atom) bool { return a.letters && a.runes == 1 }):
		t.emitAcronym(as)
		return
	case every(as, '.', func(a *atom) bool { return a.digits }):
		t.emitNumbers(as)
		return
	case joinable(as):
		t.emitJoined(as)
	default:
		t.pushWhole(whole)
		if isVersion(whole) {
			t.pushWhole(whole[1:])
		}
	}
	for i := range as {
		t.emitAtom(&as[i], Part)
	}
}

// every tells whether all signs between the atoms are sep and all atoms satisfy ok.
func every(as []atom, sep byte, ok func(*atom) bool) bool {
	for i := range as {
		if i > 0 && as[i].sep != sep || !ok(&as[i]) {
			return false
		}
	}
	return true
}

// joinable tells whether the atoms are words whose signs are a matter of
// spelling: wi-fi and wifi, user_name and userName.
func joinable(as []atom) bool {
	for i := range as {
		if sep := as[i].sep; !as[i].letters || as[i].symbol || i > 0 && sep != '-' && sep != '_' && sep != '\'' {
			return false
		}
	}
	return true
}

// isVersion tells whether w is a v and numbers with dots between.
func isVersion(w []byte) bool {
	if len(w) < 2 || w[0] != 'v' {
		return false
	}
	for _, c := range w[1:] {
		if c != '.' && c-'0' > 9 {
			return false
		}
	}
	return true
}

// emitJoined emits the atoms as one word without signs.
func (t *Terms) emitJoined(as []atom) {
	start, ascii := len(t.buf), true
	for i := range as {
		t.buf = append(t.buf, t.fold[as[i].start:as[i].end]...)
		ascii = ascii && as[i].ascii
	}
	word := t.buf[start:]
	word = word[:cutUTF8(word, maxTermBytes)]
	if ascii {
		word = stem(word)
	}
	t.buf = t.buf[:start+len(word)]
	t.toks = append(t.toks, token{uint32(start), uint32(len(t.buf)), t.pos, Compound, false})
}

// emitNumbers emits numbers with dots between: a decimal number, whose whole
// part is a term only if it is long, or a version, found by its first two
// numbers too.
func (t *Terms) emitNumbers(as []atom) {
	first := &as[0]
	t.pushWhole(t.fold[first.start:as[len(as)-1].end])
	switch {
	case len(as) > 2:
		t.pushWhole(t.fold[first.start:as[1].end])
		t.toks[len(t.toks)-1].class = Part
	case first.runes >= 3 && as[1].runes <= 2:
		t.push(t.fold[first.start:first.end], Part, false)
	}
	t.advance(true)
}

// pushWhole adds a compound, cut to the length of a term.
func (t *Terms) pushWhole(term []byte) {
	t.push(term[:cutUTF8(term, maxTermBytes)], Compound, false)
}

// emitAcronym emits single letters with dots as one word: U.S.A. is usa.
func (t *Terms) emitAcronym(as []atom) {
	start := len(t.buf)
	for i := range as {
		t.buf = append(t.buf, t.fold[as[i].start:as[i].end]...)
	}
	stop := stopKind(t.buf[start:]) == stopAlways
	t.toks = append(t.toks, token{uint32(start), uint32(len(t.buf)), t.pos, Word, stop})
	t.advance(!stop)
}

// emitAtom emits a run of letters and digits and its pieces.
func (t *Terms) emitAtom(a *atom, class Class) {
	word := t.fold[a.start:a.end]
	switch {
	case len(word) == 0:
		return
	case a.symbol:
		t.push(word, Compound, false)
		if a.runes >= 3 {
			t.pushStem(word[:a.runes], Part, false)
		}
	case a.digits:
		t.push(word, class, false)
	case a.ascii && a.letters:
		stop := t.isStop(a, word)
		t.pushStem(word, class, stop)
		t.emitCamel(a)
		t.advance(!stop)
		return
	case a.ascii:
		t.push(word, class, false)
		t.emitUnit(word)
	default:
		t.emitForeign(a, word, class)
	}
	t.advance(true)
}

// emitCamel emits the pieces of an identifier such as parseHTTPHeader. Names
// with short pieces (McDonald, iPhone) are left whole.
func (t *Terms) emitCamel(a *atom) {
	cuts := t.cuts[a.cuts[0]:a.cuts[1]]
	if len(cuts) == 0 {
		return
	}
	least := 2
	if a.title {
		least = 3
	}
	from := a.start
	for _, c := range cuts {
		if c-from < least {
			return
		}
		from = c
	}
	if a.end-from < least {
		return
	}
	from = a.start
	for _, c := range cuts {
		t.pushPiece(t.fold[from:c])
		from = c
	}
	t.pushPiece(t.fold[from:a.end])
}

func (t *Terms) pushPiece(word []byte) {
	t.pushStem(word, Part, stopKind(word) != stopNever)
}

// emitUnit emits the number and the unit of words like 5pm and 10km.
func (t *Terms) emitUnit(word []byte) {
	n := 0
	for n < len(word) && word[n]-'0' <= 9 {
		n++
	}
	if n == 0 {
		return
	}
	for _, c := range word[n:] {
		if c-'0' <= 9 {
			return
		}
	}
	t.push(word[:n], Part, false)
	t.pushPiece(word[n:])
}

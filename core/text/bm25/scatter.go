package bm25

// scatter adds the term's gain to every document that has it in a field, and
// perhaps to removed documents among them.
func (pl *plan) scatter(t *planTerm, s *scratch) {
	switch {
	case pl.context <= 0:
		c, sizes, acc, touched, tfs := pl.constants, pl.docs.size, s.acc, s.touched, t.list.tfs
		for i, d := range t.list.docs {
			acc[d] += c.gain(t.scale, uint32(tfs[i])<<ownShift, sizes[d])
			touched[d>>6] |= 1 << (d & 63)
		}
	case pl.docs.scattered && pl.docs.anyScattered(t.list):
		pl.follow(t.list, s)
		for _, d := range s.seen {
			s.acc[d] += pl.gain(t.scale, s.freq[d], pl.docs.size[d])
			s.touched[d>>6] |= 1 << (d & 63)
			s.freq[d] = 0
		}
		s.seen = s.seen[:0]
	default:
		pl.sweep(t, s)
	}
}

// anyScattered tells whether the context of a document of the list must be
// found through links.
func (t *docTable) anyScattered(l *list) bool {
	for _, d := range l.docs {
		if r := t.reach[d]; r.left == scatteredReach || r.right == scatteredReach {
			return true
		}
	}
	return false
}

// sweep is scatter for documents whose contexts are rows of neighbouring
// numbers. Contexts that overlap or touch are summed up together before their
// documents gain.
func (pl *plan) sweep(t *planTerm, s *scratch) {
	freq, reaches, tfs := s.freq, pl.docs.reach, t.list.tfs
	from, to := uint32(0), uint32(0)
	for i, d := range t.list.docs {
		r := reaches[d]
		first, end := d-uint32(r.left), d+uint32(r.right)+1
		if first > to {
			pl.settle(t.scale, s, from, to)
			from, to = first, first
		}
		tf := uint32(tfs[i])
		row := freq[first:end]
		for j := range row {
			row[j] += tf
		}
		freq[d] += tf<<ownShift - tf
		to = max(to, end)
	}
	pl.settle(t.scale, s, from, to)
}

// settle adds the gain of the documents in [from, to) by their frequencies,
// and makes these 0 again.
func (pl *plan) settle(scale float32, s *scratch, from, to uint32) {
	c, freq := pl.constants, s.freq[from:to]
	acc, sizes := s.acc[from:to][:len(freq)], pl.docs.size[from:to][:len(freq)]
	for j, f := range freq {
		acc[j] += c.gain(scale, f, sizes[j])
		freq[j] = 0
	}
	for d := from; d < to; { // set the bits of the row, a word at a time
		n := min(64-d&63, to-d)
		s.touched[d>>6] |= ^uint64(0) >> (64 - n) << (d & 63)
		d += n
	}
}

// follow adds up the frequencies of a term in each document and its context,
// from document to document.
func (pl *plan) follow(l *list, s *scratch) {
	docs, seen, freq := pl.docs, s.seen, s.freq
	for i, d := range l.docs {
		tf := uint32(l.tfs[i])
		p := &docs.place[d]
		if freq[d] == 0 {
			seen = append(seen, d)
		}
		freq[d] += tf << ownShift
		step := 0
		for n := docs.before(p, d, 0); n != none; n = docs.before(p, n, step) {
			if freq[n] == 0 {
				seen = append(seen, n)
			}
			freq[n] += tf
			step++
		}
		step = 0
		for n := docs.after(p, d, 0); n != none; n = docs.after(p, n, step) {
			if freq[n] == 0 {
				seen = append(seen, n)
			}
			freq[n] += tf
			step++
		}
	}
	s.seen = seen
}

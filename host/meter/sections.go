package meter

// types appends the type of the tick: an i32, no results. Blocks with the results of a
// function that has several need a type of their own.
func (w *rewriter) types(r *reader) []byte {
	n := r.count()
	all := r.b
	added, blocks := uint32(1), []byte(nil)
	for range n {
		if r.byte() != 0x60 {
			r.fail("type %d is no function", len(w.paramsOf))
		}
		params := r.count()
		r.bytes(params)
		results := r.bytes(r.count())
		w.paramsOf = append(w.paramsOf, int(params))
		switch len(results) {
		case 0:
			w.resultOf = append(w.resultOf, []byte{noBlockResult})
		case 1:
			w.resultOf = append(w.resultOf, results)
		default:
			w.resultOf = append(w.resultOf, appendI32(nil, n+added))
			added++
			blocks = append(appendU32(append(blocks, 0x60, 0), uint32(len(results))), results...)
		}
	}
	out := appendU32(nil, n+added)
	out = append(out, all[:len(all)-len(r.b)]...)
	return append(append(out, 0x60, 1, typeI32, 0), blocks...)
}

// imports appends the tick.
func (w *rewriter) imports(r *reader) []byte {
	n := r.count()
	all := r.b
	for range n {
		r.name()
		r.name()
		switch r.byte() {
		case 0:
			r.u32()
			w.importFns++
		case 1:
			r.byte()
			r.limits()
		case 2:
			r.limits()
		case 3:
			r.bytes(2)
			w.globals++
		default:
			r.fail("unknown kind of import")
		}
	}
	out := appendU32(nil, n+1)
	out = append(out, all[:len(all)-len(r.b)]...)
	out = append(appendU32(out, uint32(len(Module))), Module...)
	out = append(appendU32(out, uint32(len(Function))), Function...)
	return appendU32(append(out, 0), uint32(len(w.paramsOf)))
}

// tables caps how far tables may grow.
func (w *rewriter) tables(r *reader) []byte {
	n := r.count()
	if n > 16 {
		r.fail("%d tables, at most 16 are taken", n)
	}
	out := appendU32(nil, n)
	for range n {
		out = append(out, r.byte(), 1) // type; with a maximum
		form, least, most := r.byte(), r.u32(), uint32(MaxTable)
		switch form {
		case 0:
		case 1:
			most = min(most, r.u32())
		default:
			r.fail("unknown limits")
		}
		if least > most {
			r.fail("a table of %d elements, at most %d are taken", least, most)
		}
		out = appendU32(appendU32(out, least), most)
	}
	return out
}

// data copies the segments of memory.
func (w *rewriter) data(r *reader) []byte {
	n := r.count()
	out := appendU32(make([]byte, 0, len(r.b)+8), n)
	for range n {
		form := r.u32()
		if form > 2 {
			r.fail("unknown form %d", form)
		}
		out = appendU32(out, form)
		if form == 2 {
			out = appendU32(out, r.u32()) // memory
		}
		if form != 1 {
			out = w.constant(r, out) // offset
		}
		b := r.bytes(r.u32())
		out = append(appendU32(out, uint32(len(b))), b...)
	}
	return out
}

// globalSection appends the counter and the room.
func (w *rewriter) globalSection(r *reader) []byte {
	n := r.count()
	out := appendU32(nil, n+2)
	imported := w.globals
	for range n {
		out = append(out, r.bytes(2)...) // type, mutable
		out = w.constant(r, out)
	}
	w.globals = imported + n
	for _, start := range []uint32{Interval, Room} {
		out = append(out, typeI32, 1, opI32Const)
		out = append(appendI32(out, start), opEnd)
	}
	return out
}

func (w *rewriter) exports(r *reader) []byte {
	n := r.count()
	out := appendU32(nil, n)
	for range n {
		name := r.bytes(r.u32())
		out = append(appendU32(out, uint32(len(name))), name...)
		kind, index := r.byte(), r.u32()
		switch {
		case kind == 0:
			index = w.shift(r, index)
		case kind == 3 && index >= w.globals:
			r.fail("no global %d", index)
		}
		out = appendU32(append(out, kind), index)
	}
	return out
}

// elements copies the segments of tables, which list functions in eight ways.
func (w *rewriter) elements(r *reader) []byte {
	n := r.count()
	out := appendU32(nil, n)
	for range n {
		form := r.u32()
		if form > 7 {
			r.fail("unknown form %d", form)
		}
		out = appendU32(out, form)
		if form == 2 || form == 6 {
			out = appendU32(out, r.u32()) // table
		}
		if form&1 == 0 {
			out = w.constant(r, out) // offset
		}
		if form != 0 && form != 4 {
			out = append(out, r.byte()) // type
		}
		items := r.count()
		out = appendU32(out, items)
		for range items {
			if form >= 4 {
				out = w.constant(r, out)
			} else {
				out = appendU32(out, w.shift(r, r.u32()))
			}
		}
	}
	return out
}

// names keeps the names of functions, for messages of traps. What cannot be read is
// left out: it means nothing to the code.
func (w *rewriter) names(body []byte) {
	r := &reader{b: body}
	if string(r.bytes(r.u32())) != "name" {
		return
	}
	for len(r.b) > 0 && r.err == nil {
		id, sub := r.byte(), r.bytes(r.u32())
		if id != 1 || r.err != nil {
			continue
		}
		in := &reader{b: sub}
		n := in.count()
		fns := appendU32(nil, n)
		for range n {
			fn := w.shift(in, in.u32())
			name := in.bytes(in.u32())
			fns = appendU32(fns, fn)
			fns = append(appendU32(fns, uint32(len(name))), name...)
		}
		if in.err != nil || len(in.b) > 0 {
			return
		}
		section := append([]byte("\x04name\x01"), appendU32(nil, uint32(len(fns)))...)
		section = append(section, fns...)
		w.out = appendU32(append(w.out, secCustom), uint32(len(section)))
		w.out = append(w.out, section...)
		return
	}
}

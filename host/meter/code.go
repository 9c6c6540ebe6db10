package meter

// The opcodes that the rewriting knows by name.
const (
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opBr          = 0x0c
	opReturn      = 0x0f
	opCall        = 0x10
	opLocalGet    = 0x20
	opLocalTee    = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opMemoryGrow  = 0x40
	opI32Const    = 0x41
	opI32LtS      = 0x48
	opI32Add      = 0x6a
	opI32Sub      = 0x6b
	opI32ShrU     = 0x76
	opRefFunc     = 0xd2
	prefixBulk    = 0xfc
	prefixVector  = 0xfd
	typeI32       = 0x7f
	noBlockResult = 0x40
)

// function is what is learnt about a function while it is copied.
type function struct {
	local uint32 // index of the added local
	calls bool
	bulk  bool
}

// code copies the functions with their counts.
func (w *rewriter) code(r *reader) []byte {
	n := r.count()
	if int(n) != len(w.typeOf) {
		r.fail("%d bodies for %d functions", n, len(w.typeOf))
		return nil
	}
	out := make([]byte, 0, len(r.b)+len(r.b)/4)
	out = appendU32(out, n)
	var head []byte
	for i := range n {
		body := &reader{b: r.bytes(r.u32())}
		t := w.typeOf[i]
		if uint64(t) >= uint64(len(w.paramsOf)) {
			body.fail("no type %d", t)
			t = 0
		}
		groups := body.count()
		start := body.b
		locals := uint64(0)
		for range groups {
			locals += uint64(body.u32())
			body.byte()
		}
		if body.err == nil && len(w.paramsOf) > 0 {
			locals += uint64(w.paramsOf[t])
		}
		if locals >= 1<<31 {
			body.fail("too many locals")
		}
		groupBytes := start[:len(start)-len(body.b)]
		f := function{local: uint32(locals)}
		w.expr = w.body(body, w.expr[:0], &f)
		if body.err != nil {
			r.fail("function %d: %w", uint32(w.importFns)+i, body.err)
			return nil
		}
		head = head[:0]
		if f.bulk {
			head = append(appendU32(head, groups+1), groupBytes...)
			head = append(head, 1, typeI32)
		} else {
			head = append(appendU32(head, groups), groupBytes...)
		}
		if f.calls {
			need := uint32(min(64+16*locals+4*uint64(len(w.expr)), Room))
			head = w.enter(w.count(head), need)
			head = append(append(head, opBlock), w.resultOf[t]...)
			w.expr = append(w.leave(w.expr, need), opEnd)
		}
		out = appendU32(out, uint32(len(head)+len(w.expr)))
		out = append(append(out, head...), w.expr...)
	}
	return out
}

// body copies instructions up to the end of the function.
func (w *rewriter) body(r *reader, out []byte, f *function) []byte {
	depth := 1
	for depth > 0 && r.err == nil {
		var op byte
		out, op = w.instruction(r, out, f)
		switch op {
		case opBlock, opIf:
			depth++
		case opReturn: // branches out of all blocks, to where the room is given back
			out = appendU32(append(out[:len(out)-1], opBr), uint32(depth-1))
		case opLoop:
			depth++
			out = w.count(out)
		case opEnd:
			depth--
		}
	}
	if len(r.b) > 0 {
		r.fail("code after the end")
	}
	return out
}

// constant copies a constant expression.
func (w *rewriter) constant(r *reader, out []byte) []byte {
	for r.err == nil {
		var op byte
		if out, op = w.instruction(r, out, nil); op == opEnd {
			break
		}
	}
	return out
}

// count appends: take one from the counter; below zero, tick and start again.
func (w *rewriter) count(out []byte) []byte {
	c := w.counter()
	out = appendU32(append(out, opGlobalGet), c)
	out = append(out, opI32Const, 1, opI32Sub)
	out = appendU32(append(out, opGlobalSet), c)
	return w.tickIfSpent(out)
}

func (w *rewriter) tickIfSpent(out []byte) []byte {
	c := w.counter()
	out = appendU32(append(out, opGlobalGet), c)
	out = append(out, opI32Const, 0, opI32LtS, opIf, noBlockResult)
	out = w.call(out, Due)
	out = appendI32(append(out, opI32Const), Interval)
	out = appendU32(append(out, opGlobalSet), c)
	return append(out, opEnd)
}

// pay appends: take what a bulk operation over n bytes costs from the counter, n being
// on top of the stack, where it stays.
func (w *rewriter) pay(out []byte, f *function) []byte {
	f.bulk = true
	c := w.counter()
	out = appendU32(append(out, opLocalTee), f.local)
	out = appendU32(append(out, opGlobalGet), c)
	out = appendU32(append(out, opLocalGet), f.local)
	out = append(out, opI32Const, 6, opI32ShrU, opI32Sub)
	out = appendU32(append(out, opGlobalSet), c)
	return w.tickIfSpent(out)
}

// spend appends a tick whatever the counter says.
func (w *rewriter) spend(out []byte) []byte { return w.call(out, Due) }

func (w *rewriter) call(out []byte, why byte) []byte {
	return appendU32(append(out, opI32Const, why, opCall), w.tick())
}

// enter appends: take room for a frame; if there is none, say so.
func (w *rewriter) enter(out []byte, need uint32) []byte {
	out = w.take(out, need, opI32Sub)
	out = appendU32(append(out, opGlobalGet), w.room())
	out = append(out, opI32Const, 0, opI32LtS, opIf, noBlockResult)
	return append(w.call(out, TooDeep), opEnd)
}

// leave appends: give the room of a frame back.
func (w *rewriter) leave(out []byte, need uint32) []byte { return w.take(out, need, opI32Add) }

func (w *rewriter) take(out []byte, need uint32, op byte) []byte {
	out = appendU32(append(out, opGlobalGet), w.room())
	out = append(appendI32(append(out, opI32Const), need), op)
	return appendU32(append(out, opGlobalSet), w.room())
}

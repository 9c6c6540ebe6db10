package meter

// instruction copies one instruction, with the indexes of functions moved, and what it
// pays. It returns the opcode. f is nil in constant expressions.
func (w *rewriter) instruction(r *reader, out []byte, f *function) ([]byte, byte) {
	start := r.b
	op := r.byte()
	switch {
	case op == opCall || op == opRefFunc:
		if op == opCall {
			if f == nil {
				r.fail("a call in a constant")
				return out, op
			}
			f.calls = true
		}
		return appendU32(append(out, op), w.shift(r, r.u32())), op
	case op == opGlobalGet || op == opGlobalSet:
		if g := r.u32(); g >= w.globals {
			r.fail("no global %d", g)
		}
	case op == 0x11: // call_indirect
		r.u32()
		r.u32()
		if f != nil {
			f.calls = true
		}
	case op == opMemoryGrow:
		r.byte()
		if f != nil {
			out = w.spend(out)
		}
	case op == prefixBulk:
		if w.bulk(r) && f != nil {
			out = w.pay(out, f)
		}
	case op == prefixVector:
		vector(r)
	default:
		plain(r, op)
	}
	if r.err != nil {
		return out, op
	}
	return append(out, start[:len(start)-len(r.b)]...), op
}

// plain skips what follows an opcode that refers to no function or global.
func plain(r *reader, op byte) {
	switch {
	case op <= 0x01, op == 0x05, op == opEnd, op == opReturn, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1:
	case op >= 0x02 && op <= 0x04: // block, loop, if
		r.skipInt(5)
	case op == 0x0c, op == 0x0d, op >= opLocalGet && op <= opLocalTee, op == 0x25, op == 0x26:
		r.u32()
	case op == 0x0e: // br_table
		for range r.count() {
			r.u32()
		}
		r.u32()
	case op == 0x1c: // select with types
		r.bytes(r.u32())
	case op >= 0x28 && op <= 0x3e: // loads and stores
		r.u32()
		r.u32()
	case op == 0x3f, op == 0xd0:
		r.byte()
	case op == opI32Const:
		r.skipInt(5)
	case op == 0x42:
		r.skipInt(10)
	case op == 0x43:
		r.bytes(4)
	case op == 0x44:
		r.bytes(8)
	default:
		r.fail("unknown instruction %#02x", op)
	}
}

// bulk skips what follows 0xfc, and reports whether the operation takes time that
// depends on the number on top of the stack.
func (w *rewriter) bulk(r *reader) bool {
	switch sub := r.u32(); {
	case sub <= 7: // saturating conversions
		return false
	case sub == 9, sub == 13, sub == 16: // data.drop, elem.drop, table.size
		r.u32()
		return false
	case sub == 11, sub == 15, sub == 17: // memory.fill, table.grow, table.fill
		r.u32()
		return true
	case sub == 8, sub == 10, sub == 12, sub == 14: // init and copy
		r.u32()
		r.u32()
		return true
	default:
		r.fail("unknown instruction 0xfc %d", sub)
		return false
	}
}

// vector skips what follows 0xfd.
func vector(r *reader) {
	switch sub := r.u32(); {
	case sub <= 11, sub == 92, sub == 93: // loads and stores
		r.u32()
		r.u32()
	case sub == 12, sub == 13: // constant, shuffle
		r.bytes(16)
	case sub >= 21 && sub <= 34: // lanes
		r.byte()
	case sub >= 84 && sub <= 91: // loads and stores of a lane
		r.u32()
		r.u32()
		r.byte()
	case sub > 255:
		r.fail("unknown instruction 0xfd %d", sub)
	}
}

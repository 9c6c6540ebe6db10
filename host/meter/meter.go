// Package meter makes a WebAssembly module stoppable.
//
// Compiled code runs until it returns: nothing outside can end a loop. So [Add] rewrites
// a module before it is compiled. Every loop, every function that calls others and every
// bulk operation counts down, and when the count is used up the code calls the imported
// function orma.tick, in which the host looks at its clock and can end the run. Between
// two ticks lie at most [Interval] loop rounds or calls, some tens of microseconds, which
// also keeps a busy guest from holding up the garbage collector of the host.
//
// Recursion is bounded too. Every function that calls others takes from a store of room
// what its frame may need, and gives it back when it returns; when none is left it calls
// orma.tick with [TooDeep]. The compiler itself would let a guest grow its stack to 400 MB,
// and the one copy that doubles such a stack takes longer than a recall has.
//
// The compiler's own switch for this, wazero's WithCloseOnContextDone, leaves the
// compiled code in every round of every loop, at about 40 ns each, and does not see
// recursion at all. Counting costs 1 to 2 ns.
package meter

import (
	"errors"
	"fmt"
)

// Module and Function name the import that metered code calls. It takes an i32, which
// says why, and returns nothing.
const (
	Module   = "orma"
	Function = "tick"
)

// Why metered code calls the import. After TooDeep the host must not return to it.
const (
	Due     = 0
	TooDeep = 1
)

// Room is how many bytes of frames functions that are at work may need together. What a
// frame needs is reckoned from above: 16 bytes a local, four a byte of code, and 64.
const Room = 16 << 20

// Interval is how many loop rounds, calls and pieces of 64 bytes of bulk operations may
// lie between two ticks.
const Interval = 4096

// MaxTable is the most elements of a table. Tables grow beside the linear memory, which
// the host caps by itself.
const MaxTable = 1 << 20

// ErrCode is wrapped by every error of [Add]: the code is not a WebAssembly 2.0 module,
// or is broken.
var ErrCode = errors.New("not a WebAssembly 2.0 module")

// The section ids.
const (
	secCustom = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
)

// place gives the order of sections in a module.
var place = [...]int{
	secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secGlobal: 6, secExport: 7, secStart: 8,
	secElement: 9, secDataCount: 10, secCode: 11, secData: 12,
}

// rewriter turns one module into another. Its counts are those of the original.
type rewriter struct {
	paramsOf  []int    // parameters of each type
	resultOf  [][]byte // what a block with the results of each type is marked with
	typeOf    []uint32 // type of each function that the module defines
	importFns uint32
	globals   uint32 // imported ones too
	out       []byte
	expr      []byte // of one function, reused
}

func (w *rewriter) tick() uint32    { return w.importFns } // index of the added import
func (w *rewriter) counter() uint32 { return w.globals }   // index of the first added global
func (w *rewriter) room() uint32    { return w.globals + 1 }

// functions returns how many functions the original has.
func (w *rewriter) functions() uint32 { return w.importFns + uint32(len(w.typeOf)) }

// Add returns the module with counts and ticks. Custom sections other than the names of
// functions are left out. The module is not validated beyond what rewriting needs: the
// compiler does that to the result, and accepts nothing that it would have refused
// before.
func Add(code []byte) ([]byte, error) {
	if len(code) < 8 || string(code[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, fmt.Errorf("%w: wrong first bytes", ErrCode)
	}
	w := &rewriter{out: make([]byte, 0, len(code)+len(code)/4+64)}
	w.out = append(w.out, code[:8]...)
	r := &reader{b: code[8:]}
	last := 0
	for len(r.b) > 0 && r.err == nil {
		id := r.byte()
		body := r.bytes(r.u32())
		if r.err != nil {
			break
		}
		if id == secCustom {
			w.names(body)
			continue
		}
		if int(id) >= len(place) || place[id] <= last {
			return nil, fmt.Errorf("%w: section %d is unknown or out of order", ErrCode, id)
		}
		if err := w.missing(last, place[id]); err != nil {
			return nil, err
		}
		last = place[id]
		if err := w.section(int(id), body); err != nil {
			return nil, fmt.Errorf("%w: section %d: %w", ErrCode, id, err)
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCode, r.err)
	}
	return w.out, w.missing(last, len(place))
}

// missing writes the sections that the rewriting needs and the module lacks, of those
// that belong between two places.
func (w *rewriter) missing(after, before int) error {
	for _, id := range []int{secType, secImport, secGlobal} {
		if p := place[id]; p > after && p < before {
			if err := w.section(id, []byte{0}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *rewriter) section(id int, body []byte) error {
	r := &reader{b: body}
	var out []byte
	switch id {
	case secType:
		out = w.types(r)
	case secImport:
		out = w.imports(r)
	case secFunction:
		for range r.count() {
			w.typeOf = append(w.typeOf, r.u32())
		}
		out = body
	case secTable:
		out = w.tables(r)
	case secMemory:
		for range r.count() {
			r.limits()
		}
		out = body
	case secGlobal:
		out = w.globalSection(r)
	case secExport:
		out = w.exports(r)
	case secStart:
		out = appendU32(nil, w.shift(r, r.u32()))
	case secElement:
		out = w.elements(r)
	case secCode:
		out = w.code(r)
	case secData:
		out = w.data(r)
	case secDataCount:
		r.u32()
		out = body
	}
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes too many", len(r.b))
	}
	w.out = append(w.out, byte(id))
	w.out = appendU32(w.out, uint32(len(out)))
	w.out = append(w.out, out...)
	return r.err
}

// shift returns the new index of a function: defined ones move up by the added import.
func (w *rewriter) shift(r *reader, fn uint32) uint32 {
	if fn >= w.functions() {
		r.fail("no function %d", fn)
	}
	if fn >= w.importFns {
		fn++
	}
	return fn
}

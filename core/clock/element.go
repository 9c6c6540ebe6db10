package clock

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// element returns the edges of a literal word or a <class>.
func (p *patternReader) element(word string) ([][]edge, error) {
	name, opens := strings.CutPrefix(word, "<")
	name, closes := strings.CutSuffix(name, ">")
	if !opens || !closes {
		return [][]edge{{{kind: edgeWord, word: p.g.intern(word)}}}, nil
	}
	if rest, ok := strings.CutPrefix(name, "date"); ok {
		skip, err := skipped(rest)
		return [][]edge{{{kind: edgeDate, skip: skip}}}, err
	}
	e := edge{kind: edgeClass}
	switch name {
	case "n":
		e.kind, e.class = edgeNumber, clsNumber
	case "dom":
		e.kind, e.class = edgeDom, clsOrdinal
	case "ord", "th":
		e.kind, e.class, e.strict = edgeOrd, clsOrdinal, name == "th"
	case "year":
		e.kind = edgeYear
	case "int":
		e.kind = edgeInt
	case "clock":
		e.kind = edgeClock
	default:
		var err error
		if name, ok := strings.CutSuffix(name, "!"); ok { // of this file alone
			e.class, err = p.g.classOf(name, false)
			e.langs = 1 << p.lang
			return append([][]edge{{e}}, p.phrases(e)...), err
		}
		e.strict = name != "" && unicode.IsUpper(rune(name[0]))
		if e.class, err = p.g.classOf(strings.ToLower(name), false); err != nil {
			return nil, err
		}
	}
	e.langs = p.g.langsOf(e.class, p.lang)
	return append([][]edge{{e}}, p.phrases(e)...), nil
}

// phrases returns a chain of words for each value of a class that has several;
// the last of the chain captures the value.
func (p *patternReader) phrases(e edge) [][]edge {
	var out [][]edge
	for _, ph := range p.g.phrases[e.class] {
		if e.class == clsNone || e.langs&(1<<ph.sense.lang) == 0 {
			continue
		}
		var seq []edge
		for _, w := range ph.words {
			seq = append(seq, edge{kind: edgeWord, word: w})
		}
		seq[len(seq)-1].set = ph.sense
		out = append(out, seq)
	}
	return out
}

// skipped reads what a <date-…> leaves out: m months, o ordinals, y years,
// w weak words without their capital, t what may go on after a date.
func skipped(s string) (bareKind, error) {
	if s == "" {
		return 0, nil
	}
	var skip bareKind
	for _, c := range strings.TrimPrefix(s, "-") {
		switch c {
		case 'o':
			skip |= bareOrd
		case 'm':
			skip |= bareMonth
		case 'y':
			skip |= bareYear
		case 'w':
			skip |= bareWeak
		case 't':
			skip |= bareTail
		default:
			return 0, fmt.Errorf("unknown class <date%s>", s)
		}
	}
	if s[0] != '-' {
		return 0, fmt.Errorf("unknown class <date%s>", s)
	}
	return skip, nil
}

// meaning reads what stands after the arrow: an operation and its arguments,
// numbers or words.
func meaning(fields []string) (op, [2]int32, error) {
	var arg [2]int32
	code, ok := opNames[fields[0]]
	if !ok {
		return 0, arg, fmt.Errorf("unknown meaning %q", fields[0])
	}
	for i, f := range fields[1:] {
		if n, err := strconv.Atoi(f); err == nil && n >= -1000 && n <= 1000 {
			arg[i] = int32(n)
		} else if v, ok := argNames[f]; ok {
			arg[i] = v
		} else {
			return 0, arg, fmt.Errorf("%q is neither a number from -1000 to 1000 nor a known word", f)
		}
	}
	return code, arg, nil
}

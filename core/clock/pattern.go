package clock

import (
	"fmt"
	"strings"
)

// A node is a place in the tree of patterns.
type node struct {
	edges []edge
	terms []term
}

// An edge is what the next token, number or date must be.
type edge struct {
	kind   edgeKind
	class  class // of edgeClass
	strict bool  // weak words need their capital, ordinals digits
	skip   bareKind
	langs  uint32
	word   int32 // of edgeWord
	set    sense // what the edge captures; class none is nothing
	to     int32
}

type edgeKind uint8

const (
	edgeWord   edgeKind = iota
	edgeClass           // a word of a class
	edgeNumber          // <n>: a number, in digits or words
	edgeDom             // <dom>: a day of the month
	edgeOrd             // <ord>: an ordinal; strict for <th>: in digits
	edgeYear            // <year>: four digits
	edgeInt             // <int>: a number in digits
	edgeClock           // <clock>: a time of day in digits
	edgeDate            // <date>: an expression inside this one
)

// A bareKind says which patterns count only as part of others, or as a whole
// phrase: alone in a line they may mean something else.
type bareKind uint8

const (
	bareAny   bareKind = 1 << iota // ?  "Christmas"
	bareYear                       // ?y "2019"
	bareOrd                        // ?o "the 5th"
	bareMonth                      // ?m "March"
	bareWeak                       // of a <date> only: weak words need their capital
	bareTail                       // of a <date> only: without what may go on after it
)

// A term ends a pattern.
type term struct {
	op       op
	arg      [2]int32
	bare     bareKind
	boundary bool // "!": no noun may follow, as in "Monday meeting"
	lang     uint8
	order    int32
}

const (
	maxExpansions = 4096 // of one pattern
	maxLength     = 16   // words of a pattern
)

// pattern enters one line of a [pattern] section.
func (g *grammar) pattern(lang uint8, text string) error {
	left, right, ok := strings.Cut(text, "=>")
	if !ok {
		return fmt.Errorf("%q is not of the form pattern => meaning", text)
	}
	t := term{lang: lang, order: g.order}
	g.order++
	fields := strings.Fields(right)
	if len(fields) == 0 || len(fields) > 3 {
		return fmt.Errorf("%q is not a meaning", right)
	}
	var err error
	if t.op, t.arg, err = meaning(fields); err != nil {
		return err
	}
	flags, rest, _ := strings.Cut(strings.TrimSpace(left), " ")
	if !strings.HasPrefix(flags, "?") && !strings.HasPrefix(flags, "!") || strings.Trim(flags, "?!oym") != "" {
		return g.enter(lang, left, t)
	}
	for _, c := range flags {
		switch c {
		case '!':
			t.boundary = true
		case 'y':
			t.bare = bareYear
		case 'o':
			t.bare = bareOrd
		case 'm':
			t.bare = bareMonth
		default:
			t.bare = bareAny
		}
	}
	return g.enter(lang, rest, t)
}

func (g *grammar) enter(lang uint8, left string, t term) error {
	p := patternReader{g: g, lang: lang}
	for _, mark := range []string{"[", "]", "(", ")", "|"} {
		left = strings.ReplaceAll(left, mark, " "+mark+" ")
	}
	p.words = strings.Fields(left)
	seqs, err := p.alternatives(0)
	if err != nil {
		return err
	}
	if len(p.words) > 0 {
		return fmt.Errorf("unexpected %q", p.words[0])
	}
	for _, seq := range seqs {
		if err := g.insert(seq, t); err != nil {
			return err
		}
	}
	return nil
}

func (g *grammar) insert(seq []edge, t term) error {
	if len(seq) == 0 || len(seq) > maxLength {
		return fmt.Errorf("a pattern of %d words; it may have 1 to %d", len(seq), maxLength)
	}
	at := int32(rootNode)
	if seq[0].kind == edgeDate {
		at = tailNode
		if seq = seq[1:]; len(seq) == 0 {
			return fmt.Errorf("a pattern of a date alone")
		}
	}
	for _, e := range seq {
		next := int32(-1)
		for _, have := range g.nodes[at].edges {
			to := have.to
			if have.to = 0; have == e {
				next = to
			}
		}
		if next < 0 {
			next = int32(len(g.nodes))
			e.to = next
			g.nodes[at].edges = append(g.nodes[at].edges, e)
			g.nodes = append(g.nodes, node{})
		}
		at = next
	}
	g.nodes[at].terms = append(g.nodes[at].terms, t)
	return nil
}

// A patternReader turns a pattern into every sequence it stands for.
type patternReader struct {
	g     *grammar
	lang  uint8
	words []string
}

// alternatives reads up to the bracket that closes, or the end.
func (p *patternReader) alternatives(depth int) ([][]edge, error) {
	if depth > 8 {
		return nil, fmt.Errorf("brackets nested more than 8 deep")
	}
	var all [][]edge
	seqs := [][]edge{nil}
	for len(p.words) > 0 {
		word := p.words[0]
		if word == ")" || word == "]" {
			break
		}
		p.words = p.words[1:]
		var next [][]edge
		var err error
		switch word {
		case "|":
			all = append(all, seqs...)
			seqs = [][]edge{nil}
			continue
		case "(", "[":
			next, err = p.bracket(word, depth)
		default:
			next, err = p.element(word)
		}
		if err == nil {
			seqs, err = product(seqs, next)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(all, seqs...), nil
}

func (p *patternReader) bracket(open string, depth int) ([][]edge, error) {
	want := map[string]string{"(": ")", "[": "]"}[open]
	seqs, err := p.alternatives(depth + 1)
	if err != nil {
		return nil, err
	}
	if len(p.words) == 0 || p.words[0] != want {
		return nil, fmt.Errorf("a %q is not closed", open)
	}
	p.words = p.words[1:]
	if open == "[" {
		seqs = append(seqs, nil)
	}
	return seqs, nil
}

func product(a, b [][]edge) ([][]edge, error) {
	if len(a)*len(b) > maxExpansions {
		return nil, fmt.Errorf("the pattern stands for more than %d", maxExpansions)
	}
	out := make([][]edge, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, append(x[:len(x):len(x)], y...))
		}
	}
	return out, nil
}

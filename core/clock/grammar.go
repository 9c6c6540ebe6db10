package clock

import (
	"embed"
	"fmt"
)

// A grammar is what the language files say, ready to match. It never changes
// once built.
type grammar struct {
	words    map[string]int32
	entries  []entry
	marks    [128]int32 // the entries of punctuation, -1 where no pattern has it
	groups   map[string]class
	phrases  map[class][]phrase
	holidays []holidayRule
	langs    []language

	nodes   []node
	numeric []int32 // edges of the root that a number or date may take
	order   int32   // of the next pattern
}

// The trees of patterns begin at these nodes: those of whole expressions, and
// those that go on after a date ("… morning").
const (
	rootNode = 0
	tailNode = 1
)

// A language is what belongs to one file alone.
type language struct {
	name     string
	suffixes []suffixed
	includes []included
	patterns []source
}

// A suffixed ending tells the tense of a word the lexicon does not have.
type suffixed struct {
	text  string
	class class
}

type included struct {
	class class
	lang  uint8
}

type source struct {
	line int
	text string
}

// A File is the description of a language in the format that lang/en.txt
// explains at its head.
type File struct {
	Name string // for messages; what follows it may include it without ".txt"
	Text string
}

//go:embed lang/*.txt
var builtin embed.FS

// builtinNames are the languages that come with the package. The first of two
// equally long readings wins, so their order matters.
var builtinNames = []string{"en.txt", "hi.txt", "hi_deva.txt"}

// builtinFiles returns the languages that come with the package.
func builtinFiles() ([]File, error) {
	files := make([]File, 0, len(builtinNames)+1)
	for _, name := range builtinNames {
		text, err := builtin.ReadFile("lang/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{name, string(text)})
	}
	return files, nil
}

func newGrammar(files []File) (*grammar, error) {
	g := &grammar{words: map[string]int32{}, groups: map[string]class{}, phrases: map[class][]phrase{}, nodes: make([]node, 2)}
	for _, f := range files {
		if err := g.read(f.Name, f.Text); err != nil {
			return nil, err
		}
	}
	for lang := range g.langs {
		for _, p := range g.langs[lang].patterns {
			if err := g.pattern(uint8(lang), p.text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", g.langs[lang].name, p.line, err)
			}
		}
		g.langs[lang].patterns = nil
	}
	g.finish()
	return g, nil
}

// finish fills the tables that find the patterns a word may begin.
func (g *grammar) finish() {
	for c := range g.marks {
		g.marks[c] = -1
		if id, ok := g.words[string(rune(c))]; ok && !isWordRune(rune(c)) {
			g.marks[c] = id
		}
	}
	for i, e := range g.nodes[rootNode].edges {
		if e.kind > edgeClass {
			g.numeric = append(g.numeric, int32(i))
		}
	}
	for id := range g.entries {
		en := &g.entries[id]
		t := token{kind: tokWord, entry: int32(id), capital: true}
		for i, e := range g.nodes[rootNode].edges {
			if g.mayBegin(e, t) {
				en.begins = append(en.begins, int32(i))
			}
		}
	}
}

// langs returns the languages whose words of a class lang uses, as bits.
func (g *grammar) langsOf(c class, lang uint8) uint32 {
	mask := uint32(1) << lang
	for _, inc := range g.langs[lang].includes {
		if inc.class == c {
			mask |= 1 << inc.lang
		}
	}
	return mask
}

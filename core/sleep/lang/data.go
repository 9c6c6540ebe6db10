package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed data
var data embed.FS

// Set holds the languages a line may be in. It never changes and is safe for
// concurrent use.
type Set struct {
	langs []*Lang
	any   *Lists // words of languages without a file of their own
}

// Default returns the built-in languages.
var Default = sync.OnceValue(func() *Set {
	s, err := Load(data)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return s
})

// Load reads all data/*.txt of a file system; the first by name is the one that
// a line is taken for when nothing tells.
func Load(fsys fs.FS) (*Set, error) {
	files, err := fs.Glob(fsys, "data/*.txt")
	if err != nil {
		return nil, err
	}
	s := &Set{}
	b, err := fs.ReadFile(fsys, "data/any.words")
	if err != nil {
		return nil, err
	}
	if s.any, err = ParseLists(string(b)); err != nil {
		return nil, fmt.Errorf("any.words: %w", err)
	}
	for _, f := range files {
		b, err := fs.ReadFile(fsys, f)
		if err != nil {
			return nil, err
		}
		l, err := parse(strings.TrimSuffix(path.Base(f), ".txt"), string(b))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		s.langs = append(s.langs, l)
	}
	if len(s.langs) == 0 {
		return nil, fmt.Errorf("no language files")
	}
	return s, nil
}

// Languages returns the languages in order.
func (s *Set) Languages() []*Lang { return s.langs }

// Lang is one language's words. Name is the file's name, such as "en".
type Lang struct {
	Name string
	*Lists
	verbs map[string][]verbForm // nil in a language read without verbs
}

// Lists holds named lists of words and phrases.
type Lists struct{ lists map[string]*list }

// list is a set of phrases, found by their first word.
type list struct {
	byFirst map[string][]phrase
	all     []phrase
}

type phrase struct {
	words []string // "..." stands for one to four words
	value string
}

func parse(name, src string) (*Lang, error) {
	w, err := ParseLists(src)
	if err != nil {
		return nil, err
	}
	l := &Lang{Name: name, Lists: w}
	if v := l.lists["verbs"]; v != nil {
		l.verbs = conjugate(v.all)
	}
	return l, nil
}

// ParseLists reads lists in the form that the package comment describes.
func ParseLists(src string) (*Lists, error) {
	l := &Lists{lists: map[string]*list{}}
	var section string
	for n, line := range strings.Split(src, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if s, ok := strings.CutPrefix(line, "["); ok {
			if section, ok = strings.CutSuffix(s, "]"); !ok {
				return nil, fmt.Errorf("line %d: no closing bracket", n+1)
			}
			continue
		}
		if section == "" {
			return nil, fmt.Errorf("line %d: an entry before the first list", n+1)
		}
		for _, e := range strings.Split(line, ",") {
			e, v, _ := strings.Cut(e, " = ")
			if w := strings.Fields(e); len(w) > 0 {
				l.add(section, phrase{w, strings.TrimSpace(v)})
			}
		}
	}
	return l, nil
}

func (l *Lists) add(section string, p phrase) {
	s := l.lists[section]
	if s == nil {
		s = &list{byFirst: map[string][]phrase{}}
		l.lists[section] = s
	}
	s.all = append(s.all, p)
	k := p.words[0]
	s.byFirst[k] = append(s.byFirst[k], p)
	// The longest phrase is tried first.
	slices.SortStableFunc(s.byFirst[k], func(a, b phrase) int { return len(b.words) - len(a.words) })
}

// has reports whether a list holds the single word.
func (l *Lists) has(section, word string) bool {
	_, ok := l.value(section, word)
	return ok
}

// value returns the value of a single word in a list.
func (l *Lists) value(section, word string) (string, bool) {
	s := l.lists[section]
	if s == nil {
		return "", false
	}
	for _, p := range s.byFirst[word] {
		if len(p.words) == 1 {
			return p.value, true
		}
	}
	return "", false
}

// At returns how many tokens from i a phrase of the list takes, or 0.
func (l *Lists) At(list string, toks []Token, i int) int { return l.phraseAt(list, toks, i) }

// Word reports whether a list holds a single word.
func (l *Lists) Word(list, word string) bool { return l.has(list, word) }

// phraseAt returns how many tokens from i a phrase of the list takes, or 0.
func (l *Lists) phraseAt(section string, toks []Token, i int) int {
	s := l.lists[section]
	if s == nil || i < 0 || i >= len(toks) {
		return 0
	}
	for _, p := range s.byFirst[toks[i].Norm] {
		if n := p.match(toks, i); n > 0 {
			return n
		}
	}
	return 0
}

// maxGap is how many words "..." in a phrase may stand for.
const maxGap = 12

func (p phrase) match(toks []Token, i int) int {
	j := i
	for k := 0; k < len(p.words); k++ {
		if p.words[k] != "..." {
			if j >= len(toks) || toks[j].Norm != p.words[k] {
				return 0
			}
			j++
			continue
		}
		rest := phrase{words: p.words[k+1:]}
		for gap := 1; gap <= maxGap && j+gap < len(toks); gap++ {
			if toks[j+gap-1].breaks() {
				return 0
			}
			if n := rest.match(toks, j+gap); n > 0 {
				return j + gap + n - i
			}
		}
		return 0
	}
	return j - i
}

// Has reports whether a phrase of the list stands anywhere in words, which are
// folded and separated by spaces.
func (l *Lists) Has(section, words string) bool {
	toks := plain(words)
	for i := range toks {
		if l.phraseAt(section, toks, i) > 0 {
			return true
		}
	}
	return false
}

// plain makes tokens of words that need no analysis.
func plain(words string) []Token {
	var out []Token
	for _, w := range strings.Fields(words) {
		out = append(out, Token{Norm: w})
	}
	return out
}

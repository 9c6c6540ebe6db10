package quality

import (
	_ "embed" // for the synonyms
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed synonyms.txt
var synonymsFile string

// Code makes a space of the exported declarations of packages, one a turn: its doc
// comment and its name. A session is a file. Questions are first sentences of comments,
// without the name, with some words dropped and some replaced.
func Code(id, goroot string, pkgs []string, seed uint64, questions int) (Conversation, error) {
	r := rand.New(rand.NewPCG(seed, 0x636f6465))
	c := Conversation{ID: id, Now: start.AddDate(0, 0, 170)}
	type candidate struct{ key, sentence, kind string }
	var found []candidate
	session := 0
	for _, pkg := range pkgs {
		dir := filepath.Join(goroot, "src", filepath.FromSlash(pkg))
		ctx := build.Default
		ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
		p, err := ctx.ImportDir(dir, 0)
		if err != nil {
			return c, fmt.Errorf("read package %s: %w", pkg, err)
		}
		slices.Sort(p.GoFiles)
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments)
			if err != nil {
				return c, fmt.Errorf("parse %s: %w", name, err)
			}
			pos := 0
			for _, d := range declarations(f) {
				key := fmt.Sprintf("s%d:%d", session, pos)
				at := start.AddDate(0, 0, session%170).Add(time.Duration(pos) * time.Minute)
				c.Turns = append(c.Turns, Turn{ID: key, Session: fmt.Sprintf("s%d", session), At: at, Kind: "document", Text: fmt.Sprintf("%s: %s %s %s", pkg, strings.Join(strings.Fields(d.doc), " "), d.kind, d.name)})
				if s := firstSentence(d.doc, d.name); s != "" {
					found = append(found, candidate{key, s, d.kind})
				}
				pos++
			}
			if pos > 0 {
				session++
			}
		}
	}
	synonyms := readSynonyms()
	r.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	for i, f := range found[:min(questions, len(found))] {
		what := "type"
		if f.kind == "func" {
			what = []string{"function", "call"}[r.IntN(2)]
		}
		text := fmt.Sprintf([]string{"which %s %s?", "%s that %s"}[r.IntN(2)], what, paraphrase(f.sentence, synonyms, r))
		c.Questions = append(c.Questions, Question{fmt.Sprintf("%s-q%d", id, i), "code", text, []string{f.key}})
	}
	return c, nil
}

// declaration is an exported function or type with its comment.
type declaration struct{ kind, name, doc string }

func declarations(f *ast.File) []declaration {
	var out []declaration
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc != nil {
				out = append(out, declaration{"func", d.Name.Name, d.Doc.Text()})
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok || !t.Name.IsExported() {
					continue
				}
				if doc := t.Doc.Text() + d.Doc.Text(); doc != "" {
					out = append(out, declaration{"type", t.Name.Name, doc})
				}
			}
		}
	}
	return out
}

// firstSentence is the first sentence of a comment without the name it begins with, or
// nothing if it is no use as a question.
func firstSentence(doc, name string) string {
	s, _, _ := strings.Cut(strings.Join(strings.Fields(doc), " ")+" ", ". ")
	s = strings.NewReplacer("[", "", "]", "").Replace(s)
	for _, article := range []string{"A ", "An ", "The "} {
		s = strings.TrimPrefix(s, article)
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, name))
	if n := len(strings.Fields(s)); n < 6 || n > 30 {
		return ""
	}
	return strings.TrimSuffix(s, ".")
}

func readSynonyms() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(synonymsFile) {
		word, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(word, "#") {
			continue
		}
		for v := range strings.SplitSeq(list, ",") {
			out[word] = append(out[word], strings.TrimSpace(v))
		}
	}
	return out
}

// short words carry a sentence's form; they are kept as they are.
const short = 3

// paraphrase drops about a fifth of the longer words and says half of those that have
// another word in that one.
func paraphrase(s string, synonyms map[string][]string, r *rand.Rand) string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-')
	}) {
		w = strings.ToLower(w)
		if len(w) <= short {
			out = append(out, w)
			continue
		}
		if r.Float64() < 0.2 {
			continue
		}
		if others := synonyms[w]; len(others) > 0 && r.Float64() < 0.5 {
			w = others[r.IntN(len(others))]
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

package pack_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/orma-memory/orma/core/pack"
)

var update = flag.Bool("update", false, "rewrite golden files")

// words counts words and marks: a tokenizer small enough to check by eye.
type words struct{}

func (words) Name() string { return "words" }

func (words) Count(s string) int {
	n, in := 0, false
	for _, r := range s {
		word := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		if word && !in || !word && !unicode.IsSpace(r) {
			n++
		}
		in = word
	}
	return n
}

// input is the JSON of a golden file: the input with spans given by their text.
type input struct {
	pack.Input
	Today string
	Zone  string
	Spans map[string]string // sentence → what replaced it
	Set   pack.Params
}

func load(t *testing.T, src string) (*pack.Input, pack.Params) {
	t.Helper()
	in := input{Set: pack.Defaults()}
	d := json.NewDecoder(strings.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation(in.Zone)
	if err != nil {
		t.Fatal(err)
	}
	in.Input.Zone = zone
	if in.Input.Today, err = time.Parse(time.RFC3339, in.Today); err != nil {
		t.Fatal(err)
	}
	for i := range in.Passages {
		p := &in.Passages[i]
		for text, now := range in.Spans {
			if at := strings.Index(p.Text, text); at >= 0 {
				p.Outdated = append(p.Outdated, pack.Span{Start: at, End: at + len(text), Now: now})
			}
		}
	}
	return &in.Input, in.Set
}

// TestGolden packs each file's input in all formats. A file is the input as JSON
// and, after a line of dashes, the blocks and what was left out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src, want, _ := strings.Cut(string(data), "\n----\n")
			in, set := load(t, src)
			var got strings.Builder
			for _, f := range pack.Formats() {
				in.Format = f
				p := pack.Pack(in, set, words{})
				if p.Block != p.Stable+p.Turn || !strings.HasPrefix(p.Stable, p.Rules) {
					t.Errorf("%s: the parts do not make the block", f)
				}
				fmt.Fprintf(&got, "== %s: %d tokens", f, p.Tokens)
				if p.OverBudget {
					got.WriteString(", over budget")
				}
				fmt.Fprintf(&got, "\n%s", p.Block)
				for _, l := range p.LeftOut {
					fmt.Fprintf(&got, "(%s %d left out: %s)\n", l.Kind, l.ID, l.Reason)
				}
			}
			if *update {
				if err := os.WriteFile(name, []byte(src+"\n----\n"+got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
			}
		})
	}
}

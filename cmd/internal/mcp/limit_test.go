package mcp_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// twentyKB makes texts of 20 kB that differ, of kinds that tokenizers take apart
// differently.
func twentyKB(n int) string {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	const size = 20_000
	fill := func(word func() string) string {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(word())
		}
		return b.String()[:size]
	}
	words := strings.Fields("the harbour crane lifts a container while the night clerk signs papers and rain taps on tin roofs")
	prose := func() string { return words[r.IntN(len(words))] + []string{" ", " ", " ", ". "}[r.IntN(4)] }
	switch n % 8 {
	case 0:
		return fill(prose)
	case 1: // one word
		return fill(func() string { return string(rune('a' + r.IntN(26))) })
	case 2:
		data := make([]byte, size*3/4)
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		return base64.StdEncoding.EncodeToString(data)
	case 3: // no spaces, and letters that the tokenizer does not know
		return strings.ToValidUTF8(fill(func() string { return string(rune(0x0e01 + r.IntN(40))) }), "")
	case 4:
		return strings.ToValidUTF8(fill(func() string { return string(rune(0x4e00 + r.IntN(2000))) }), "")
	case 5: // much to escape in JSON
		return fill(func() string { return `{"a": "\n<&>"},` + "\t\"" })
	case 6:
		return strings.ToValidUTF8(fill(func() string { return string(rune(0x1f600+r.IntN(60))) + " " }), "")
	}
	return fill(func() string { return prose() + "\n" })
}

// TestResultsAreCapped plays an agent with memories far too long, and rules too: no
// result is above its cap, counted over all that is sent, by the tokenizer and by a
// quarter of its bytes.
func TestResultsAreCapped(t *testing.T) {
	m := open(t)
	for i := range 50 {
		kind := []core.Kind{core.KindNote, core.KindTurn, core.KindDocument, core.KindAntiPattern, core.KindTool}[i%5]
		add(t, m, "", engine.Input{Text: fmt.Sprintf("Entry %d about the harbour. ", i) + twentyKB(i), Kind: kind, Speaker: strings.Repeat("long name ", 9)})
	}
	for name, c := range map[string]*sdk.ClientSession{"stdio": connect(t, options(m)), "http": connectHTTP(t, options(m), access.Local())} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []int{0, 500, 1000, 5000, 10_000} {
				for _, tt := range []struct {
					tool string
					args args
				}{
					{"orma_recall", args{"query": "harbour crane"}}, {"orma_recall", args{}}, {"orma_recall", args{"query": strings.Repeat("harbour entry ", 900)}},
					{"orma_search", args{"query": "harbour", "limit": 100}}, {"orma_search", args{"query": strings.Repeat("crane ", 900)}},
					{"orma_facts", args{}}, {"orma_facts", args{"include_history": true}}, {"orma_facts", args{"as_of": "2026-05-04"}}, {"orma_stats", args{}},
					{"orma_recall", args{"handle": uri("default/episodes")}}, {"orma_recall", args{"handle": uri("default/rules")}},
					{"orma_recall", args{"handle": uri("default/search?q=harbour")}},
				} {
					want := limit
					if limit != 0 {
						tt.args["max_tokens"] = limit
					} else {
						delete(tt.args, "max_tokens")
						want = 2000
					}
					r := raw(t, c, tt.tool, tt.args)
					if r.IsError {
						t.Fatalf("%s: %s", tt.tool, textOf(r))
					}
					all := textOf(r) + jsonOf(t, r.StructuredContent)
					if n := m.CountTokens(all); n > want {
						t.Errorf("%s %.60v: %d tokens, more than %d", tt.tool, tt.args, n, want)
					}
					if n := len(all) / 4; n > want {
						t.Errorf("%s %.60v: %d bytes, a quarter of them more than %d", tt.tool, tt.args, len(all), want)
					}
				}
			}
		})
	}
}

// TestHandlesReadTheRest checks that the pages of a record, read through a tool and as
// a resource, are the record, and each within its cap.
func TestHandlesReadTheRest(t *testing.T) {
	m := open(t)
	c := connect(t, options(m))
	for i := range 8 {
		text := twentyKB(i)
		a := add(t, m, "", engine.Input{Text: text, Kind: core.KindNote})[0]
		stored, err := m.Episode(t.Context(), "", a.ID)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		pages := 0
		for h := uri("default/episodes/%d", a.ID); h != ""; pages++ {
			out, shown := call(t, c, "orma_recall", args{"handle": h})
			if n := m.CountTokens(shown + jsonOf(t, out)); n > 2000 {
				t.Fatalf("text %d: a page of %d tokens", i, n)
			}
			got.WriteString(out["block"].(string))
			h, _ = out["more"].(string)
		}
		if got.String() != stored.Text {
			t.Errorf("text %d: %d pages are not the record", i, pages)
		}
		got.Reset()
		for h := uri("default/episodes/%d", a.ID); h != ""; {
			r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: h})
			if err != nil {
				t.Fatal(err)
			}
			p := r.Contents[0]
			if n := m.CountTokens(p.Text); n > 10_000 || len(p.Text) > 40_000 {
				t.Fatalf("text %d: a resource of %d tokens, %d bytes", i, n, len(p.Text))
			}
			got.WriteString(p.Text)
			h, _ = p.Meta["orma/more"].(string)
		}
		if got.String() != stored.Text {
			t.Errorf("text %d: the resource is not the record", i)
		}
	}
}

// TestPagesOfLists checks that pages give each item once, in the order of the whole.
func TestPagesOfLists(t *testing.T) {
	m := open(t)
	c := connect(t, options(m))
	for i := range 60 {
		add(t, m, "", engine.Input{Text: fmt.Sprintf("Never do thing number %d, for there is a long story behind it that nobody wants to hear again.", i), Kind: core.KindAntiPattern})
	}
	for _, tt := range []struct {
		name, tool, list string
		first            args
	}{
		{"facts", "orma_facts", "facts", args{"max_tokens": 600}},
		{"search", "orma_search", "items", args{"query": "thing number story", "max_tokens": 600, "limit": 7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[string]bool{}
			a, pages := tt.first, 0
			for a != nil {
				out, _ := call(t, c, tt.tool, a)
				list := out[tt.list].([]any)
				if len(list) == 0 {
					t.Fatal("an empty page")
				}
				for _, it := range list {
					k := jsonOf(t, it)
					if seen[k] {
						t.Errorf("twice: %s", k)
					}
					seen[k] = true
				}
				a = nil
				if more, ok := out["more"].(string); ok {
					a = args{"handle": more, "max_tokens": 600}
				}
				if pages++; pages > 200 {
					t.Fatal("pages do not end")
				}
			}
			if len(seen) < 60 || pages < 3 {
				t.Errorf("%d items on %d pages", len(seen), pages)
			}
		})
	}
	t.Run("records", func(t *testing.T) {
		seen := 0
		for h := uri("default/episodes"); h != ""; {
			r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: h})
			if err != nil {
				t.Fatal(err)
			}
			seen += strings.Count(r.Contents[0].Text, `"handle":"orma:`)
			h, _ = r.Contents[0].Meta["orma/more"].(string)
		}
		if seen != 60 {
			t.Errorf("%d records", seen)
		}
	})
}

// TestManyRules checks that a recall whose rules alone are too many shows the
// beginning of them and says where the rest is.
func TestManyRules(t *testing.T) {
	m := open(t)
	c := connect(t, options(m))
	for i := range 200 {
		add(t, m, "", engine.Input{Text: fmt.Sprintf("Never do number %d. %s", i, strings.Repeat("It went wrong before. ", 40)), Kind: core.KindAntiPattern})
	}
	out, text := call(t, c, "orma_recall", args{"query": "number 3"})
	if !strings.Contains(text, "[FORBIDDEN: Never do number") || out["rules"] != uri("default/rules") {
		t.Errorf("recall = %.400s…, rules %v", text, out["rules"])
	}
	seen := map[int64]bool{}
	for h := out["rules"].(string); h != ""; {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: h})
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Facts []struct{ ID int64 }
		}
		unmarshal(t, r.Contents[0].Text, &page)
		for _, f := range page.Facts {
			seen[f.ID] = true
		}
		h, _ = r.Contents[0].Meta["orma/more"].(string)
	}
	if len(seen) != 200 {
		t.Errorf("the rules of the handle are %d", len(seen))
	}
}

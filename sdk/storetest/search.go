package storetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

var searchChecks = []check{
	{"any term finds and rarer terms count more", func(h *harness) {
		h.add("a", "green tea here.")
		h.add("a", "green tea there.")
		h.add("a", "green coffee.")
		h.equal("tea or coffee", h.find("a", "green", "coffee")[0], "green coffee.")
		h.equal("all", len(h.find("a", "green")), 3)
		h.equal("none", len(h.find("a", "milk")), 0)
		h.equal("no terms", len(h.find("a")), 0)
		h.equal("empty term", len(h.find("a", "")), 0)
		h.equal("k", len(must[[]core.Hit](h)(h.SearchText(h.Context(), "a", []string{"green"}, 2))), 2)
		h.equal("k of 0", len(must[[]core.Hit](h)(h.SearchText(h.Context(), "a", []string{"green"}, 0))), 0)
	}},
	{"equal scores are in ID order", func(h *harness) {
		for range 20 {
			h.add("a", "same "+"words.", at(t0), speaking(fmt.Sprint(h.count())))
		}
		hits := must[[]core.Hit](h)(h.SearchText(h.Context(), "a", []string{"same"}, 20))
		if len(hits) != 20 || !slices.IsSortedFunc(hits, func(a, b core.Hit) int { return int(a.ID - b.ID) }) {
			h.Errorf("got %v", hits)
		}
	}},
	{"terms are taken as they are", func(h *harness) {
		words := []string{
			"c++", "c#", "don't", "a-b", `"`, `""`, "(", ")", "near(", "and", "or", "not", "col:val", "*", "x*", "--help", "^a", "{", "}", ":", "+", "'",
			"部署", "出張", "부산", "പഞ്ചസാര", "istanbul", "i\u0307", "café", "cafe\u0301", "ß", "\u00a0nbsp", "\u200bzero", "😀", "a\u0000"[:1] + "z",
			strings.Repeat("long", 500),
		}
		for i, w := range words {
			d := draft(fmt.Sprintf("text %d", i))
			d.Passages[0].Terms = w + " common"
			must[[]core.Appended](h)(h.Append(h.Context(), "a", []core.Draft{d}))
		}
		for i, w := range words {
			h.equal(w, h.find("a", w), []string{fmt.Sprintf("text %d", i)})
		}
		h.equal("common", len(h.find("a", "common")), len(words))
		for _, w := range []string{"no such", "a b", `x" OR "common`, "common*", "\x00", "\xff\xfe", strings.Repeat("y", 1<<16)} {
			h.equal(w, len(h.find("a", w)), 0)
		}
	}},
	{"scores are BM25 of the space", func(h *harness) {
		rng := rand.New(rand.NewPCG(1, 2))
		vocabulary := strings.Fields("ant bee cat dog eel fox gnu hen ibis jay")
		var texts []string
		for i := range 200 {
			words := []string{fmt.Sprintf("id%d", i)}
			for range 1 + rng.IntN(12) {
				words = append(words, vocabulary[min(rng.IntN(10), rng.IntN(10))])
			}
			texts = append(texts, strings.Join(words, " "))
			h.add([]string{"a", "b"}[i%2], texts[i])
		}
		m := fresh(h, "a", "")
		for range 50 {
			var q []string
			for range 1 + rng.IntN(4) {
				q = append(q, vocabulary[rng.IntN(10)])
			}
			hits := must[[]core.Hit](h)(h.SearchText(h.Context(), "a", q, 1000))
			want := bm25(m, q)
			if len(hits) != len(want) {
				h.Fatalf("%v: %d hits, want %d", q, len(hits), len(want))
			}
			for i, hit := range hits {
				if w := want[hit.ID]; math.Abs(float64(hit.Score)-w) > 1e-4*w {
					h.Fatalf("%v: passage %d scores %v, want %v", q, hit.ID, hit.Score, w)
				}
				if i > 0 && hit.Score > hits[i-1].Score {
					h.Fatalf("%v: not best first", q)
				}
			}
		}
	}},
}

// count gives a new number at each call.
func (h *harness) count() int {
	n := 0
	for range h.Scan(h.Context(), "a", 0) {
		n++
	}
	return n
}

// bm25 scores every passage of a mirror by the book.
func bm25(m *mirror, query []string) map[core.ID]float64 {
	const k1, b = 1.2, 0.75
	slices.Sort(query)
	query = slices.Compact(query)
	total := 0
	for _, p := range m.passages {
		total += len(strings.Fields(p.Text))
	}
	n := float64(len(m.passages))
	average := float64(total) / n
	out := map[core.ID]float64{}
	for _, term := range query {
		tf := map[core.ID]float64{}
		for id, p := range m.passages {
			for _, w := range strings.Fields(p.Text) {
				if w == term {
					tf[id]++
				}
			}
		}
		df := float64(len(tf))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for id, f := range tf {
			length := float64(len(strings.Fields(m.passages[id].Text)))
			out[id] += idf * f * (k1 + 1) / (f + k1*(1-b+b*length/average))
		}
	}
	return out
}

package cli

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/engine"
)

// Whatever is asked, there is an answer, and no word of the query's syntax in it.
func TestQueries(t *testing.T) {
	h := newHome(t)
	for _, text := range []string{
		"C++ and C# are languages that Ann knows.", "I don't eat beef.", "The a-b test runs on 5 May.", "部署は金曜日です。",
		"My cat is called Ginger.", "Käthe lives in Köln.", "The --help flag prints help.",
	} {
		h.ok("add", text)
	}
	queries := []string{
		"C++ vs C#", "don't", "a-b", `"`, `""`, "'", "(", ")", "((((", "NEAR(", "NEAR(a b, 5)", "col:val", "text:password role:* OR", "*", "den*", "^x",
		"AND", "OR OR", "NOT", "a AND NOT b", "-", "--", "--x y", "- list item", "-5 degrees", "--help", "-h", "--drop table; --", "", " ", "\t\n",
		"🏡", "部署", "\u202e", "\u0000", "\xff\xfe", "İstanbul", "cafe\u0301", "%s %d", "$(rm -rf /)", "'; DROP TABLE episodes; --",
		strings.Repeat("please tell me where the cat is ", 320), strings.Repeat("x", 10<<10), strings.Repeat("(", 5000),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 15 {
		var b strings.Builder
		for range 1 + rng.IntN(40) {
			if r := rune(rng.IntN(0x11000)); r != 0 {
				b.WriteRune(r)
			}
		}
		queries = append(queries, b.String())
	}
	for _, q := range queries {
		if strings.Contains(q, "\x00") {
			continue // no argument can hold it
		}
		for _, command := range []string{"recall", "search"} {
			args := []string{command, q, "--now", "2026-05-03T10:00:00Z", "--json"}
			if q == "--" {
				args = []string{command, "--now", "2026-05-03T10:00:00Z", "--json", "--", q}
			}
			r := h.run(args...)
			if r.code != 0 || r.err != "" {
				t.Errorf("%s %.60q exited %d: %.200s", command, q, r.code, r.err)
			}
			if out := strings.ToLower(r.out); strings.Contains(out, "fts5") || strings.Contains(out, "syntax error") {
				t.Errorf("%s %.60q leaks: %.200s", command, q, r.out)
			}
		}
	}
	for q, want := range map[string]string{
		"C++ vs C#": "C++", "don't": "beef", "a-b": "a-b test", "部署": "金曜日", "--help flag": "prints help", "--help": "prints help",
		"- cat": "Ginger", "Ka\u0308the": "Köln", "kathe": "Köln",
	} {
		var r engine.Recalled
		h.json(&r, "recall", q, "--now", "2026-05-03")
		if !strings.Contains(r.Block, want) {
			t.Errorf("recall %q has no %q:\n%s", q, want, r.Block)
		}
	}
}

// Help is help where nothing else is asked.
func TestHelp(t *testing.T) {
	h := newHome(t)
	for _, args := range []string{"--help", "-h", "recall --help", "recall -h", "--space x recall --help", "add --help", "eval recall --help", "config --help", "help", "help recall"} {
		r := h.run(strings.Fields(args)...)
		if r.code != 0 || !strings.Contains(r.out, "Usage:") || r.err != "" {
			t.Errorf("orma %s: %+v", args, r)
		}
	}
	if r := h.run(); r.code != 0 || !strings.Contains(r.out, "Remember:") {
		t.Errorf("orma alone: %+v", r)
	}
}

package o200k_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/pack/o200k"
)

// TestCounts compares with the counts of tiktoken itself (Python, 0.14.0). A line of
// testdata/counts.jsonl is {"text", "tokens"}.
func TestCounts(t *testing.T) {
	c, err := o200k.New()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/counts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, n := bufio.NewScanner(f), 0
	lines.Buffer(nil, 1<<20)
	for ; lines.Scan(); n++ {
		var want struct {
			Text   string
			Tokens int
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := c.Count(want.Text); got != want.Tokens {
			t.Errorf("Count(%q) = %d, want %d", want.Text, got, want.Tokens)
		}
	}
	if err := lines.Err(); err != nil || n < 100 {
		t.Fatal(n, err)
	}
}

// TestLongPieces checks that the two ways of merging agree at the length where one
// takes over, by counting a text whole and as its words.
func TestLongPieces(t *testing.T) {
	c, err := o200k.New()
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 300; n++ {
		text := strings.Repeat("lopado", n)
		one, two := c.Count(text), c.Count("."+text)
		if one < 1 || two < one || two > one+1 {
			t.Errorf("%d letters: %d tokens, with a mark before %d", len(text), one, two)
		}
	}
}

func FuzzCount(f *testing.F) {
	c, err := o200k.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("Hello, it's 12345 o'clock.\n\n  Yes \t\r\n/x")
	f.Add("\xff\xfe नमस्ते 部署 👩‍👩‍👧‍👦 ÀÉ Ünï")
	f.Fuzz(func(t *testing.T, s string) {
		n := c.Count(s)
		if n > len(s) || n < 0 || s != "" && n == 0 {
			t.Fatalf("Count(%q) = %d for %d bytes", s, n, len(s))
		}
		// A line that ends and one that begins with a letter never share a token.
		if c.Count(s+"\n- "+s) != c.Count(s+"\n")+c.Count("- "+s) {
			t.Fatalf("Count(%q) is not the sum of its lines", s)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	c, err := o200k.New()
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("- 2026-10-10 user: I'm Sahil and I live in Pune, which is a lovely place to stay.\n", 38)
	b.ReportAllocs()
	for b.Loop() {
		c.Count(text)
	}
	b.ReportMetric(float64(c.Count(text)), "tokens")
}

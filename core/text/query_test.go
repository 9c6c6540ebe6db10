package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/text"
)

func TestParseQuery(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		stop           bool
	}{
		{"function words go", "Why doesn't she trust the attic's wiring?", "trust attic wire", false},
		{"nothing but function words", "who are you", "who ar you", true},
		{"nothing at all", " ?! ", "", false},
		{"repetitions count once", strings.Repeat("ladder pantry ", 800), "ladder pantri", false},
		{"syntax is none", `NEAR(red door, 3) body:invoice kind:* "open`, "near red door 3 body:invoice bodi invoic kind open", false},
		{"all symbols", `" ( * --`, "", false},
		{"a name that is a function word", "When did Will go?", "will go", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := text.ParseQuery(c.in)
			if q.String() != c.want || q.Stop != c.stop {
				t.Errorf("ParseQuery(%.60q) = %q, stop %v, want %q, %v", c.in, q, q.Stop, c.want, c.stop)
			}
		})
	}
}

func TestParseQueryWeights(t *testing.T) {
	weights := map[string]float32{}
	for _, q := range text.ParseQuery("X-44-B 44 냉장고는 鍵は").Terms {
		weights[q.Text] = q.Weight
	}
	for term, want := range map[string]float32{"x-44-b": 1, "x": 0.7, "44": 1, "냉장고": 0.7, "장고": 0.4, "鍵": 0.3, "鍵は": 1} {
		if weights[term] != want {
			t.Errorf("weight of %q is %v, want %v", term, weights[term], want)
		}
	}
}

func TestParseQueryManyTerms(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "w%d ", i%1500)
	}
	if got := len(text.ParseQuery(b.String()).Terms); got != 1500 {
		t.Errorf("query has %d terms, want 1500", got)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "İstanbul, Café!": "istanbul, cafe!", "ＡＢ  c": "ab  c", "हिंदी १": "हिंदी 1", "\xffa": "\ufffda",
	} {
		if got := text.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	if got := text.NFC("cafe\u0301"); got != "café" {
		t.Errorf("NFC = %q", got)
	}
}

func TestIsStopWord(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "dont": true, "may": true, "boiler": false, "": false} {
		if got := text.IsStopWord(word); got != want {
			t.Errorf("IsStopWord(%q) = %v", word, got)
		}
	}
}

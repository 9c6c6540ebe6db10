package index

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

func TestQuotesGoWithTheIndex(t *testing.T) {
	s := filled(t)
	src, other := core.Source{Episode: 1, Passage: 2, End: 5}, core.Source{Episode: 1, Passage: 2, End: 6}
	v := s.Begin(&frame.Query{})
	v.KeepQuote(src, "I met")
	if words, kept := v.Quote(src); !kept || words != "I met" {
		t.Errorf("kept %q, %v", words, kept)
	}
	if _, kept := v.Quote(other); kept {
		t.Error("another span of the same episode is kept")
	}
	v.End()
	s.mu.Lock()
	s.Reset() // as after an erasure
	s.mu.Unlock()
	v = s.Begin(&frame.Query{})
	defer v.End()
	if words, kept := v.Quote(src); kept {
		t.Errorf("%q outlived the index", words)
	}
}

func TestQuotesAreBounded(t *testing.T) {
	s := filled(t)
	v := s.Begin(&frame.Query{})
	defer v.End()
	long := core.Source{Episode: 1, End: quoteBytes + 1}
	v.KeepQuote(long, strings.Repeat("x", quoteBytes+1))
	if _, kept := v.Quote(long); kept {
		t.Error("a whole record is kept")
	}
	words := strings.Repeat("x", quoteBytes)
	for i := range 2 * quotesBytes / quoteBytes {
		v.KeepQuote(core.Source{Episode: core.ID(i), End: quoteBytes}, words)
		if n := s.quotes.size(); n > quotesBytes {
			t.Fatalf("%d bytes are kept, at most %d", n, quotesBytes)
		}
	}
	if _, kept := v.Quote(core.Source{Episode: core.ID(2*quotesBytes/quoteBytes - 1), End: quoteBytes}); !kept {
		t.Error("the last one is not kept")
	}
}

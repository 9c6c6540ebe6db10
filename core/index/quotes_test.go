package index

import (
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

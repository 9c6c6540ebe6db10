package index

import (
	"context"
	"fmt"
	"testing"

	"github.com/orma-memory/orma/core"
)

// oneWord knows every word and gives all the same vector.
type oneWord struct{}

func (oneWord) Dim() int { return 8 }

func (oneWord) WordVector(dst []float32, _ string) bool {
	clear(dst)
	dst[0] = 1
	return true
}

// noFeed is a store in which nothing is new.
type noFeed struct{ core.Feeder }

func (noFeed) Version(context.Context, string) (core.Version, error) { return core.Version{}, nil }

func met(s *Space) (n int) {
	for _, row := range s.lex.row {
		if row >= 0 {
			n++
		}
	}
	return n
}

// TestSecondRecallMeetsTheWords: a process of one recall does not pay for it.
func TestSecondRecallMeetsTheWords(t *testing.T) {
	const words = 3*warmStep + 7
	ask := func(c *Cache) *Space {
		s, err := c.Space(context.Background(), "s")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	c := NewCache(noFeed{}, Options{Words: oneWord{}}, 1<<30)
	s := ask(c)
	for i := range words {
		s.lex.add(fmt.Sprintf("word%d", i))
	}
	c.warming.Wait()
	if n := met(s); n != 0 {
		t.Errorf("after one recall %d words are met", n)
	}
	ask(c)
	c.warming.Wait()
	if n := met(s); n != words {
		t.Errorf("after two recalls %d words of %d are met", n, words)
	}
	c.Close()
}

func TestClosedCacheWarmsNothing(t *testing.T) {
	c := NewCache(noFeed{}, Options{Words: oneWord{}}, 1<<30)
	c.Close()
	for range 3 {
		s, err := c.Space(context.Background(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if s.lex.add("heron"); met(s) != 0 {
			t.Error("a closed cache met a word")
		}
	}
}

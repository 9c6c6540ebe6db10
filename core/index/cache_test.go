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

func (noFeed) Version(_ context.Context, space string) (core.Version, error) {
	if space == "missing" {
		return core.Version{}, nil
	}
	return core.Version{Epoch: 1}, nil
}

func (noFeed) Changes(context.Context, string, string, core.Version, core.Sink) (core.Version, error) {
	return core.Version{Epoch: 1}, nil
}

func (noFeed) Snapshot(context.Context, string, string) ([]byte, core.Version, bool, error) {
	return nil, core.Version{}, false, nil
}

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
	c.work.Wait()
	if n := met(s); n != 0 {
		t.Errorf("after one recall %d words are met", n)
	}
	ask(c)
	c.work.Wait()
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

// TestMissingSpacesDoNotPileUp: whoever may ask may ask for any name.
func TestMissingSpacesDoNotPileUp(t *testing.T) {
	c := NewCache(noFeed{}, Options{}, 1<<30)
	defer c.Close()
	s, err := c.Space(context.Background(), "missing")
	if err != nil || s == nil || len(c.spaces) != 0 {
		t.Errorf("%v, %v, %d spaces are kept", s, err, len(c.spaces))
	}
}

// growing is a store whose one space has as many rows as told, and keeps snapshots.
type growing struct {
	rows  int64
	err   error
	saves chan core.Version
}

func (g *growing) Version(context.Context, string) (core.Version, error) {
	return core.Version{Epoch: 1, Gen: g.rows}, nil
}

func (g *growing) Changes(_ context.Context, _, _ string, after core.Version, sink core.Sink) (core.Version, error) {
	for id := after.Gen + 1; id <= g.rows; id++ {
		if err := sink.Passage(&core.FeedPassage{Passage: core.Passage{ID: core.ID(id)}, Text: "a heron"}); err != nil {
			return core.Version{}, err
		}
	}
	return core.Version{Epoch: 1, Gen: g.rows}, nil
}

func (g *growing) Snapshot(context.Context, string, string) ([]byte, core.Version, bool, error) {
	return nil, core.Version{}, false, nil
}

func (g *growing) SaveSnapshot(_ context.Context, _, _ string, v core.Version, data []byte) error {
	g.saves <- v
	return g.err
}

// TestMuchNewIsSavedSoon: a process that is killed leaves an index.
func TestMuchNewIsSavedSoon(t *testing.T) {
	for _, soon := range []bool{true, false} {
		g := &growing{saves: make(chan core.Version, 9)}
		c := NewCache(g, Options{SaveSoon: soon}, 1<<30)
		saved := func(rows int64) (n int) {
			g.rows = rows
			if _, err := c.Space(context.Background(), "s"); err != nil {
				t.Fatal(err)
			}
			c.work.Wait()
			for ; len(g.saves) > 0; n++ {
				if v := <-g.saves; v.Gen != rows {
					t.Errorf("version %v is saved of %d rows", v, rows)
				}
			}
			return n
		}
		want := 0
		if soon {
			want = 1
		}
		if n := saved(snapshotRows - 1); n != 0 {
			t.Errorf("few rows are saved %d times", n)
		}
		if n := saved(snapshotRows); n != want {
			t.Errorf("soon: %v: many rows are saved %d times", soon, n)
		}
		if n := saved(3 * snapshotRows); n != 0 {
			t.Errorf("saved %d times more at once", n)
		}
		c.Close()
		if err := c.Save(context.Background()); err != nil || len(g.saves) != 1 {
			t.Errorf("in the end %d are saved: %v", len(g.saves), err)
		}
	}
}

// TestFailedSaveIsNotTriedAtEachRow: a store that cannot be written costs one attempt.
func TestFailedSaveIsNotTriedAtEachRow(t *testing.T) {
	g := &growing{saves: make(chan core.Version, 9), err: core.ErrReadOnly}
	c := NewCache(g, Options{SaveSoon: true}, 1<<30)
	for g.rows = snapshotRows; g.rows < snapshotRows+5; g.rows++ {
		if _, err := c.Space(context.Background(), "s"); err != nil {
			t.Fatal(err)
		}
		c.work.Wait()
	}
	if len(g.saves) != 1 {
		t.Errorf("%d attempts", len(g.saves))
	}
	c.Close()
	if err := c.Save(context.Background()); core.CodeOf(err) != core.CodeReadOnly {
		t.Errorf("in the end: %v", err)
	}
}

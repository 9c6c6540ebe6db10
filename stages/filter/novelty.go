package filter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Novelty drops rows that say again what a better row says.
var Novelty = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "novelty",
		Summary: "Drop rows that say again what a better row says",
		Doc: `
A row is dropped when a better one of the same kind, role and speaker says the same:
their cosine is min_cosine or more, and the texts do not contradict it. Nothing is ever
dropped when it is written, only here, from one answer.

A cosine cannot see what makes two sentences two facts: one with and one without
"not", two dates, two names, and for vectors that are averages not even who did what
to whom. So these are never the same, whatever their cosine:

- texts that differ in a number, a word with a capital letter, a word of a script
  without capitals, a symbol, an emoji, a question mark, or in how often they negate,
  or that have these in another order;
- texts of the same words in another order;
- texts that each have a word the other lacks: that may be a correction. Articles
  and the like do not count.

Two rows without vectors say the same only if they have the same words. Only the texts of
rows that a cosine, or without one the words found, makes alike are read.`,
	}, NoveltyParams{MinCosine: 0.97, Keep: 32}, newNovelty),
	Reads:   []frame.Column{frame.Score, frame.ID, frame.Item, frame.Role, frame.Speaker, frame.Words},
	Effect:  pipeline.Drops,
	Neutral: NoveltyParams{MinCosine: 0.97, Keep: 0},
}

// NoveltyParams are the keys of a novelty table.
type NoveltyParams struct {
	MinCosine float32 `toml:"min_cosine" doc:"cosine from which a row says nothing new; above 1 only equal words do"`
	Keep      int     `toml:"keep"       doc:"rows that must have been kept before the rest is left alone, which bounds the cost"`
}

// Validate reports parameters outside their range.
func (p *NoveltyParams) Validate() error {
	if p.Keep < 0 || p.Keep > 100_000 {
		return errors.New("keep must be between 0 and 100000")
	}
	return checkRange("min_cosine", p.MinCosine, 0, 2)
}

type novelty struct {
	p    NoveltyParams
	pool sync.Pool // *noveltyScratch
}

type noveltyScratch struct {
	ranked []int32
	kept   []said
	arena  []uint64 // word hashes of the prints
	drop   map[int32]bool
	like   []int32  // of those that are kept, the ones of a row's kind, role and speaker
	docs   []uint32 // theirs
	cosine []float32
	text   [1]string
}

// said is a row that is kept, with its print from when its text was read.
type said struct {
	row   int32
	print print
	read  bool
}

// sameWordsCosine is the cosine from which two texts may have the same words, where
// min_cosine asks for more.
const sameWordsCosine = 0.97

func newNovelty(p NoveltyParams, _ component.Deps) (pipeline.Stage, error) {
	n := &novelty{p: p}
	n.pool.New = func() any { return &noveltyScratch{drop: map[int32]bool{}} }
	return n, nil
}

// Run drops what a better row says.
func (n *novelty) Run(_ context.Context, f *frame.Frame) error {
	texts, _ := f.Source.(frame.Reader)
	if n.p.Keep == 0 || texts == nil {
		return nil
	}
	s := n.pool.Get().(*noveltyScratch)
	defer n.pool.Put(s)
	s.ranked, s.kept, s.arena = byScore(s.ranked[:0], f), s.kept[:0], s.arena[:0]
	clear(s.drop)
	compare, _ := f.Source.(frame.Comparer)
	r := rowsOf(f)
	for _, row := range s.ranked {
		if len(s.kept) >= n.p.Keep {
			break
		}
		s.compare(compare, &r, row)
		again, err := n.saidAgain(s, texts, &r, row)
		if err != nil {
			return fmt.Errorf("reading what rows say: %w", err)
		}
		if again {
			s.drop[row] = true
		}
	}
	if len(s.drop) > 0 {
		f.Keep(func(row int32) bool { return !s.drop[row] })
	}
	return nil
}

// facets are the columns that novelty looks at.
type facets struct {
	docs                []uint32
	words, bm25         []float32 // bm25 is nil where nothing wrote it
	item, role, speaker []int64
}

func rowsOf(f *frame.Frame) facets {
	r := facets{f.Docs(), f.F32(frame.Words), nil, f.I64(frame.Item), f.I64(frame.Role), f.I64(frame.Speaker)}
	if f.Has(frame.BM25) {
		r.bm25 = f.F32(frame.BM25)
	}
	return r
}

// compare finds the kept rows of a row's kind, role and speaker, and their cosines.
func (s *noveltyScratch) compare(c frame.Comparer, r *facets, row int32) {
	s.like, s.docs = s.like[:0], s.docs[:0]
	for i := range s.kept {
		k := s.kept[i].row
		if r.item[k] == r.item[row] && r.role[k] == r.role[row] && r.speaker[k] == r.speaker[row] {
			s.like, s.docs = append(s.like, int32(i)), append(s.docs, r.docs[k])
		}
	}
	s.cosine = slices.Grow(s.cosine[:0], len(s.like))[:len(s.like)]
	if c != nil {
		c.Cosines(r.docs[row], s.docs, s.cosine)
		return
	}
	for i := range s.cosine {
		s.cosine[i] = float32(math.NaN())
	}
}

// saidAgain reports whether a kept row says what a row does, and else keeps that too.
func (n *novelty) saidAgain(s *noveltyScratch, texts frame.Reader, r *facets, row int32) (bool, error) {
	this := said{row: row}
	for i, at := range s.like {
		k, cosine := &s.kept[at], s.cosine[i]
		alike := cosine >= n.p.MinCosine
		// The same words have the same number and the same score; most other rows do not.
		same := math.IsNaN(float64(cosine)) && r.words[k.row] == r.words[row] && (r.bm25 == nil || r.bm25[k.row] == r.bm25[row])
		if !alike && !same && !(cosine >= sameWordsCosine) {
			continue
		}
		if err := errors.Join(s.take(&this, texts, r), s.take(k, texts, r)); err != nil {
			return false, err
		}
		if k.print.sameWords(&this.print) || alike && k.print.mayBe(&this.print, s.arena) {
			return true, nil
		}
	}
	s.kept = append(s.kept, this)
	return false, nil
}

// take reads a row's text, once.
func (s *noveltyScratch) take(k *said, texts frame.Reader, r *facets) error {
	if k.read {
		return nil
	}
	if err := texts.Texts(r.docs[k.row:k.row+1], s.text[:]); err != nil {
		return err
	}
	k.print, k.read = takePrint(s.text[0], &s.arena), true
	return nil
}

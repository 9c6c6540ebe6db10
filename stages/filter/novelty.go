package filter

import (
	"context"
	"errors"
	"fmt"
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

Two rows without vectors say the same only if they have the same words. The texts of
rows are read when a cosine, or the number of words, makes it likely.`,
	}, NoveltyParams{MinCosine: 0.97, Keep: 64}, newNovelty),
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
	doc    [1]uint32
	text   [1]string
}

// said is a row that is kept, with its print from when its text was read.
type said struct {
	row   int32
	print print
	read  bool
}

// sameWordsCosine is the least cosine of two texts of the same words, which may differ
// in their punctuation.
const sameWordsCosine = 0.8

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
	docs, words := f.Docs(), f.F32(frame.Words)
	item, role, speaker := f.I64(frame.Item), f.I64(frame.Role), f.I64(frame.Speaker)
	for _, row := range s.ranked {
		if len(s.kept) >= n.p.Keep {
			break
		}
		this := said{row: row}
		for i := range s.kept {
			k := &s.kept[i]
			if item[k.row] != item[row] || role[k.row] != role[row] || speaker[k.row] != speaker[row] {
				continue
			}
			cosine, known := float32(0), false
			if compare != nil {
				cosine, known = compare.Cosine(docs[k.row], docs[row])
			}
			alike := known && cosine >= n.p.MinCosine
			if !alike && (words[k.row] != words[row] || known && cosine < sameWordsCosine) {
				continue
			}
			if err := errors.Join(s.take(&this, texts, docs), s.take(k, texts, docs)); err != nil {
				return fmt.Errorf("reading what rows say: %w", err)
			}
			if k.print.sameWords(&this.print) || alike && k.print.mayBe(&this.print, s.arena) {
				s.drop[row] = true
				break
			}
		}
		if !s.drop[row] {
			s.kept = append(s.kept, this)
		}
	}
	if len(s.drop) > 0 {
		f.Keep(func(row int32) bool { return !s.drop[row] })
	}
	return nil
}

// take reads a row's text, once.
func (s *noveltyScratch) take(k *said, texts frame.Reader, docs []uint32) error {
	if k.read {
		return nil
	}
	s.doc[0] = docs[k.row]
	if err := texts.Texts(s.doc[:], s.text[:]); err != nil {
		return err
	}
	k.print, k.read = takePrint(s.text[0], &s.arena), true
	return nil
}

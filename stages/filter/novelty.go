package filter

import (
	"errors"
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
A row is dropped when a better one of the same kind, role and speaker has the same
words, or a cosine of min_cosine or more to it. Nothing is ever dropped when it is
written, only here, from one answer.

A cosine cannot see what makes two sentences two facts: one with and one without
"not", two dates, two names, and for vectors that are averages not even who did what
to whom. So these are never the same, whatever their cosine:

- texts that differ in a number, a word with a capital letter, a word of a script
  without capitals, a symbol, an emoji, a question mark, or in how often they negate,
  or that have these in another order;
- texts of the same words in another order;
- texts that each have a word the other lacks: that may be a correction. Articles
  and the like do not count.

It needs a source that can compare two items; without one, only rows of the same
words are dropped.`,
	}, NoveltyParams{MinCosine: 0.97, Keep: 64}, newNovelty),
	Reads:   []frame.Column{frame.Score, frame.ID, frame.Item, frame.Role, frame.Speaker, frame.Text},
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
	kept   []print
	arena  []uint64 // word hashes of the kept prints
	drop   map[int32]bool
}

func newNovelty(p NoveltyParams, _ component.Deps) (pipeline.Stage, error) {
	n := &novelty{p: p}
	n.pool.New = func() any { return &noveltyScratch{drop: map[int32]bool{}} }
	return pipeline.Pure(n.run), nil
}

func (n *novelty) run(f *frame.Frame) {
	if n.p.Keep == 0 {
		return
	}
	s := n.pool.Get().(*noveltyScratch)
	defer n.pool.Put(s)
	s.ranked, s.kept, s.arena = byScore(s.ranked[:0], f), s.kept[:0], s.arena[:0]
	clear(s.drop)
	compare, _ := f.Source.(frame.Comparer)
	text, docs := f.Strings(frame.Text), f.Docs()
	item, role, speaker := f.I64(frame.Item), f.I64(frame.Role), f.I64(frame.Speaker)
	for _, row := range s.ranked {
		if len(s.kept) >= n.p.Keep {
			break
		}
		start := len(s.arena)
		p := takePrint(text[row], row, &s.arena)
		for i := range s.kept {
			k := &s.kept[i]
			if item[k.row] != item[row] || role[k.row] != role[row] || speaker[k.row] != speaker[row] {
				continue
			}
			if k.sameWords(&p) || k.mayBe(&p, s.arena) && n.alike(compare, docs[k.row], docs[row]) {
				s.drop[row] = true
				break
			}
		}
		if s.drop[row] {
			s.arena = s.arena[:start]
			continue
		}
		s.kept = append(s.kept, p)
	}
	if len(s.drop) > 0 {
		f.Keep(func(row int32) bool { return !s.drop[row] })
	}
}

func (n *novelty) alike(c frame.Comparer, a, b uint32) bool {
	if c == nil {
		return false
	}
	v, ok := c.Cosine(a, b)
	return ok && v >= n.p.MinCosine
}

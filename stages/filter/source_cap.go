package filter

import (
	"errors"
	"math"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// SourceCap keeps one source from filling the answer.
var SourceCap = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "source_cap",
		Summary: "Keep one source from filling the answer",
		Doc: `
A source is where rows were imported from: a file, another memory, a tool. One that
was made to match every question could crowd out all else. So a source gets at most
share of the best rows, counted by score; what is above that is dropped, unless the
other sources cannot fill those rows. Rows of trust level trusted and above (5 note,
6 user) and rows without a source are not counted.`,
	}, SourceCapParams{Share: 0.5, Rows: 12, Trusted: 5}, newSourceCap),
	Reads:   []frame.Column{frame.Score, frame.ID, frame.Origin, frame.Trust},
	Effect:  pipeline.Drops,
	Neutral: SourceCapParams{Share: 1, Rows: 12, Trusted: 5},
}

// SourceCapParams are the keys of a source_cap table.
type SourceCapParams struct {
	Share   float32 `toml:"share"   doc:"greatest share of the answer that one source may have; 1 drops nothing"`
	Rows    int     `toml:"rows"    doc:"rows that make an answer"`
	Trusted int     `toml:"trusted" doc:"level of trust from which a row is not counted, 7 for none"`
}

// Validate reports parameters outside their range.
func (p *SourceCapParams) Validate() error {
	if p.Rows < 1 || p.Rows > 1_000_000 {
		return errors.New("rows must be between 1 and 1000000")
	}
	if p.Trusted < lowestTrust || p.Trusted > highestTrust+1 {
		return errors.New("trusted must be between 1 and 7")
	}
	return checkRange("share", p.Share, 0, 1)
}

type sourceCap struct {
	p     SourceCapParams
	limit int
	pool  sync.Pool // *capScratch
}

type capScratch struct {
	ranked, over []int32
	count        map[int64]int // rows kept, by source
	dropped      map[int32]bool
}

func newSourceCap(p SourceCapParams, _ component.Deps) (pipeline.Stage, error) {
	s := &sourceCap{p: p, limit: int(math.Ceil(float64(p.Share) * float64(p.Rows)))}
	s.pool.New = func() any { return &capScratch{count: map[int64]int{}, dropped: map[int32]bool{}} }
	return pipeline.Pure(s.run), nil
}

func (s *sourceCap) run(f *frame.Frame) {
	if s.p.Share >= 1 {
		return
	}
	c := s.pool.Get().(*capScratch)
	defer s.pool.Put(c)
	clear(c.count)
	clear(c.dropped)
	c.ranked, c.over = byScore(c.ranked[:0], f), c.over[:0]
	score, source, trust := f.F32(frame.Score), f.I64(frame.Origin), f.I64(frame.Trust)
	kept := 0
	for _, r := range c.ranked {
		if source[r] > 0 && trust[r] < int64(s.p.Trusted) {
			if c.count[source[r]] >= s.limit {
				c.over = append(c.over, r)
				continue
			}
			c.count[source[r]]++
		}
		if score[r] > 0 {
			kept++
		}
	}
	spare := max(0, min(s.p.Rows-kept, len(c.over))) // the others cannot fill an answer
	for _, r := range c.over[spare:] {
		c.dropped[r] = true
	}
	if len(c.dropped) > 0 {
		f.Keep(func(row int32) bool { return !c.dropped[row] })
	}
}

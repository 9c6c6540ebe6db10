package sleep

import (
	"context"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Ground drops items whose words are not in the line they cite.
var Ground = sl.Spec{Spec: component.Define(component.About{
	Name:    "ground",
	Summary: "Drop items whose words the cited line does not have",
	Doc: `
Of a state, every word of the value that carries something must stand in one cited
line, together and in order; numbers and names exactly. A word that is neither may
paraphrase a word or a pair of words there, by the cosine of an embedder. Of an
event, numbers and names must be there, and most of the other words. A
condition must be in the line too; where the line has one and the item does not,
the line's is taken.

The clause must state something: questions, suppositions, wishes, hedges and what
somebody else says or thinks give nothing. Negation must agree: what the line
denies or ends ends a state instead of making one.`,
}, GroundParams{Paraphrase: 0.85}, newGround)}

// GroundParams are the keys of a ground table.
type GroundParams struct {
	Paraphrase float32 `toml:"paraphrase" doc:"cosine from which a word paraphrases another; 0 switches it off"`
}

// Validate reports parameters outside their range.
func (p *GroundParams) Validate() error {
	if p.Paraphrase != 0 && (p.Paraphrase < 0.5 || p.Paraphrase > 1) {
		return fmt.Errorf("paraphrase must be 0 or from 0.5 to 1")
	}
	return nil
}

func newGround(p GroundParams, _ component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(ctx context.Context, b *sl.Batch) error {
		g := &grounder{b: b, likeness: likeness{embedder: b.Env.Embedder, least: p.Paraphrase}}
		for it := range b.Live {
			if err := g.item(ctx, it); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

type grounder struct {
	b        *sl.Batch
	likeness likeness
}

// verdict is what one place in one line says of an item.
type verdict struct {
	line      *sl.Line
	match     lang.Match
	clause    int
	ended     bool
	denied    bool
	condition string
	reason    sl.Reason
	detail    string
}

// item keeps the lines that hold the item and notes the first place.
func (g *grounder) item(ctx context.Context, it *sl.Item) error {
	var good []verdict
	var bad verdict
	for _, l := range it.Lines {
		v, err := g.line(ctx, it, l)
		if err != nil {
			return err
		}
		switch {
		case v.reason == "":
			good = append(good, v)
		case bad.reason == "" || bad.reason == sl.ReasonUngrounded:
			bad = v
		}
	}
	if len(good) == 0 {
		it.Reject(bad.reason, bad.detail)
		return nil
	}
	first := good[0]
	it.Match, it.Clause, it.Condition = first.match, first.clause, first.condition
	it.Ended = it.Ended || first.ended
	it.Denied = first.denied
	it.Lines = it.Lines[:0]
	for _, v := range good {
		if v.ended == first.ended && v.denied == first.denied {
			it.Lines = append(it.Lines, v.line)
		}
	}
	return nil
}

// line finds the best place of an item in a line.
func (g *grounder) line(ctx context.Context, it *sl.Item, l *sl.Line) (verdict, error) {
	s := l.Grammar()
	value := it.Value
	if value == "" {
		value = strings.ReplaceAll(it.Attribute, "_", " ") // "I sold my car"
	}
	if it.Words != "" {
		value = it.Words // "I was laid off", "we renamed the cat"
	}
	words, negated := g.b.Env.Languages.Content(value)
	places, missing := s.Locate(words)
	if len(missing) > 0 {
		var err error
		if places, missing, err = g.paraphrase(ctx, it, s, words, missing); err != nil {
			return verdict{}, err
		}
	}
	if len(places) == 0 {
		d := "not in " + l.Tag()
		if len(missing) > 0 {
			d = fmt.Sprintf("%q is not in %s", missing[0].Norm, l.Tag())
		}
		return verdict{reason: sl.ReasonUngrounded, detail: d}, nil
	}
	var last verdict
	for i, m := range places {
		v := verdict{line: l, match: m, clause: s.ClauseOf(m.From), condition: it.Condition}
		g.judge(it, s, negated, &v)
		if v.reason == "" {
			g.condition(it, l, &v)
		}
		if v.reason == "" {
			return v, nil
		}
		if i == 0 {
			last = v
		}
	}
	return last, nil
}

// paraphrase looks for other words that mean what is missing.
func (g *grounder) paraphrase(ctx context.Context, it *sl.Item, s *lang.Sentence, words, missing []lang.Word) ([]lang.Match, []lang.Word, error) {
	var left []lang.Word
	var places []lang.Match
	for _, w := range missing {
		// Days, months, peoples and languages lie close together and mean others.
		if w.Exact || w.Name || g.b.Env.Languages.Languages()[0].Word("no names", w.Norm) {
			return nil, []lang.Word{w}, nil
		}
		m, ok, err := g.likeness.find(ctx, s, w.Norm)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			places = append(places, m)
			continue
		}
		left = append(left, w)
	}
	if it.Event {
		// A summary in its own words: most of them must be the line's.
		left = g.notLight(left)
		most := len(words) / 3
		if s.Lang == nil || s.Lang != g.b.Env.Languages.Languages()[0] {
			most = len(words) / 2 // a summary in another language than the line's
		}
		if len(left) > most {
			return nil, left, nil
		}
		found := without(words, missing)
		for _, w := range found {
			p, _ := s.Locate([]lang.Word{w})
			places = append(places, p...)
		}
		if len(places) == 0 {
			return nil, missing, nil
		}
		return places[:1], nil, nil
	}
	if len(left) > 0 {
		return nil, left, nil
	}
	if found := without(words, missing); len(found) > 0 {
		p, _ := s.Locate(found)
		return p, nil, nil
	}
	return places, nil, nil
}

func (g *grounder) notLight(ws []lang.Word) []lang.Word {
	var out []lang.Word
	for _, w := range ws {
		if !g.b.Env.Languages.Languages()[0].Has("light verbs", w.Norm) {
			out = append(out, w)
		}
	}
	return out
}

func without(words, drop []lang.Word) []lang.Word {
	var out []lang.Word
next:
	for _, w := range words {
		for _, d := range drop {
			if d == w {
				continue next
			}
		}
		out = append(out, w)
	}
	return out
}

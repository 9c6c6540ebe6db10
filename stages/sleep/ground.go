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
		if w.Exact || w.Name {
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

// judge asks whether the clause states the item, and on which side.
func (g *grounder) judge(it *sl.Item, s *lang.Sentence, negated bool, v *verdict) {
	reject := func(r sl.Reason, d string) { v.reason, v.detail = r, d }
	if s.Tokens[v.match.From].Quoted {
		reject(sl.ReasonNoStatement, "it is quoted")
		return
	}
	if v.clause < 0 || s.Lang == nil {
		return
	}
	c := &s.Clauses[v.clause]
	if d := unstated(it, s, c); d != "" {
		reject(sl.ReasonNoStatement, d)
		return
	}
	if it.Lift {
		return
	}
	pol := s.Polarity(v.match)
	if it.Event {
		if pol == lang.Denied && !c.Verb.Used {
			reject(sl.ReasonDenied, "the line says that it did not happen")
		}
		return
	}
	attr := sl.AttributeOf(it.Attribute)
	if attr.Name == "home city" && pol == lang.Affirmed && c.Verb.Tense == lang.Past && !c.Verb.Perfect && !arrivals[c.Verb.Lemma] {
		reject(sl.ReasonUngrounded, "the line tells of something that happened there")
		return
	}
	forbids := it.Prohibited
	switch c.Subject.Who {
	case lang.Person, lang.Third, lang.Owned:
		forbids = false // what others do not do is no order
	case lang.First:
		forbids = forbids && (!c.Verb.Negated || !attr.Rule && s.Lang.Word("refusals", c.Verb.Lemma))
	}
	switch {
	case it.Prohibited && pol == lang.Ended && c.Subject.Who == lang.Nobody:
		// "Stop calling me buddy" forbids, it ends nothing.
	case attr.Negative && pol == lang.Denied:
		// "I don't like opera": it is disliked.
	case attr.Negative && pol == lang.Affirmed && s.HasWords("likings", v.clause) && !s.HasWords("prohibitions", v.clause):
		reject(sl.ReasonDenied, "the line says the opposite")
	case attr.Name == "likes" && pol == lang.Affirmed && s.HasWords("aversions", v.clause):
		reject(sl.ReasonDenied, "the line says the opposite")
	case pol == lang.Ended:
		v.ended = true
	case it.Ended && pol == lang.Affirmed:
		if it.Value != "" && !s.HasWords("end verbs", v.clause) {
			// The extractor says that it ended; the line does not.
			reject(sl.ReasonDenied, "the line does not end it")
		}
	case it.Ended:
	case pol == lang.Denied && forbids:
		if s.HasWords("idioms", v.clause) {
			reject(sl.ReasonNoRule, "a turn of phrase")
		}
	case pol == lang.Denied && negated:
		if deniable[attr.Name] {
			v.denied = true
		}
	case pol == lang.Denied:
		v.denied = true
	case negated && !forbids:
		reject(sl.ReasonDenied, "the line has no such negation")
	case it.Prohibited && !s.HasWords("prohibitions", -1) && s.HasWords("likings", v.clause):
		reject(sl.ReasonDenied, "the line forbids nothing")
	}
}

// arrivals are verbs whose past tense may tell where somebody lives.
var arrivals = map[string]bool{
	"move": true, "relocate": true, "settle": true, "return": true, "come": true, "go": true, "transfer": true, "migrate": true, "emigrate": true,
	"buy": true, "rent": true, "stay": true, "end": true, "land": true, "live": true, "switch": true, "change": true, "get": true, "find": true, "take": true, "start": true, "mean": true, "say": true, "leave": true, "": true,
}

// deniable are attributes of which "not X" states nothing.
var deniable = map[string]bool{
	"home city": true, "employer": true, "occupation": true, "name": true, "age": true, "birthday": true, "allergy": true, "partner": true,
	"birthplace": true, "language": true, "pet": true, "child": true, "sibling": true, "nationality": true, "car": true,
}

// wishful are words of attributes that are about what is wanted.
func wishful(it *sl.Item, c *lang.Clause) bool {
	if !c.Wish || c.Supposed || c.Hedged || c.Question {
		return false
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(it.Attribute), func(r rune) bool { return r == ' ' || r == '_' }) {
		switch w {
		case "wish", "want", "wants", "goal", "goals", "plan", "plans", "request", "dream", "hope", "intention", "need", "needs", "task", "todo",
			"interest", "expectation", "ambition", "demand", "target", "reminder", "desire", "aim", "preference":
			return true
		}
	}
	return it.Event && c.Verb.Lemma != "wish"
}

// unstated says why a clause states nothing, or "".
func unstated(it *sl.Item, s *lang.Sentence, c *lang.Clause) string {
	switch {
	case c.Question:
		return "it is asked"
	case wishful(it, c):
		return ""
	case (it.Prohibited || it.Lift) && (c.Subject.Who == lang.Nobody || c.Subject.Who == lang.Second || c.Wish || it.Lift):
		// "You should never …", "I want you to avoid …" forbid.
		if c.Supposed && !c.Wish || c.Reported {
			return "it is supposed or reported"
		}
		return ""
	case c.Supposed:
		return "it is supposed"
	case c.Reported && !(c.Said && !it.AboutUser() && (c.Subject.Who == lang.Third || c.Subject.Who == lang.Person || c.Subject.Who == lang.Owned)):
		return "somebody else says so"
	case c.Hedged:
		return "it is not certain"
	case c.Wish:
		return "it is wished"
	case c.Verb.Modal:
		return "it might be"
	case c.Condition && (!it.Event || c.Lead == "if"):
		return "it is a condition"
	case it.Event && c.Governed >= 0 && s.Clauses[c.Governed].Lead == "if":
		return "it depends on a condition"
	}
	return ""
}

// condition checks the item's condition, or takes the line's.
func (g *grounder) condition(it *sl.Item, l *sl.Line, v *verdict) {
	s := l.Grammar()
	if it.Event || it.Ended || v.ended || v.denied {
		v.condition = ""
		return
	}
	if it.Condition == "" {
		v.condition = g.governing(s, l, v.clause)
		return
	}
	words, _ := g.b.Env.Languages.Content(it.Condition)
	if places, missing := s.Locate(words); len(missing) > 0 || len(places) == 0 {
		v.reason, v.detail = sl.ReasonUngrounded, "the condition is not in "+l.Tag()
	}
}

// governing returns the condition that a line puts on one of its clauses.
func (g *grounder) governing(s *lang.Sentence, l *sl.Line, clause int) string {
	if clause < 0 || s.Lang == nil {
		return ""
	}
	c := &s.Clauses[clause]
	if p := c.Prefix; p[1] > p[0] && c.Verb.Tense == lang.Present && !c.Verb.Perfect {
		words := s.Slice(p[0]+1, p[1])
		start, end := s.Bytes(lang.Match{From: p[0], To: p[1]})
		if words != "" && !g.dated(l, start, end) {
			return sl.CleanValue(words)
		}
	}
	if c.Governed < 0 {
		return ""
	}
	w := &s.Clauses[c.Governed]
	if w.Verb.Tense == lang.Past || c.Verb.Tense == lang.Past || c.Verb.Perfect {
		return ""
	}
	return conditionText(s, w)
}

// conditionText is a condition without the speaker: "fly at night".
func conditionText(s *lang.Sentence, c *lang.Clause) string {
	from := c.From
	if c.Subject.Who == lang.First && c.Subject.To == c.Subject.From+1 {
		from = c.Subject.To
		if c.Verb.Lemma == "be" && !c.Verb.Negated {
			from = c.Verb.To
		}
	}
	return sl.CleanValue(s.Slice(from, c.To))
}

// dated reports whether a stretch of a line is a date.
func (g *grounder) dated(l *sl.Line, start, end int) bool {
	for _, f := range g.b.Env.Dates(l) {
		if f.Start < end && f.End > start && f.Resolved {
			return true
		}
	}
	return false
}

package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

var propertyChecks = []check{
	{"a mirror that follows is equal to one that begins anew", func(h *harness) {
		for seed := range uint64(6) {
			p := &player{harness: h, rng: rand.New(rand.NewPCG(seed, 3)), space: fmt.Sprintf("space %d", seed)}
			p.play(60)
		}
		got := must[core.Health](h)(h.Check(h.Context(), false, derive))
		if !got.OK {
			h.Errorf("Check = %+v", got)
		}
	}},
	{"hiding any sources in any order and showing them restores all", func(h *harness) {
		for seed := range uint64(6) {
			p := &player{harness: h, rng: rand.New(rand.NewPCG(seed, 4)), space: fmt.Sprintf("space %d", seed), keep: true}
			p.play(40)
			before := fresh(h, p.space, "e")
			sources := slices.Clone(sourceNames)
			for range 6 {
				p.quarantine(p.rng.IntN(3) > 0)
			}
			p.rng.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
			for _, s := range sources {
				must[core.Receipt](h)(h.Quarantine(h.Context(), p.space, s, time.Time{}, t0, false))
			}
			before.same(h, p.space, fresh(h, p.space, "e"))
		}
	}},
}

var sourceNames = []string{"chat", "mail", "file:x"}

// player does random things to a space and follows it with a mirror.
type player struct {
	*harness
	rng      *rand.Rand
	space    string
	keep     bool // nothing is taken out
	episodes []core.ID
	texts    map[core.ID]string
	follower *mirror
}

func (p *player) play(steps int) {
	p.follower = newMirror(p.space, "e")
	p.texts = map[core.ID]string{}
	for i := range steps {
		p.step()
		if p.rng.IntN(3) == 0 {
			p.check(i)
		}
	}
	p.check(steps)
}

func (p *player) check(step int) {
	p.Helper()
	p.follower.follow(p.harness)
	p.follower.same(p.harness, fmt.Sprintf("%s, step %d", p.space, step), fresh(p.harness, p.space, "e"))
}

func (p *player) step() {
	ctx := p.Context()
	n := p.rng.IntN(20)
	if len(p.episodes) == 0 {
		n = 0
	}
	switch {
	case n < 9:
		p.say()
	case n < 13:
		p.conclude()
	case n == 13:
		var ids []core.ID
		var vecs [][]byte
		for _, m := range must[[]core.PassageText](p.harness)(p.MissingVectors(ctx, p.space, "e", 0, 3)) {
			ids, vecs = append(ids, m.ID), append(vecs, vectorOf(m.Text))
		}
		p.ok(p.PutVectors(ctx, p.space, "e", ids, vecs))
	case n == 14:
		p.ok(p.AddUses(ctx, p.space, []core.Use{{Item: p.episodes[0], Kind: core.UseRecalled, At: day(p.rng.IntN(9))}}))
	case n == 15 && !p.keep:
		i := p.rng.IntN(len(p.episodes))
		_, err := p.Erase(ctx, p.space, p.episodes[i], t0)
		if err != nil {
			p.want(err, core.CodeNotFound) // a repeat that went with another
		}
		p.episodes = slices.Delete(p.episodes, i, i+1)
	case n == 16 && !p.keep:
		p.ok(p.Requeue(ctx, p.space, t0))
	case n > 16 && !p.keep:
		p.quarantine(p.rng.IntN(2) == 0)
	}
}

func (p *player) quarantine(hide bool) {
	p.Helper()
	must[core.Receipt](p.harness)(p.Quarantine(p.Context(), p.space, sourceNames[p.rng.IntN(3)], day(p.rng.IntN(6)), t0, hide))
}

// say appends one of few texts, so that repeats are common.
func (p *player) say() {
	text := fmt.Sprintf("Fact %d is so. It is number %d.", p.rng.IntN(12), p.rng.IntN(2))
	changes := []change{from(sourceNames[p.rng.IntN(3)]), at(day(p.rng.IntN(9)))}
	if p.rng.IntN(2) == 0 {
		changes = append(changes, until(day(10+p.rng.IntN(9))))
	}
	if p.rng.IntN(2) == 0 {
		changes = append(changes, vectors("e"))
	}
	a := p.add(p.space, text, changes...)
	p.episodes = append(p.episodes, a.ID)
	p.texts[a.ID] = text
}

// conclude makes a state from a line that can be cited, and perhaps ends another.
func (p *player) conclude() {
	m := fresh(p.harness, p.space, "")
	if len(m.passages) == 0 {
		return
	}
	var src core.Source
	n := p.rng.IntN(len(m.passages))
	for _, id := range sortedKeys(m.passages) {
		if n--; n < 0 {
			ps := m.passages[id]
			src = core.Source{Episode: ps.Episode, Passage: id, Start: ps.Start, End: ps.End, At: ps.At}
			break
		}
	}
	st := p.state(p.space, "fact", fmt.Sprint(p.rng.IntN(5)), src)
	if p.rng.IntN(4) == 0 {
		st.Backend = "command"
	}
	plan := &core.Plan{Space: p.space, States: []core.State{st}}
	for _, old := range sortedKeys(m.states) {
		if s := m.states[old]; s.Closed.IsZero() && p.rng.IntN(3) == 0 {
			c := core.Closing{State: old, ValidTo: st.ValidFrom, Retracted: p.rng.IntN(5) == 0}
			if p.rng.IntN(3) > 0 {
				c.SupersededBy = st.ID
			}
			if p.rng.IntN(2) == 0 {
				c.Source = &src
			}
			plan.Close = append(plan.Close, c)
			break
		}
	}
	p.apply(plan)
}

func sortedKeys[V any](m map[core.ID]V) []core.ID {
	out := make([]core.ID, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// Shares of a memory's nodes; the rest are passages.
const (
	entityShare = 0.05
	stateShare  = 0.30
	eventShare  = 0.02
	ruleShare   = 0.002
	batch       = 2000
)

// fill makes a memory of about n nodes: people whom lines name, the more often the fewer,
// states about them, some of them over or under a condition, events, rules and links.
func fill(ctx context.Context, m *local.Memory, n int) error {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	f := &filler{m: m, r: r, now: time.Now().UTC().Truncate(time.Second)}
	for i := range int(float64(n) * entityShare) {
		f.names = append(f.names, name(i))
	}
	count := func(share float64) int { return int(float64(n) * share) }
	lines := n - count(entityShare) - count(stateShare) - count(eventShare) - count(ruleShare)
	if err := f.lines(ctx, lines); err != nil {
		return err
	}
	if err := f.entities(ctx); err != nil {
		return err
	}
	return f.facts(ctx, count(stateShare), count(ruleShare), count(eventShare))
}

type filler struct {
	m     *local.Memory
	r     *rand.Rand
	now   time.Time
	names []string
	ids   []core.ID // of names
	told  []told
}

// told is a line that names people.
type told struct {
	source core.Source
	who    []int
}

// name is the name of the i-th person.
func name(i int) string {
	const a, b = "BDFGKLMNPRSTVZ", "aeiou"
	s := []byte{'Q'}
	for i++; i > 0; i /= len(a) * len(b) {
		s = append(s, b[i%len(b)], a[i/len(b)%len(a)]|0x20)
	}
	return string(append(s, "son"...))
}

// person chooses somebody, the first ones far more often than the last.
func (f *filler) person() int {
	return int(float64(len(f.names)) * math.Pow(f.r.Float64(), 3))
}

func (f *filler) lines(ctx context.Context, n int) error {
	sources := []string{"chat", "file:diary.md", "phone"}
	for made := 0; made < n; {
		var in []engine.Input
		var who [][]int
		for range min(batch, n-made) {
			i := made + len(in)
			a, b := f.person(), f.person()
			in = append(in, engine.Input{
				Text: fmt.Sprintf("Talk number %d: today %s told me what %s has planned for spring", i, f.names[a], f.names[b]),
				At:   f.now.Add(time.Duration(i-n) * 10 * time.Minute), Source: sources[f.r.IntN(len(sources))], Session: fmt.Sprint(i / 40),
			})
			who = append(who, []int{a, b})
		}
		added, err := f.m.Add(ctx, "", in...)
		if err != nil {
			return err
		}
		for i, a := range added {
			if a.Error != "" || len(a.Passages) == 0 {
				return fmt.Errorf("line %q: %+v", in[i].Text, a)
			}
			f.told = append(f.told, told{core.Source{Episode: a.ID, Passage: a.Passages[0], End: len(in[i].Text), At: in[i].At}, who[i]})
		}
		made += len(in)
	}
	return nil
}

func (f *filler) entities(ctx context.Context) error {
	p := &core.Plan{Space: core.DefaultSpace, At: f.now}
	first, err := f.m.Store.ReserveIDs(ctx, len(f.names))
	if err != nil {
		return err
	}
	for i, n := range f.names {
		f.ids = append(f.ids, first+core.ID(i))
		p.Entities = append(p.Entities, core.Entity{ID: f.ids[i], Space: p.Space, Name: n})
	}
	if err := f.m.Store.Apply(ctx, p); err != nil {
		return err
	}
	for from := 0; from < len(f.told); from += batch {
		p := &core.Plan{Space: core.DefaultSpace, At: f.now}
		for _, t := range f.told[from:min(from+batch, len(f.told))] {
			for _, w := range t.who {
				p.Links = append(p.Links, core.Link{From: f.ids[w], To: t.source.Passage, Weight: 1, At: t.source.At})
			}
			p.Done = append(p.Done, t.source.Episode)
		}
		if err := f.m.Store.Apply(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) facts(ctx context.Context, states, rules, events int) error {
	attributes := []string{"home_city", "employer", "likes", "dislikes", "occupation", "drinks", "project", "pet"}
	for made, all := 0, states+rules+events; made < all; {
		n := min(batch, all-made)
		first, err := f.m.Store.ReserveIDs(ctx, n)
		if err != nil {
			return err
		}
		p := &core.Plan{Space: core.DefaultSpace, At: f.now}
		for j := range n {
			i := made + j
			t := f.told[f.r.IntN(len(f.told))]
			w := t.who[0]
			day := t.source.At.Format(time.DateOnly)
			if i >= states+rules {
				p.Events = append(p.Events, core.Event{
					ID: first + core.ID(j), Space: p.Space, Subject: f.names[w], Text: fmt.Sprintf("planned number %d", i), Start: day, End: day,
					Said: t.source.At, Recorded: f.now, Trust: core.TrustUser, Entities: []core.ID{f.ids[w]}, Sources: []core.Source{t.source}, Backend: "rules",
				})
				continue
			}
			st := core.State{
				ID: first + core.ID(j), Space: p.Space, Subject: f.names[w], SubjectID: f.ids[w], Attribute: attributes[f.r.IntN(len(attributes))],
				Value: fmt.Sprintf("value number %d", i), ValidFrom: day, Said: t.source.At, Recorded: f.now, Trust: core.TrustUser,
				Sources: []core.Source{t.source}, Backend: "rules",
			}
			switch {
			case i < rules:
				st.Forbidden, st.Attribute = true, core.ForbiddenPrefix+st.Attribute
				fallthrough
			case i%20 == 0:
				st.Subject, st.SubjectID = core.SubjectUser, 0
			case i%15 == 0:
				st.Condition = "when it rains"
			}
			p.States = append(p.States, st)
		}
		if err := f.m.Store.Apply(ctx, p); err != nil {
			return err
		}
		made += n
	}
	return nil
}

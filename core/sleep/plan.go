package sleep

import (
	"context"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Link weights: an item and an entity it names; two entities that one line names.
const (
	weightNamed    = 1
	weightTogether = 0.5
)

// MaxLineEntities is how many entities of one line are linked. A line that names
// more is a list, which would tie everything to everything.
const MaxLineEntities = 8

// Link finds the names in the lines of the batch and links each with the line's
// passage, with what was taken from the line, and with the other names in it.
func (b *Batch) Link() {
	k := b.Book
	for _, l := range b.Lines {
		if !l.Citable {
			continue
		}
		var ids []core.ID
		for _, m := range l.Grammar().Persons() {
			for m.Owner != nil && m.Owner.Who == lang.Person {
				m = *m.Owner // of "Wanda's manager" Wanda is named
			}
			if m.Owner != nil || m.Kin != "" && m.Proper == "" && !m.Mine || m.Proper != "" && m.Unsure && !k.KnownName(m.Proper) {
				continue
			}
			mention := MentionOf(m)
			if m.Proper == "" && !k.KnownName(mention.Name) {
				continue // "my sister" without a fact about her
			}
			if e := k.Entity(b.Space, mention); !slices.Contains(ids, e.ID) && len(ids) < MaxLineEntities {
				ids = append(ids, e.ID)
			}
		}
		for i, id := range ids {
			if l.Source.Passage != 0 {
				k.link(id, l.Source.Passage, weightNamed, l.Said)
			}
			for _, item := range l.items {
				k.link(id, item, weightNamed, l.Said)
			}
			for _, other := range ids[i+1:] {
				k.link(id, other, weightTogether, l.Said)
			}
		}
	}
}

func (k *Book) link(from, to core.ID, w float32, at time.Time) {
	if from == to {
		return
	}
	if k.linked[[2]core.ID{from, to}] {
		return
	}
	if k.linked == nil {
		k.linked = map[[2]core.ID]bool{}
	}
	k.linked[[2]core.ID{from, to}] = true
	k.links = append(k.links, core.Link{From: from, To: to, Weight: w, At: at})
}

// Fill writes into the plan what the batch changed in the book. Temporary IDs
// become real ones.
func (k *Book) Fill(ctx context.Context, p *core.Plan, reserve func(context.Context, int) (core.ID, error)) error {
	actual := map[core.ID]core.ID{}
	slices.SortFunc(k.touched, byPlace)
	var fresh []*fact
	for _, f := range k.touched {
		if f.fresh {
			fresh = append(fresh, f)
		}
	}
	if n := len(k.newEntities) + len(fresh) + len(k.newEvents); n > 0 {
		first, err := reserve(ctx, n)
		if err != nil {
			return err
		}
		give := func(id *core.ID) {
			actual[*id] = first
			*id = first
			first++
		}
		for _, e := range k.newEntities {
			give(&e.ID)
		}
		for _, f := range fresh {
			give(&f.ID)
		}
		for _, e := range k.newEvents {
			give(&e.ID)
		}
	}
	k.rename(actual)
	for _, e := range k.newEntities {
		p.Entities = append(p.Entities, *e)
	}
	p.Aliases = append(p.Aliases, k.newAliases...)
	for _, f := range k.touched {
		f.fill(p)
	}
	for _, e := range k.newEvents {
		p.Events = append(p.Events, *e)
	}
	p.Links = append(p.Links, k.links...)
	p.Uses = append(p.Uses, k.uses...)
	return nil
}

func (k *Book) rename(actual map[core.ID]core.ID) {
	one := func(id *core.ID) {
		if r, ok := actual[*id]; ok && *id < 0 {
			*id = r
		}
	}
	for _, f := range k.touched {
		one(&f.SubjectID)
		one(&f.SupersededBy)
		if f.fresh {
			k.facts.move(f, k.subjectKey(f.Subject, f.SubjectID))
		}
	}
	for _, e := range k.newEvents {
		for i := range e.Entities {
			one(&e.Entities[i])
		}
	}
	for i := range k.links {
		one(&k.links[i].From)
		one(&k.links[i].To)
	}
	for i := range k.uses {
		one(&k.uses[i].Item)
	}
}

func (f *fact) fill(p *core.Plan) {
	if f.Closed.Equal(closedNow) {
		f.Closed = p.At
	}
	if f.fresh {
		p.States = append(p.States, f.State)
	} else {
		for _, s := range f.sources {
			p.Sources = append(p.Sources, core.StateSource{State: f.ID, Source: s})
		}
	}
	if f.redated && !f.fresh {
		p.Redate = append(p.Redate, core.Redating{State: f.ID, ValidFrom: f.ValidFrom, Stated: f.Stated})
	}
	if f.closed && (!f.fresh || f.ending != nil) {
		p.Close = append(p.Close, core.Closing{State: f.ID, ValidTo: f.ValidTo, SupersededBy: f.SupersededBy, Source: f.ending})
	}
}

// settle forgets what was new, once the plan was carried out.
func (k *Book) settle() {
	for _, f := range k.touched {
		f.fresh, f.touched, f.closed, f.redated, f.sources = false, false, false, false, nil
	}
	k.touched, k.linked = nil, nil
	k.newEntities, k.newAliases, k.newEvents, k.links, k.uses = nil, nil, nil, nil, nil
}

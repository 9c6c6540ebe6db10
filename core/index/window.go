package index

import (
	"math"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

// Window says which items of a space are looked at. The zero Window takes what holds at
// the view's time.
type Window struct {
	At      time.Time // what held then, by the valid clock; zero: what holds now
	History bool      // states that ended too
	Source  string    // only what came from there
	Trust   core.Trust
	From    time.Time // said at or after
	Before  time.Time // said before
}

// lens decides what a window shows.
type lens struct {
	v      *View
	w      Window
	day    string
	zone   *time.Location
	now    int64
	source int32
	from   int64
	before int64
}

func newLens(v *View, w Window) *lens {
	l := &lens{v: v, w: w, zone: v.query.Zone, now: v.now, source: -1, from: math.MinInt64, before: math.MaxInt64}
	if !w.From.IsZero() {
		l.from = w.From.Unix()
	}
	if !w.Before.IsZero() {
		l.before = w.Before.Unix()
	}
	if l.zone == nil {
		l.zone = time.UTC
	}
	if !w.At.IsZero() {
		l.now, l.day = w.At.Unix(), w.At.In(l.zone).Format(time.DateOnly)
	}
	if w.Source != "" {
		if n, ok := v.s.sources.number[w.Source]; ok {
			l.source = n
		}
	}
	return l
}

// seesItem tells what holds for items of every kind.
func (l *lens) seesItem(it *item) bool {
	return !(it.expires != 0 && it.expires <= l.now || it.trust < uint8(l.w.Trust) ||
		it.at < l.from || it.at >= l.before)
}

// sees tells what holds for items of the doc's kind.
func (l *lens) sees(doc uint32, it *item, p *shape) bool {
	switch {
	case it.kind == uint8(frame.ItemPassage):
		return l.seesPassage(it)
	case it.kind == uint8(frame.ItemEvent) && l.w.Source == "":
		return it.at <= l.now
	case it.kind == uint8(frame.ItemEvent):
		ev := l.v.s.facts.events[it.id]
		return l.seesEvent(it, &ev)
	case l.w.Source == "" && l.day == "":
		return l.w.History || !p.closed.Has(doc)
	}
	st := l.v.s.facts.states[it.id]
	return l.seesState(st)
}

func (l *lens) seesPassage(it *item) bool {
	return it.at <= l.now && (l.w.Source == "" || it.source >= 0 && it.source == l.source)
}

func (l *lens) seesEvent(it *item, ev *core.Event) bool {
	return it.at <= l.now && l.fromSource(ev.Sources)
}

func (l *lens) seesState(st *core.State) bool {
	if !l.fromSource(st.Sources) {
		return false
	}
	if l.w.History {
		return l.day == "" || st.BeganBy(l.day, l.zone)
	}
	if l.day == "" {
		return st.Closed.IsZero()
	}
	return st.TrueOn(l.day, l.zone)
}

func (l *lens) fromSource(sources []core.Source) bool {
	if l.w.Source == "" {
		return true
	}
	for _, s := range sources {
		if doc, ok := l.v.s.docs[s.Passage]; ok && l.source >= 0 && l.v.s.items[doc].source == l.source {
			return true
		}
	}
	return false
}

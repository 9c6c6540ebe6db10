package index

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

// moments is a space whose items come and expire at seconds 0 to 100.
func moments(t *testing.T, r *rand.Rand) *Space {
	t.Helper()
	s := New("s", Options{})
	at := func() time.Time { return time.Unix(int64(1+r.IntN(99)), 0).UTC() }
	expires := func() time.Time {
		if r.IntN(3) > 0 {
			return time.Time{}
		}
		return at()
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	const lines = 30
	for i := range core.ID(lines) {
		must(s.Passage(&core.FeedPassage{
			Passage: core.Passage{ID: i + 1, Episode: 1000 + i}, Source: []string{"chat", "phone"}[r.IntN(2)], Trust: core.TrustUser, At: at(), Expires: expires(),
			Text: "then Anna Berg met " + []string{"Boris Lund", "Carla Moe", "nobody"}[r.IntN(3)],
		}))
	}
	must(s.Entity(&core.Entity{ID: 900, Name: "Boris Lund"}))
	for i := range core.ID(lines) {
		src := []core.Source{{Passage: 1 + core.ID(r.IntN(lines))}}
		st := core.State{ID: 100 + i, Subject: []string{"user", "Anna Berg", "Nobody Known"}[r.IntN(3)], Attribute: "likes", Value: fmt.Sprint(i), Forbidden: r.IntN(5) == 0,
			Said: at(), ValidFrom: "1970-01-01", Expires: expires(), Sources: src, Trust: core.TrustUser}
		if r.IntN(3) == 0 {
			st.Closed, st.ValidTo = at(), "1970-01-01"
		}
		must(s.State(&st))
		must(s.Event(&core.Event{ID: 200 + i, Subject: "Boris Lund", Text: "rested", Entities: []core.ID{900}, Said: at(), Expires: expires(), Sources: src, Trust: core.TrustUser}))
	}
	s.version = core.Version{Epoch: 1, Gen: 1}
	return s
}

// TestKeptSightIsWhatIsSeen looks at a space at many moments through many windows, in any
// order: what is kept must be what is seen when nothing is.
func TestKeptSightIsWhatIsSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	s, fresh := moments(t, r), moments(t, rand.New(rand.NewPCG(3, 3)))
	windows := []Window{{}, {History: true}, {Source: "phone"}, {Source: "nowhere"}, {Trust: core.TrustUser}, {From: time.Unix(40, 0)}, {Before: time.Unix(40, 0), History: true}, {At: time.Unix(50, 0)}}
	hits := 0
	for range 2000 {
		q := &frame.Query{Now: time.Unix(int64(r.IntN(110)-5), 0), Zone: time.UTC}
		w := windows[r.IntN(len(windows))]
		v := s.Begin(q)
		had := len(s.sights.list) > 0 && s.sights.list[0].key.w == w
		got := v.Net(w)
		if had {
			hits++
		}
		fresh.sights.forget()
		o := fresh.Begin(q)
		want := o.Net(w)
		a, b := *got.sight, *want.sight
		if a.since, a.until = b.since, b.until; !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v at %d: %+v, want %+v", w, q.Now.Unix(), a, b)
		}
		if len(s.sights.list) > maxSights {
			t.Fatalf("%d sights are kept", len(s.sights.list))
		}
		v.End()
		o.End()
	}
	if hits == 0 {
		t.Error("nothing was asked for twice")
	}
}

// TestWindowBoundsInAndBefore1970: second 0 is a moment like others.
func TestWindowBoundsInAndBefore1970(t *testing.T) {
	s := New("s", Options{})
	days := []string{"1960-01-01", "1969-12-31", "1970-01-01", "1980-01-01"}
	for i, d := range days {
		at, err := time.Parse(time.DateOnly, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Passage(&core.FeedPassage{Passage: core.Passage{ID: core.ID(i + 1)}, At: at.Add(time.Hour), Text: "rain"}); err != nil {
			t.Fatal(err)
		}
	}
	epoch := time.Unix(0, 0)
	for _, c := range []struct {
		w    Window
		want int
	}{{Window{}, 4}, {Window{From: epoch}, 2}, {Window{Before: epoch}, 2}, {Window{From: epoch.AddDate(-20, 0, 0), Before: epoch.AddDate(0, 0, 1)}, 3}} {
		v := s.Begin(&frame.Query{Now: time.Unix(1<<31, 0)})
		if n := v.Net(c.w).Count(SortPassage); n != c.want {
			t.Errorf("%+v: %d passages, want %d", c.w, n, c.want)
		}
		v.End()
	}
}

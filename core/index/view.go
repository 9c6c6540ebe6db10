package index

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/vector"
)

// View is a space as it is during one recall. It is a [frame.Source], and has the
// abilities of package frame. End gives it back.
type View struct {
	s     *Space
	query *frame.Query
	now   int64

	terms text.Query    // of the query, without the names of speakers
	allow vector.Bitmap // docs that may be found; nil: all that are live
	rows  vector.Bitmap // the same, by matrix row
	named int32         // the one speaker whom the query names, -1

	severalNamed bool
	wants        uint8   // flags of rows that hold the kind of thing asked for
	hush         float32 // how far the assistant's words count less
	dates        []DaySpan
	datesOK      bool

	byWords, byVector hits
	approximate       atomic.Bool

	read func(docs []uint32, dst []string) error // the texts, which the index does not keep

	mu     sync.Mutex // guards what follows: retrievers run at once
	own    map[uint32]float32
	soft   soft
	softOK bool
	tmp    tmp
	buf    []byte
}

// tmp is memory that a view uses again and again.
type tmp struct {
	tokens text.Terms
	docs   []uint32
	scores []float32
	likes  []float32
	rows   []uint32
	beside []uint32
	means  []float32
}

// Begin pins the space for one query.
func (s *Space) Begin(q *frame.Query) *View {
	s.mu.RLock()
	v, _ := views.Get().(*View)
	if v == nil {
		v = &View{own: map[uint32]float32{}}
	}
	v.s, v.query, v.now = s, q, q.Now.Unix()
	v.allow, v.rows, v.softOK, v.datesOK = nil, nil, false, false
	v.approximate.Store(false)
	v.byWords.k, v.byVector.k = 0, 0
	v.wants, v.hush = asks(q.Text), whoseWords(q.Text)
	clear(v.own)
	v.parse()
	v.expire()
	return v
}

// views keeps views between recalls: they hold nothing of a space but their size.
var views sync.Pool

// End gives the view back. It must not be used any more.
func (v *View) End() {
	s := v.s
	v.soft.forget()
	v.s, v.query, v.read = nil, nil, nil
	views.Put(v)
	s.mu.RUnlock()
}

// parse finds the words to search for. The names of the space's speakers are not
// among them: they say whose rows are meant, and every row of theirs would match.
func (v *View) parse() {
	v.tmp.tokens.Tokenize(v.query.Text)
	v.terms = v.tmp.tokens.Query()
	v.named, v.severalNamed = -1, false
	if len(v.s.speakers.list) == 0 {
		return
	}
	rest := slices.DeleteFunc(slices.Clone(v.terms.Terms), func(t text.QueryTerm) bool {
		n, ok := v.s.speakerTerms[t.Text]
		switch {
		case !ok:
		case v.named < 0:
			v.named = n
		case n != v.named:
			v.severalNamed = true
		}
		return ok
	})
	if len(rest) > 0 {
		v.terms.Terms = rest // a query of nothing but a name searches for the name
	}
}

// Empty reports whether the query has nothing to search for.
func (v *View) Empty() bool { return len(v.terms.Terms) == 0 }

// expire leaves out what is past its time at the query's clock.
func (v *View) expire() {
	for _, doc := range v.s.expiring {
		if at := v.s.items[doc].expires; !v.s.live.Has(doc) || at == 0 || at > v.now {
			continue
		}
		if v.allow == nil {
			v.allow = slices.Clone(v.s.live)
		}
		v.allow.Clear(doc)
	}
	v.rows = v.s.liveRows
	if v.allow == nil || v.s.vecs == nil {
		return
	}
	v.rows = slices.Clone(v.s.liveRows)
	for _, doc := range v.s.expiring {
		if row := v.s.items[doc].vec; row >= 0 && !v.allow.Has(doc) {
			v.rows.Clear(uint32(row))
		}
	}
}

// may reports whether a doc may be found.
func (v *View) may(doc uint32) bool {
	if v.allow != nil {
		return v.allow.Has(doc)
	}
	return v.s.live.Has(doc)
}

// Rows is part of [frame.Source].
func (v *View) Rows() int { return len(v.s.items) }

// Approximate reports whether a vector search of this view used a sketch.
func (v *View) Approximate() bool { return v.approximate.Load() }

// Cosines is part of [frame.Comparer].
func (v *View) Cosines(doc uint32, to []uint32, dst []float32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	own := v.s.items[doc].vec
	rows := v.tmp.rows[:0]
	for _, other := range to {
		rows = append(rows, uint32(max(v.s.items[other].vec, 0))) // some row; undone below
	}
	v.tmp.rows = rows
	known := own >= 0 && v.s.vecs.Pairs(uint32(own), rows, dst) == nil
	for i, other := range to {
		if !known || v.s.items[other].vec < 0 {
			dst[i] = float32(math.NaN())
		}
	}
}

// Named, Entities, Mentions and Links are part of [frame.Graph].
func (v *View) Named(dst []uint32) []uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tmp.tokens.Tokenize(v.query.Text)
	return v.s.graph.named(wholeWords(&v.tmp.tokens), dst)
}

// Entities is part of [frame.Graph].
func (v *View) Entities(doc uint32) []uint32 { return v.s.graph.byDoc[doc] }

// Mentions is part of [frame.Graph].
func (v *View) Mentions(entity uint32) []uint32 { return v.s.graph.mentions[entity] }

// Links is part of [frame.Graph].
func (v *View) Links(entity uint32) []frame.Edge { return v.s.graph.links[entity] }

// vectorOf returns the query's vector if it is of the space's embedder.
func (v *View) vectorOf(embedder string) ([]float32, error) {
	q, ok := v.query.Vectors[embedder] // "" is the default one
	if !ok || v.s.vecs == nil {
		return nil, nil
	}
	if len(q) != v.s.vecs.Dim() {
		return nil, fmt.Errorf("query vector of %d values for rows of %d", len(q), v.s.vecs.Dim())
	}
	return q, nil
}

// Fill is part of [frame.Source].
func (v *View) Fill(f *frame.Frame) error {
	id, kind, episode := f.I64(frame.ID), f.I64(frame.Item), f.I64(frame.Episode)
	session, speaker, origin := f.I64(frame.Session), f.I64(frame.Speaker), f.I64(frame.Origin)
	role, trust := f.I64(frame.Role), f.I64(frame.Trust)
	words, age, expired := f.F32(frame.Words), f.F32(frame.AgeDays), f.F32(frame.Expired)
	uses := f.List(frame.UseDays)
	uses.Ends, uses.Values = uses.Ends[:0], uses.Values[:0]
	for r, doc := range f.Docs() {
		it := &v.s.items[doc]
		id[r], kind[r], episode[r] = int64(it.id), int64(it.kind), int64(it.episode)
		session[r], speaker[r], origin[r] = int64(it.session), int64(it.speaker), int64(it.source)+1
		role[r], trust[r] = int64(it.role), int64(it.trust)
		words[r], age[r] = float32(it.words), v.days(it.at)
		if it.expires != 0 && it.expires <= v.now {
			expired[r] = 1
		}
		for _, at := range slices.Backward(v.s.uses[doc]) {
			uses.Values = append(uses.Values, v.days(at))
		}
		uses.Append(v.days(it.at))
	}
	if f.Has(frame.Text) {
		if err := v.Texts(f.Docs(), f.Strings(frame.Text)); err != nil {
			return err
		}
	}
	if f.Has(frame.Vector) {
		return v.fillVectors(f)
	}
	return nil
}

// ReadBy tells the view how to read what items say, which the index does not keep. It is
// called from one goroutine at a time and must not change docs.
func (v *View) ReadBy(read func(docs []uint32, dst []string) error) { v.read = read }

// Texts is part of [frame.Reader].
func (v *View) Texts(docs []uint32, dst []string) error {
	if v.read == nil {
		return errors.New("index: nobody reads texts for this view")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.read(docs, dst)
}

func (v *View) fillVectors(f *frame.Frame) error {
	l := f.List(frame.Vector)
	l.Ends, l.Values = l.Ends[:0], l.Values[:0]
	for _, doc := range f.Docs() {
		if row := v.s.items[doc].vec; row >= 0 {
			var err error
			if l.Values, err = v.s.vecs.Row(uint32(row), l.Values); err != nil {
				return err
			}
		}
		l.Ends = append(l.Ends, int32(len(l.Values)))
	}
	return nil
}

// days is the age in days of a moment.
func (v *View) days(at int64) float32 { return float32(float64(v.now-at) / 86400) }

// Doc returns the doc of an item.
func (v *View) Doc(id core.ID) (uint32, bool) {
	d, ok := v.s.docs[id]
	return d, ok
}

// day is the calendar day of a doc in the query's zone.
func (v *View) day(doc uint32) time.Time {
	zone := v.query.Zone
	if zone == nil {
		zone = time.UTC
	}
	return time.Unix(v.s.items[doc].at, 0).In(zone)
}

// logWords is ln(1 + words)/4: the length of a text as features see it.
func logWords(words uint16) float32 { return float32(math.Log1p(float64(words))) / 4 }

package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
)

// A snapshot saves building an index from texts: it is kept in the store, and what came
// after it is fed on top. It is, all numbers little-endian: a magic word, the version of
// this format and of the tokeniser, the embedder; sections with their length before
// them, in the order of [Space.encode]; and a CRC-32C of it all.
const (
	snapshotName   = "index"
	snapshotMagic  = "ormaindx"
	snapshotFormat = 3
)

// A snapshot is saved again when this many rows, and this share of all, are new.
const (
	snapshotRows  = 500
	snapshotShare = 5 // a fifth
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errSnapshot = errors.New("index snapshot is damaged or of another version")

// load starts from the saved snapshot, if there is one that fits. Whatever is wrong with
// it, the index can be built without.
func (s *Space) load(ctx context.Context, feed core.Feeder) {
	data, v, ok, err := feed.Snapshot(ctx, s.name, snapshotName)
	if err != nil || !ok {
		return
	}
	if err := s.decode(data); err != nil {
		s.Reset()
		return
	}
	s.version, s.saved = v, len(s.items)
}

// grown reports whether much is new since the last snapshot.
func (s *Space) grown() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fresh := len(s.items) - s.saved
	return fresh >= snapshotRows && fresh*snapshotShare >= len(s.items) && s.version != (core.Version{})
}

// rows is how many items there are.
func (s *Space) rows() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.items)
}

// save stores a snapshot if much is new since the last. Nothing waits for the store.
func (s *Space) save(ctx context.Context, feed core.Feeder) error {
	if !s.grown() || ctx.Err() != nil {
		return ctx.Err()
	}
	data, v, rows, err := s.snapshot()
	if err != nil {
		return err
	}
	if err := feed.SaveSnapshot(ctx, s.name, snapshotName, v, data); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version.Epoch == v.Epoch {
		s.saved = rows
	}
	return nil
}

func (s *Space) snapshot() (data []byte, v core.Version, rows int, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, err = s.encode()
	return data, s.version, len(s.items), err
}

// writer puts sections together.
type writer struct{ b []byte }

func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }
func (w *writer) bytes(p []byte) {
	w.u64(uint64(len(p)))
	w.b = append(w.b, p...)
}

func (w *writer) strings(list []string) {
	w.u32(uint32(len(list)))
	for _, s := range list {
		w.u32(uint32(len(s)))
		w.b = append(w.b, s...)
	}
}

func (w *writer) u32s(list []uint32) {
	w.u32(uint32(len(list)))
	for _, v := range list {
		w.u32(v)
	}
}

// encode returns a snapshot. The caller holds the lock.
func (s *Space) encode() ([]byte, error) {
	w := &writer{}
	w.b = append(w.b, snapshotMagic...)
	w.u32(snapshotFormat)
	w.u32(text.TokenizerVersion)
	w.strings([]string{s.embedder})
	var words bytes.Buffer
	if _, err := s.words.WriteTo(&words); err != nil {
		return nil, fmt.Errorf("snapshot words: %w", err)
	}
	w.bytes(words.Bytes())
	w.u32(uint32(len(s.items)))
	for i := range s.items {
		w.item(&s.items[i])
	}
	w.strings(s.speakers.list)
	w.strings(s.sessions.list)
	w.strings(s.sources.list)
	w.strings(s.lex.words)
	w.u32s(s.lex.ends)
	w.u32s(s.lex.flat)
	w.u32s(s.vecDocs)
	var rows []byte
	if s.vecs != nil {
		rows = s.vecs.AppendTo(nil)
	}
	w.bytes(rows)
	w.graph(&s.graph)
	w.u32(uint32(len(s.uses)))
	for doc := range uint32(len(s.items)) {
		if list := s.uses[doc]; len(list) > 0 {
			w.u32(doc)
			w.u32(uint32(len(list)))
			for _, at := range list {
				w.u64(uint64(at))
			}
		}
	}
	w.facts(s.facts.list())
	return binary.LittleEndian.AppendUint32(w.b, crc32.Checksum(w.b, castagnoli)), nil
}

func (w *writer) item(it *item) {
	w.u64(uint64(it.id))
	w.u64(uint64(it.episode))
	w.u64(uint64(it.at))
	w.u64(uint64(it.expires))
	for _, v := range [...]uint32{uint32(it.session), uint32(it.speaker), uint32(it.source), uint32(it.vec), it.start, it.end, uint32(it.words)} {
		w.u32(v)
	}
	w.b = append(w.b, it.kind, it.role, it.trust, it.flags)
}

// graph writes entities: their names, the numbers of the stored ones, their mentions,
// and their links with how often they met.
func (w *writer) graph(g *graph) {
	var names []string
	var of []uint32
	for name := range g.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		of = append(of, g.byName[name])
	}
	w.strings(names)
	w.u32s(of)
	ids := slices.Sorted(maps.Keys(g.number))
	w.u32(uint32(len(ids)))
	for _, id := range ids {
		w.u64(uint64(id))
		w.u32(g.number[id])
	}
	w.u32(uint32(len(g.mentions)))
	for _, docs := range g.mentions {
		w.u32s(docs)
	}
	var edges []uint32
	for a := range g.links {
		for _, e := range g.links[a] {
			if uint32(a) < e.To {
				edges = append(edges, uint32(a), e.To, math.Float32bits(e.Weight), uint32(g.met[[2]uint32{uint32(a), e.To}]))
			}
		}
	}
	w.u32s(edges)
	w.strings(g.labels)
	w.strings(g.keys)
}

// reader takes sections apart. After an error everything is empty.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	p := r.b[:n:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) u32() uint32 {
	if p := r.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if p := r.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// count reads a number of things of at least size bytes each.
func (r *reader) count(size uint64) int {
	n := uint64(r.u32())
	if n*size > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) strings() []string {
	list, section := make([]string, r.count(4)), r.b
	for range list {
		r.take(uint64(r.u32()))
	}
	if r.bad {
		return nil
	}
	all := string(section[:len(section)-len(r.b)]) // one piece of memory
	at := 0
	for i := range list {
		n := int(binary.LittleEndian.Uint32(section[at:]))
		list[i] = all[at+4 : at+4+n]
		at += 4 + n
	}
	return list
}

func (r *reader) u32s() []uint32 {
	n := r.count(4)
	p := r.take(4 * uint64(n))
	list := make([]uint32, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(p[4*i:])
	}
	return list
}

// decode fills an empty space from a snapshot.
func (s *Space) decode(data []byte) error {
	if len(data) < 4 || crc32.Checksum(data[:len(data)-4], castagnoli) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return errSnapshot
	}
	r := &reader{b: data[:len(data)-4]}
	head := string(r.take(uint64(len(snapshotMagic)))) == snapshotMagic && r.u32() == snapshotFormat && r.u32() == text.TokenizerVersion
	if !head {
		return errSnapshot
	}
	if e := r.strings(); len(e) != 1 || e[0] != s.embedder {
		return errSnapshot
	}
	if _, err := s.words.ReadFrom(bytes.NewReader(r.take(r.u64()))); err != nil {
		return err
	}
	s.items = make([]item, r.count(32))
	for i := range s.items {
		r.item(&s.items[i])
	}
	speakers := r.strings()
	for _, n := range r.strings() {
		s.sessions.add(n)
	}
	for _, n := range r.strings() {
		s.sources.add(n)
	}
	for _, n := range speakers {
		s.speaker(n)
	}
	s.lex.restore(r.strings(), r.u32s(), r.u32s())
	s.vecDocs = r.u32s()
	if rows := r.take(r.u64()); s.vecs != nil && !r.bad {
		if err := s.vecs.Load(rows); err != nil {
			return err
		}
	}
	r.graph(&s.graph)
	for range r.count(8) {
		doc, n := r.u32(), r.count(8)
		list := make([]int64, n)
		for i := range list {
			list[i] = int64(r.u64())
		}
		s.uses[doc] = list
	}
	facts := r.facts(s.name)
	if r.bad || len(r.b) > 0 {
		return errSnapshot
	}
	if err := s.restore(); err != nil {
		return err
	}
	if err := s.facts.restore(facts, s.docs); err != nil {
		return err
	}
	for i := range s.items {
		if it := &s.items[i]; it.kind == uint8(frame.ItemState) && s.facts.states[it.id] == nil {
			return errSnapshot
		}
	}
	return nil
}

func (r *reader) item(it *item) {
	it.id, it.episode = core.ID(r.u64()), core.ID(r.u64())
	it.at, it.expires = int64(r.u64()), int64(r.u64())
	it.session, it.speaker, it.source, it.vec = int32(r.u32()), int32(r.u32()), int32(r.u32()), int32(r.u32())
	it.start, it.end = r.u32(), r.u32()
	it.words = uint16(min(r.u32(), math.MaxUint16))
	if p := r.take(4); p != nil {
		it.kind, it.role, it.trust, it.flags = p[0], p[1], p[2], p[3]
	}
}

func (r *reader) graph(g *graph) {
	names, of := r.strings(), r.u32s()
	ids := map[core.ID]uint32{}
	for range r.count(12) {
		id := core.ID(r.u64())
		ids[id] = r.u32()
	}
	for n := range r.count(4) {
		g.grow()
		for _, doc := range r.u32s() {
			g.mentionNode(uint32(n), doc)
		}
	}
	nodes := uint32(len(g.mentions))
	r.bad = r.bad || len(names) != len(of)
	for i := 0; i < len(names) && !r.bad; i++ {
		g.byName[names[i]] = of[i]
		r.bad = of[i] >= nodes
	}
	for id, n := range ids {
		g.number[id] = n
		if r.bad = r.bad || n >= nodes; !r.bad && (g.ids[n] == 0 || id < g.ids[n]) {
			g.ids[n] = id
		}
	}
	for edges := r.u32s(); len(edges) >= 4 && !r.bad; edges = edges[4:] {
		a, b := edges[0], edges[1]
		if r.bad = a >= nodes || b >= nodes; r.bad {
			return
		}
		if edges[3] > 0 {
			g.met[[2]uint32{a, b}] = int32(edges[3])
		}
		w := math.Float32frombits(edges[2])
		g.links[a] = append(g.links[a], frame.Edge{To: b, Weight: w})
		g.links[b] = append(g.links[b], frame.Edge{To: a, Weight: w})
	}
	for _, edges := range g.links {
		slices.SortFunc(edges, strongest)
	}
	g.labels, g.keys = r.strings(), r.strings()
	r.bad = r.bad || len(g.labels) != int(nodes) || len(g.keys) != int(nodes)
}

// restore makes again what follows from what was read, and checks that it fits together.
func (s *Space) restore() error {
	fits := int(s.words.Next()) == len(s.items) && len(s.lex.ends) == len(s.items) && s.lex.sound() && (s.vecs == nil || s.vecs.Len() == len(s.vecDocs))
	for _, docs := range s.graph.mentions {
		fits = fits && (len(docs) == 0 || int(docs[len(docs)-1]) < len(s.items))
	}
	if !fits {
		return errSnapshot
	}
	s.docs = make(map[core.ID]uint32, len(s.items))
	s.place, s.lengths = make([]int32, 0, len(s.items)), make([]uint32, len(s.items))
	for i := range s.items {
		it := &s.items[i]
		doc := uint32(i)
		if int(it.session) >= len(s.sessions.list) || int(it.speaker) >= len(s.speakers.list) || int(it.source) >= len(s.sources.list) ||
			int(it.vec) >= len(s.vecDocs) || it.vec >= 0 && s.vecDocs[it.vec] != doc {
			return errSnapshot
		}
		s.docs[it.id] = doc
		s.place = append(s.place, s.seat(doc, it))
		if it.expires != 0 {
			s.expiring = append(s.expiring, doc)
		}
		if it.flags&flagDead != 0 {
			continue
		}
		s.live.Set(doc)
		if it.vec >= 0 {
			s.liveRows.Set(uint32(it.vec))
		}
	}
	for row := range uint32(len(s.vecDocs)) {
		s.addToSum(row)
	}
	return nil
}

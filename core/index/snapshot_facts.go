package index

import (
	"encoding/binary"
	"time"

	"github.com/orma-memory/orma/core"
)

// In a snapshot states and events are written field by field: reading them is most of
// what a process that starts with many waits for.

const (
	factForbidden uint8 = 1 << iota
	factStated
	factRetracted
)

func (w *writer) str(s string) {
	w.b = binary.AppendUvarint(w.b, uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) id(id core.ID) { w.b = binary.AppendUvarint(w.b, uint64(id)) }
func (w *writer) int(n int)     { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *writer) time(t time.Time) {
	w.b = binary.AppendVarint(w.b, t.Unix())
	w.b = binary.AppendUvarint(w.b, uint64(t.Nanosecond()))
}

func (w *writer) flags(bits uint8, set ...bool) {
	for i, on := range set {
		if on {
			bits |= 1 << i
		}
	}
	w.b = append(w.b, bits)
}

func (w *writer) sources(list []core.Source) {
	w.int(len(list))
	for i := range list {
		s := &list[i]
		w.id(s.Episode)
		w.id(s.Passage)
		w.int(s.Start)
		w.int(s.End)
		w.time(s.At)
	}
}

func (w *writer) facts(l factList) {
	w.u32(uint32(len(l.States)))
	for i := range l.States {
		st := &l.States[i]
		w.id(st.ID)
		w.id(st.SubjectID)
		w.id(st.SupersededBy)
		for _, s := range [...]string{st.Subject, st.Attribute, st.Value, st.Condition, st.ValidFrom, st.ValidTo, st.Backend} {
			w.str(s)
		}
		w.flags(0, st.Forbidden, st.Stated, st.Retracted)
		for _, t := range [...]time.Time{st.Said, st.Recorded, st.Closed, st.Expires} {
			w.time(t)
		}
		w.int(int(st.Trust))
		w.sources(st.Sources)
	}
	w.u32(uint32(len(l.Events)))
	for i := range l.Events {
		ev := &l.Events[i]
		w.id(ev.ID)
		for _, s := range [...]string{ev.Subject, ev.Text, ev.Start, ev.End, ev.Backend} {
			w.str(s)
		}
		w.flags(0, false, ev.Stated)
		for _, t := range [...]time.Time{ev.Said, ev.Recorded, ev.Expires} {
			w.time(t)
		}
		w.int(int(ev.Trust))
		w.int(len(ev.Entities))
		for _, id := range ev.Entities {
			w.id(id)
		}
		w.sources(ev.Sources)
	}
}

// factReader reads facts. Strings that many facts have are one string.
type factReader struct {
	*reader
	names map[string]string
}

func (r *factReader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *factReader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *factReader) id() core.ID { return core.ID(r.uint()) }
func (r *factReader) str() string { return string(r.take(r.uint())) }

// name reads a string that other facts may have too.
func (r *factReader) name() string {
	p := r.take(r.uint())
	s, ok := r.names[string(p)]
	if !ok {
		s = string(p)
		r.names[s] = s
	}
	return s
}

func (r *factReader) time() time.Time {
	sec, nsec := r.int(), r.uint()
	if nsec >= 1e9 {
		r.bad = true
	}
	return time.Unix(sec, int64(nsec)).UTC()
}

func (r *factReader) flags() uint8 {
	if p := r.take(1); p != nil {
		return p[0]
	}
	return 0
}

// some reads a number of things of at least size bytes each.
func (r *factReader) some(size int64) int {
	n := r.int()
	if n < 0 || n > int64(len(r.b))/size {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *factReader) sources() []core.Source {
	n := r.some(6)
	if n == 0 {
		return nil
	}
	list := make([]core.Source, n)
	for i := range list {
		list[i] = core.Source{Episode: r.id(), Passage: r.id(), Start: int(r.int()), End: int(r.int()), At: r.time()}
	}
	return list
}

// facts reads the facts of a space.
func (in *reader) facts(space string) (l factList) {
	r := &factReader{in, map[string]string{}}
	l.States = make([]core.State, in.count(20))
	for i := range l.States {
		if r.bad {
			return factList{}
		}
		st := &l.States[i]
		*st = core.State{Space: space, ID: r.id(), SubjectID: r.id(), SupersededBy: r.id()}
		st.Subject, st.Attribute, st.Value, st.Condition = r.name(), r.name(), r.str(), r.name()
		st.ValidFrom, st.ValidTo, st.Backend = r.name(), r.name(), r.name()
		f := r.flags()
		st.Forbidden, st.Stated, st.Retracted = f&factForbidden != 0, f&factStated != 0, f&factRetracted != 0
		st.Said, st.Recorded, st.Closed, st.Expires = r.time(), r.time(), r.time(), r.time()
		st.Trust, st.Sources = core.Trust(r.int()), r.sources()
	}
	l.Events = make([]core.Event, in.count(16))
	for i := range l.Events {
		if r.bad {
			return factList{}
		}
		ev := &l.Events[i]
		*ev = core.Event{Space: space, ID: r.id()}
		ev.Subject, ev.Text, ev.Start, ev.End, ev.Backend = r.name(), r.str(), r.name(), r.name(), r.name()
		ev.Stated = r.flags()&factStated != 0
		ev.Said, ev.Recorded, ev.Expires = r.time(), r.time(), r.time()
		ev.Trust = core.Trust(r.int())
		if n := r.some(1); n > 0 {
			ev.Entities = make([]core.ID, n)
			for j := range ev.Entities {
				ev.Entities[j] = r.id()
			}
		}
		ev.Sources = r.sources()
	}
	return l
}

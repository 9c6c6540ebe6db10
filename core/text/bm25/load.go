package bm25

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/orma-memory/orma/core/text"
)

// ReadFrom replaces the index by the snapshot that r begins with and returns
// the bytes read. The errors are [ErrCorrupt], [ErrVersion] and those of r;
// the index then stays as it was. No bytes make it panic, and the memory it takes
// is bounded by their number.
func (x *Index) ReadFrom(r io.Reader) (int64, error) {
	head := make([]byte, snapshotHeader)
	n, err := io.ReadFull(r, head)
	if err != nil {
		return int64(n), readError(err)
	}
	if string(head[:8]) != snapshotMagic {
		return int64(n), fmt.Errorf("no snapshot begins like this: %w", ErrCorrupt)
	}
	if binary.LittleEndian.Uint32(head[8:]) != snapshotFormat || binary.LittleEndian.Uint32(head[12:]) != text.TokenizerVersion {
		return int64(n), ErrVersion
	}
	size := binary.LittleEndian.Uint64(head[16:])
	if size > math.MaxInt64/2 {
		return int64(n), fmt.Errorf("snapshot of %d bytes: %w", size, ErrCorrupt)
	}
	body, err := readSome(r, size+snapshotTrailer)
	read := int64(n + len(body))
	if err != nil {
		return read, readError(err)
	}
	body, sum := body[:size], body[size:]
	if crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body) != binary.LittleEndian.Uint32(sum) {
		return read, fmt.Errorf("checksum differs: %w", ErrCorrupt)
	}
	loaded, err := decode(body)
	if err != nil {
		return read, err
	}
	x.write.Lock()
	defer x.write.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.dict, x.lists, x.docs, x.sessions = loaded.dict, loaded.lists, loaded.docs, loaded.sessions
	return read, nil
}

func readError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("snapshot ends too soon: %w", ErrCorrupt)
	}
	return fmt.Errorf("read index snapshot: %w", err)
}

// readSome reads size bytes, taking memory only as they come in, for size may
// be a lie.
func readSome(r io.Reader, size uint64) ([]byte, error) {
	const first = 1 << 22
	buf := make([]byte, min(size, first))
	have := 0
	for {
		n, err := io.ReadFull(r, buf[have:])
		have += n
		if err != nil || uint64(have) == size {
			return buf[:have], err
		}
		next := make([]byte, min(size, uint64(4*have)))
		copy(next, buf)
		buf = next
	}
}

// decoder reads varints from a body; after the first mistake it only gives 0.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint(most uint64) uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 && uint64(d.b[0]) <= most {
		v := uint64(d.b[0])
		d.b = d.b[1:]
		return v
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > most {
		d.bad = true
		d.b = nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.bad = true
		d.b = nil
		return nil
	}
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

// decode builds an index from the body of a snapshot.
func decode(body []byte) (*Index, error) {
	d := &decoder{b: body}
	most := uint64(len(body)) // all that is counted takes at least so many bytes each
	docs, sessions := int(d.uint(most/4)), int(d.uint(most/2))
	terms, postings, size := int(d.uint(most/3)), int(d.uint(most)), int(d.uint(most))
	if d.bad || docs >= math.MaxInt32 {
		return nil, fmt.Errorf("counts: %w", ErrCorrupt)
	}
	x := &Index{}
	d.docs(x, docs, sessions)
	if d.bad {
		return nil, fmt.Errorf("documents: %w", ErrCorrupt)
	}
	d.dict(x, terms, size)
	if d.bad {
		return nil, fmt.Errorf("terms: %w", ErrCorrupt)
	}
	if !d.lists(x, postings) || d.bad || len(d.b) != 0 {
		return nil, fmt.Errorf("postings: %w", ErrCorrupt)
	}
	return x, nil
}

// docs reads the table of documents and the sessions, and links them.
func (d *decoder) docs(x *Index, docs, sessions int) {
	t := &x.docs
	t.size, t.reach, t.place = make([]size, docs), make([]reach, docs), make([]place, docs)
	t.session, t.kind = make([]uint32, docs), make([]uint8, docs)
	t.alive = make([]uint64, (docs+63)/64)
	for i := range docs {
		t.size[i].own = uint32(d.uint(math.MaxUint32))
		t.session[i] = uint32(d.uint(uint64(sessions))) - 1
		t.place[i] = place{prev: none, next: none, turn: uint32(d.uint(math.MaxUint32))}
		t.kind[i] = uint8(d.uint(MaxKinds - 1))
	}
	for i, bits := range d.bytes((docs + 7) / 8) {
		t.alive[i/8] |= uint64(bits) << (i % 8 * 8)
	}
	x.sessions = make([]session, sessions)
	for i := range x.sessions {
		x.sessions[i] = session{last: none, turn: d.uint(math.MaxUint64), number: uint32(d.uint(math.MaxUint32))}
	}
	if d.bad || docs%64 != 0 && t.alive[docs/64]>>(docs%64) != 0 {
		d.bad = true
		return
	}
	for i := range docs {
		doc := uint32(i)
		if !t.isLive(doc) {
			t.size[i], t.session[i] = size{}, NoSession
			continue
		}
		t.live++
		t.sumLength += uint64(t.size[i].own)
		if s := t.session[i]; s != NoSession {
			t.link(doc, &x.sessions[s])
		}
	}
	for i := range docs {
		if t.session[i] != NoSession {
			t.survey(uint32(i))
		}
	}
}

// dict reads the terms.
func (d *decoder) dict(x *Index, terms, size int) {
	x.dict = newDict(terms, 0)
	end := uint64(0)
	for range terms {
		end += d.uint(uint64(size))
		x.dict.ends = append(x.dict.ends, uint32(end))
	}
	if end != uint64(size) || end > math.MaxUint32 {
		d.bad = true
		return
	}
	x.dict.bytes = slices.Clone(d.bytes(size)) // so that the snapshot's bytes can go
	if d.bad {
		return
	}
	x.dict.rehash(len(x.dict.slots))
}

// lists reads the postings into one array. It returns false if they are not
// ascending live documents or not as many as promised.
func (d *decoder) lists(x *Index, postings int) bool {
	docs, tfs := make([]uint32, postings), make([]uint8, postings)
	x.lists = make([]list, len(x.dict.ends))
	at := 0
	for i := range x.lists {
		n := int(d.uint(uint64(postings - at)))
		if n == 0 {
			return false
		}
		l := &x.lists[i]
		l.docs, l.tfs = docs[at:at+n:at+n], tfs[at:at+n:at+n]
		l.minLen = math.MaxUint32
		if !d.postings(l, &x.docs) {
			return false
		}
		at += n
	}
	return at == postings
}

// postings reads one list.
func (d *decoder) postings(l *list, t *docTable) bool {
	b := d.b
	next := uint64(0)
	for k := range l.docs {
		var v uint64
		if len(b) > 0 && b[0] < 0x80 {
			v, b = uint64(b[0]), b[1:]
		} else if len(b) > 1 && b[1] < 0x80 {
			v, b = uint64(b[0]&0x7F)|uint64(b[1])<<7, b[2:]
		} else {
			long, n := binary.Uvarint(b)
			if n <= 0 || long > math.MaxUint32 {
				return false
			}
			v, b = long, b[n:]
		}
		doc, tf := next+v>>1, uint8(1)
		if v&1 == 1 {
			if len(b) == 0 {
				return false
			}
			tf, b = b[0], b[1:]
		}
		if doc >= uint64(len(t.size)) || tf == 0 || t.alive[doc>>6]>>(doc&63)&1 == 0 {
			return false
		}
		l.docs[k], l.tfs[k] = uint32(doc), tf
		l.minLen = min(l.minLen, t.size[doc].own)
		l.maxTF = max(l.maxTF, tf)
		next = doc + 1
	}
	d.b = b
	return true
}

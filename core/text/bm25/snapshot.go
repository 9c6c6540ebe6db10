package bm25

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/orma-memory/orma/core/text"
)

// What [Index.ReadFrom] refuses.
var (
	// ErrCorrupt: the bytes are not a whole, undamaged snapshot.
	ErrCorrupt = errors.New("index snapshot is damaged")
	// ErrVersion: another version of the format or of the tokeniser made it.
	// The index must be built again from its texts.
	ErrVersion = errors.New("index snapshot is of another version")
)

// A snapshot is, all numbers little-endian:
//
//	"ormabm25" · u32 format · u32 tokeniser · u64 length of the body
//	body
//	u32 CRC-32C of everything before it
//
// The body holds unsigned varints: the counts of documents, sessions, terms,
// postings and bytes of terms; for each document its length, its session+1 (0
// for none), its turn's number, its kind; the bits of the documents not removed,
// as bytes; for each session its last Turn and that turn's number; for each
// term its length; then the terms' bytes; then for each term its count of
// postings and its postings. A posting is the distance from the document
// before it times two, plus one if the frequency is above 1 and follows.
const (
	snapshotMagic   = "ormabm25"
	snapshotFormat  = 1
	snapshotHeader  = len(snapshotMagic) + 4 + 4 + 8
	snapshotTrailer = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes a snapshot of the index to w and returns the bytes written.
// Terms that no document holds any more are left out. Searches go on
// meanwhile, changes wait.
func (x *Index) WriteTo(w io.Writer) (int64, error) {
	x.write.Lock()
	buf := x.encode()
	x.write.Unlock()
	n, err := w.Write(buf)
	if err != nil {
		return int64(n), fmt.Errorf("write index snapshot: %w", err)
	}
	return int64(n), nil
}

// encode returns the snapshot. The caller holds x.write.
func (x *Index) encode() []byte {
	terms, postings, size := 0, 0, 0
	for id := range x.lists {
		if n := len(x.lists[id].docs); n > 0 {
			terms++
			postings += n
			size += len(x.dict.term(uint32(id)))
		}
	}
	t := &x.docs
	b := make([]byte, snapshotHeader, snapshotHeader+size+2*terms+2*postings+8*len(t.kind)+12*len(x.sessions)+64)
	copy(b, snapshotMagic)
	binary.LittleEndian.PutUint32(b[8:], snapshotFormat)
	binary.LittleEndian.PutUint32(b[12:], text.TokenizerVersion)
	for _, n := range []int{len(t.kind), len(x.sessions), terms, postings, size} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for d := range t.kind {
		b = binary.AppendUvarint(b, uint64(t.size[d].own))
		b = binary.AppendUvarint(b, uint64(t.session[d]+1))
		b = binary.AppendUvarint(b, uint64(t.place[d].turn))
		b = append(b, t.kind[d])
	}
	for i := range (len(t.kind) + 7) / 8 {
		b = append(b, byte(t.alive[i/8]>>(i%8*8)))
	}
	for i := range x.sessions {
		b = binary.AppendUvarint(b, x.sessions[i].turn)
		b = binary.AppendUvarint(b, uint64(x.sessions[i].number))
	}
	b = x.appendTerms(b)
	binary.LittleEndian.PutUint64(b[16:], uint64(len(b)-snapshotHeader))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// appendTerms appends the terms and their postings.
func (x *Index) appendTerms(b []byte) []byte {
	for id := range x.lists {
		if len(x.lists[id].docs) > 0 {
			b = binary.AppendUvarint(b, uint64(len(x.dict.term(uint32(id)))))
		}
	}
	for id := range x.lists {
		if len(x.lists[id].docs) > 0 {
			b = append(b, x.dict.term(uint32(id))...)
		}
	}
	for id := range x.lists {
		l := &x.lists[id]
		if len(l.docs) == 0 {
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(l.docs)))
		next := uint32(0)
		for i, d := range l.docs {
			gap := uint64(d-next) << 1
			next = d + 1
			if l.tfs[i] == 1 {
				b = binary.AppendUvarint(b, gap)
				continue
			}
			b = append(binary.AppendUvarint(b, gap|1), l.tfs[i])
		}
	}
	return b
}

package bm25

import "hash/maphash"

// dict numbers terms. It is an open hash table over one array of bytes: a term
// costs its bytes and some 10 more.
type dict struct {
	seed  maphash.Seed
	bytes []byte
	ends  []uint32 // term i ends here and begins where term i-1 ends
	slots []uint32 // term + 1, 0 if free; the length is a power of two
}

// newDict returns a dictionary with room for n terms of size bytes together.
func newDict(n, size int) dict {
	slots := 16
	for slots*3 < n*4+4 {
		slots *= 2
	}
	return dict{
		seed:  maphash.MakeSeed(),
		bytes: make([]byte, 0, size),
		ends:  make([]uint32, 0, n),
		slots: make([]uint32, slots),
	}
}

func (d *dict) term(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = d.ends[id-1]
	}
	return d.bytes[start:d.ends[id]]
}

// find returns the number of a term.
func (d *dict) find(term string) (id uint32, ok bool) {
	mask := uint64(len(d.slots) - 1)
	for h := maphash.String(d.seed, term) & mask; ; h = (h + 1) & mask {
		slot := d.slots[h]
		if slot == 0 {
			return 0, false
		}
		if string(d.term(slot-1)) == term {
			return slot - 1, true
		}
	}
}

// add returns the number of a term, a new one if it has none.
func (d *dict) add(term []byte) (id uint32, isNew bool) {
	mask := uint64(len(d.slots) - 1)
	h := maphash.Bytes(d.seed, term) & mask
	for ; d.slots[h] != 0; h = (h + 1) & mask {
		if id := d.slots[h] - 1; string(d.term(id)) == string(term) {
			return id, false
		}
	}
	id = uint32(len(d.ends))
	d.bytes = append(d.bytes, term...)
	d.ends = append(d.ends, uint32(len(d.bytes)))
	d.slots[h] = id + 1
	if len(d.ends)*4 > len(d.slots)*3 {
		d.rehash(2 * len(d.slots))
	}
	return id, true
}

// rehash gives the table size slots and puts every term in its place.
func (d *dict) rehash(size int) {
	d.slots = make([]uint32, size)
	mask := uint64(size - 1)
	for id := range d.ends {
		h := maphash.Bytes(d.seed, d.term(uint32(id))) & mask
		for d.slots[h] != 0 {
			h = (h + 1) & mask
		}
		d.slots[h] = uint32(id) + 1
	}
}

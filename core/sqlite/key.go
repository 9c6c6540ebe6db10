package sqlite

import "github.com/orma-memory/orma/core"

// A key is a row's space and its ID in one integer, so that the rows of one space
// lie together in every table and are read in ID order, however many other spaces
// the file has. A stamp is packed the same way from a space and a generation.
//
//	vector key:  5 bits embedder | 21 bits space | 37 bits ID
//	key, stamp:                    21 bits space | 37 bits ID or generation
const (
	idBits       = 37
	spaceBits    = 21
	maxID        = 1<<idBits - 1
	maxSpaces    = 1<<spaceBits - 1
	maxEmbedders = 31
)

func pack(space, id int64) int64 { return space<<idBits | id }

func (sp *spaceRow) key(id core.ID) int64 {
	if id < 0 || id > maxID {
		return -1 // no row has it
	}
	return pack(sp.id, int64(id))
}

// stamp marks a row as changed in the space's present generation.
func (sp *spaceRow) stamp() int64 { return pack(sp.id, sp.gen) }

// lo and hi are the first and last key of the space.
func (sp *spaceRow) lo() int64 { return pack(sp.id, 0) }
func (sp *spaceRow) hi() int64 { return pack(sp.id, maxID) }

func idOf(key int64) core.ID { return core.ID(key & maxID) }

func vectorKey(embedder, key int64) int64 { return embedder<<(spaceBits+idBits) | key }

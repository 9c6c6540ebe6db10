// Package static embeds text with a table of token vectors that is part of the program.
//
// A text's vector is the normalized sum of its tokens' rows. Each row is int8 with a scale; how
// frequent a token is, is folded into it. The table was distilled from all-MiniLM-L6-v2, see the
// folder train. It knows English. Of other scripts it has single letters and [UNK], which say
// nothing of what a word means: a query is embedded without them, so that it is not near to
// whatever else is written in a foreign script.
//
// The table is read where the program's file is mapped, so it costs nothing until it is used.
package static

import (
	"context"
	_ "embed" // for the table
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/wordpiece"
)

//go:embed data/table.bin
var embedded string

// revision is the start of the table's SHA-256, which a test checks.
const revision = "96feed3b5ab3"

// Embedder is the embedder. It is safe for concurrent use.
type Embedder struct {
	table table
	vocab *wordpiece.Vocab
	pool  sync.Pool // of *[]int32

	unknown int32 // the id of [UNK]
}

var _ embed.Embedder = (*Embedder)(nil)

// New returns the embedder. The first one of a process takes about a millisecond, for the vocabulary.
func New() *Embedder {
	t, err := parse(embedded)
	if err != nil {
		panic(err) // a broken build
	}
	e := &Embedder{table: t, vocab: wordpiece.English(), pool: sync.Pool{New: func() any {
		ids := make([]int32, 0, 256)
		return &ids
	}}}
	e.unknown, _ = e.vocab.ID("[UNK]")
	return e
}

// Info returns 256 dimensions and no limit to the length of a text.
func (e *Embedder) Info() embed.Info {
	return embed.Info{ID: "static-256", Revision: revision, Dim: e.table.dim}
}

// Embed implements [embed.Embedder]. A query counts by the tokens that the table has a meaning for, a
// passage by all. A text without such tokens gets a zero vector. It takes about 4 µs for a question
// and allocates nothing.
func (e *Embedder) Embed(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	dim := e.table.dim
	if len(dst) != len(texts)*dim {
		return fmt.Errorf("room of %d for %d texts of %d: %w", len(dst), len(texts), dim, embed.ErrBadCount)
	}
	ids := e.pool.Get().(*[]int32)
	defer e.pool.Put(ids)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := dst[i*dim:][:dim]
		clear(v)
		*ids = e.vocab.Encode((*ids)[:0], text, 0)
		for _, id := range *ids {
			if kind == embed.Query && !e.means(id) {
				continue
			}
			e.table.add(v, id)
		}
		embed.Normalize(v)
	}
	if cap(*ids) > 1<<16 { // one huge text should not stay in memory
		*ids = nil
	}
	return nil
}

// table is a parsed table, still in its file's form: u32 rows, u32 dim, f32 scale[rows], i8 q[rows][dim],
// all little-endian.
type table struct {
	rows, dim int
	scales    string
	values    string
}

var errTable = errors.New("bad table of token vectors")

func parse(file string) (table, error) {
	if len(file) < 8 {
		return table{}, fmt.Errorf("%w: %d bytes", errTable, len(file))
	}
	rows, dim := u32(file), u32(file[4:])
	if rows == 0 || dim == 0 || dim > 1<<13 || uint64(len(file)) != 8+uint64(rows)*(4+uint64(dim)) {
		return table{}, fmt.Errorf("%w: %d bytes for %d rows of %d", errTable, len(file), rows, dim)
	}
	body := file[8:]
	return table{int(rows), int(dim), body[:4*rows], body[4*rows:]}, nil
}

// add adds the row of a token to v.
func (t *table) add(v []float32, id int32) {
	if int(id) >= t.rows {
		return
	}
	scale := math.Float32frombits(u32(t.scales[4*id:]))
	row := t.values[int(id)*t.dim:][:len(v)]
	for i := range v {
		v[i] += float32(float32(int8(row[i])) * scale) // converted lest it be fused: equal bits on every machine
	}
}

func u32(s string) uint32 {
	return binary.LittleEndian.Uint32([]byte(s[:4]))
}

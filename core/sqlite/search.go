package sqlite

import (
	"context"
	"strings"

	"github.com/orma-memory/orma/core"
)

// SearchText returns the k best passages for the OR of terms.
func (s *Store) SearchText(ctx context.Context, space string, terms []string, k int) (hits []core.Hit, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		q := matchAny(sp.id, terms)
		if q == "" || k <= 0 {
			return nil
		}
		return c.each(`SELECT rowid, -rank FROM fulltext WHERE fulltext MATCH ? ORDER BY rank LIMIT ?`, func(r *row) error {
			hits = append(hits, core.Hit{ID: core.ID(r.ColumnInt64(0)), Score: float32(r.ColumnFloat(1))})
			return nil
		}, q, k)
	})
	return hits, err
}

func matchAny(space int64, terms []string) string {
	var b strings.Builder
	for _, t := range terms {
		if b.Len() > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(`"` + termPrefix(space) + strings.ReplaceAll(t, `"`, `""`) + `"`)
	}
	return b.String()
}

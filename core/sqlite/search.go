package sqlite

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/orma-memory/orma/core"
)

// BM25 with the usual parameters. Robertson and Zaragoza, "The Probabilistic
// Relevance Framework: BM25 and Beyond" (2009); the idf is the form that is never
// negative, as Lucene has it.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// SearchText returns the k best passages for the OR of terms, best first, ties by
// ID. The score is BM25 over the passages of this space alone: FTS5's own ranking
// would count those of all, and costs ten times as much a row.
func (s *Store) SearchText(ctx context.Context, space string, terms []string, k int) (hits []core.Hit, err error) {
	if k <= 0 {
		return nil, nil
	}
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		found, err := c.postings(sp, terms)
		if err != nil || len(found) == 0 {
			return err
		}
		found, err = c.score(sp, found)
		if err != nil {
			return err
		}
		slices.SortFunc(found, func(a, b posting) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
		})
		for _, p := range found {
			// Terms of what is quarantined stay in the index: it has no texts to make them from.
			hidden, ok, err := c.one("SELECT e.quarantined FROM passages p JOIN episodes e ON e.key = p.episode WHERE p.key = ?", pack(sp.id, p.id))
			if err != nil {
				return err
			}
			if !ok || hidden != 0 {
				continue
			}
			if hits = append(hits, core.Hit{ID: core.ID(p.id), Score: float32(p.score)}); len(hits) == k {
				break
			}
		}
		return nil
	})
	return hits, err
}

// posting is one passage that has a term; score holds the term's idf until the
// passages are scored.
type posting struct {
	id    int64
	tf    int
	score float64
}

// postings reads the rows of each term, which lie together in the index.
func (c *conn) postings(sp *spaceRow, terms []string) (found []posting, err error) {
	n, err := c.count("SELECT passages FROM spaces WHERE id = ?", sp.id)
	if err != nil {
		return nil, err
	}
	prefix := termPrefix(sp.id)
	seen := map[string]bool{}
	for _, term := range terms {
		term = asciiLower(term)
		if term == "" || seen[term] {
			continue
		}
		seen[term] = true
		first := len(found)
		if err := c.each("SELECT doc FROM fulltext_terms WHERE term = ?", func(r *row) error {
			id := r.ColumnInt64(0)
			if len(found) > first && found[len(found)-1].id == id {
				found[len(found)-1].tf++
			} else {
				found = append(found, posting{id: id, tf: 1})
			}
			return nil
		}, prefix+term); err != nil {
			return nil, err
		}
		df := float64(len(found) - first)
		idf := math.Log1p((float64(n) - df + 0.5) / (df + 0.5))
		for i := first; i < len(found); i++ {
			found[i].score = idf
		}
	}
	return found, nil
}

// score adds the postings of each passage up, one a passage.
func (c *conn) score(sp *spaceRow, found []posting) ([]posting, error) {
	slices.SortStableFunc(found, func(a, b posting) int { return cmp.Compare(a.id, b.id) })
	var total, n float64
	if err := c.each("SELECT terms, passages FROM spaces WHERE id = ?", func(r *row) error {
		total, n = r.ColumnFloat(0), r.ColumnFloat(1)
		return nil
	}, sp.id); err != nil {
		return nil, err
	}
	average := max(total, 1) / max(n, 1)
	// A search a row costs about as much as stepping over five.
	lengths, err := c.cursor("SELECT key, terms FROM passages ", "", float64(len(found)) > n/5, sp.lo(), sp.hi())
	if err != nil {
		return nil, err
	}
	defer lengths.reset()
	out := found[:0]
	var norm float64
	for i, p := range found {
		if i == 0 || p.id != out[len(out)-1].id {
			r, err := lengths.seek(pack(sp.id, p.id))
			if err != nil {
				return nil, err
			}
			length := average
			if r != nil {
				length = r.ColumnFloat(1)
			}
			norm = bm25K1 * (1 - bm25B + bm25B*length/average)
			out = append(out, posting{id: p.id})
		}
		tf := float64(p.tf)
		out[len(out)-1].score += p.score * tf * (bm25K1 + 1) / (tf + norm)
	}
	return out, nil
}

// asciiLower folds as the index does.
func asciiLower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

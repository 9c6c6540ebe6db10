package index

import "slices"

// floorSample is how many rows the noise floor is taken from, and floorLeast how many
// there must be.
const (
	floorSample = 500
	floorLeast  = 50
)

// Floor is part of [frame.Floored]: the median cosine of the query to rows of the
// space, a fixed sample of them. It is of the query, not of the space: pairs of rows
// are alike by who speaks and how long, and where a topic is frequent they are all
// near, so that a floor from them hides evidence and paraphrases of just that topic.
func (v *View) Floor(embedder string) (float32, bool) {
	q, err := v.vectorOf(embedder)
	if q == nil || err != nil || len(v.s.vecDocs) < floorLeast {
		return 0, false
	}
	n := len(v.s.vecDocs)
	rows := make([]uint32, 0, floorSample)
	for i := range min(n, floorSample) {
		rows = append(rows, uint32(i*n/min(n, floorSample)))
	}
	cosines := make([]float32, len(rows))
	if err := v.s.vecs.Dots(q, rows, cosines); err != nil {
		return 0, false
	}
	slices.Sort(cosines)
	return cosines[len(cosines)/2], true
}

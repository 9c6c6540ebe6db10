package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// SoftContextFeature is the column that [SoftContext] writes.
var SoftContextFeature = frame.Column{Name: "soft_context", Kind: frame.KindF32, Doc: "share of the query that like words of the row and its neighbours cover, 0 to 1"}

// SoftContext prefers rows that say what the query says, in other words too.
var SoftContext = channelFeature(component.About{
	Name:    "soft_context",
	Summary: "Prefer rows that say what the query says, in these or other words",
	Doc: `
Late interaction (Khattab and Zaharia, "ColBERT", 2020) over word vectors instead of a
transformer's: each word of the query that is no stop word counts by how like the
most like word of the row is, and by its inverse document frequency:
Σ idf(w) · m(w) / Σ idf(w). An answer is often split over turns, so m(w) is the
greatest of the row's own likeness, 0.9 times that of the row before, 0.8 times that
of the one before it, and 0.5 times that of the row after, in the same session.

Of all features it carries most: a word and its synonym meet where BM25 finds nothing
and one vector for the whole row has lost them. Likenesses are cosines of the static
table's vectors; a row without such words has 0.

The score is multiplied by e^(weight · feature).`,
}, SoftContextFeature, 8.43)

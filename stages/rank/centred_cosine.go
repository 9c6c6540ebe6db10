package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// CentredCosineFeature is the column that [CentredCosine] writes.
var CentredCosineFeature = frame.Column{Name: "centred_cosine", Kind: frame.KindF32, Doc: "cosine of query and row less what the whole space has in common, -1 to 1"}

// CentredCosine compares what is particular to a row with what is particular to the query.
var CentredCosine = vectorFeature(component.About{
	Name:    "centred_cosine",
	Summary: "Prefer rows whose meaning is near, less what the whole space has in common",
	Doc: `
The cosine of (row - mean) and (query - mean), where mean is the sum of the space's
vectors over their number plus 20, so that a small space has none. What every row has,
such as a topic or a way of speaking, says nothing about one of them; without it, two
rows that have nothing else in common have a cosine near 0 (Mu and Viswanath,
"All-but-the-top", 2018).

The score is multiplied by e^(weight · feature).`,
}, CentredCosineFeature, 2.6)

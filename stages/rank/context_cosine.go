package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// ContextCosineFeature is the column that [ContextCosine] writes.
var ContextCosineFeature = frame.Column{Name: "context_cosine", Kind: frame.KindF32, Doc: "cosine of the query and the row with half of its neighbours, -1 to 1"}

// ContextCosine compares the query with a row in its place.
var ContextCosine = vectorFeature(component.About{
	Name:    "context_cosine",
	Summary: "Prefer rows whose meaning, with the rows around them, is near",
	Doc: `
The cosine of the query and the unit vector of row + (before + after)/2, within the
session: a short row means what it means where it stands.

The score is multiplied by e^(weight · feature).`,
}, ContextCosineFeature, 3.66)

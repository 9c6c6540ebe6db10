package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// BeforeLengthFeature is the column that [BeforeLength] writes.
var BeforeLengthFeature = frame.Column{Name: "before_length", Kind: frame.KindF32, Doc: "length of the row before, ln(1 + words)/4"}

// BeforeLength weighs how much was said just before a row.
var BeforeLength = channelFeature(component.About{
	Name:    "before_length",
	Summary: "Lower rows that follow a long one",
	Doc: `
The feature is ln(1 + words)/4 of the row before in the session, without stop words, at
most 1, and 0 for the first. A long row before has more words for soft_context to find
one of the query's like among; this takes that back, so the weight is below 0.

The score is multiplied by e^(weight · feature).`,
}, BeforeLengthFeature, -1.8)

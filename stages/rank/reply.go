package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// ReplyFeature is the column that [Reply] writes.
var ReplyFeature = frame.Column{Name: "reply", Kind: frame.KindF32, Doc: "cosine of the query and the question that the row answers, else 0"}

// Reply prefers answers to a question like the query.
var Reply = vectorFeature(component.About{
	Name:    "reply",
	Summary: "Prefer rows that answer a question like the query",
	Doc: `
If the row before holds a question mark, the feature is its cosine to the query, else
0: what was once asked in about these words was answered right after.

The score is multiplied by e^(weight · feature).`,
}, ReplyFeature, 2.4)

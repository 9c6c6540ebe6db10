package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// QuestionFeature is the column that [Question] writes.
var QuestionFeature = frame.Column{Name: "question", Kind: frame.KindF32, Doc: "1 where the row asks something"}

// Question lowers rows that ask instead of tell.
var Question = channelFeature(component.About{
	Name:    "question",
	Summary: "Lower rows that ask: an earlier question is no answer",
	Doc: `
The feature is 1 for a row that holds a question mark of any script. A question looks
like the query more than its answer does, so the weight is below 0.

The score is multiplied by e^(weight · feature).`,
}, QuestionFeature, -0.84)

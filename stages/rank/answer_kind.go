package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// AnswerKindFeature is the column that [AnswerKind] writes.
var AnswerKindFeature = frame.Column{Name: "answer_kind", Kind: frame.KindF32, Doc: "1 where the row holds the kind of thing that the query asks for"}

// AnswerKind prefers rows that hold the kind of thing that is asked for.
var AnswerKind = channelFeature(component.About{
	Name:    "answer_kind",
	Summary: "Prefer rows that hold the kind of thing that the query asks for",
	Doc: `
The feature is 1, else 0, for a row that can answer a query of its kind:

- it asks when (when, how long, which month), and the row has a word for a time: a
  weekday, a month, yesterday, ago, last week;
- it asks how many, how much or how often, and the row has a digit;
- it asks for a place or a name (where, which city, what is it called), and the row
  has a word with a capital letter that does not begin a sentence.

The score is multiplied by e^(weight · feature).`,
}, AnswerKindFeature, 1.68)

package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// AssistantFeature is the column that [Assistant] writes.
var AssistantFeature = frame.Column{Name: "assistant", Kind: frame.KindF32, Doc: "1 where the assistant or a tool said the row and the query is about the user, 0.5 where it is about nobody"}

// Assistant lowers what the assistant said where the user is asked about.
var Assistant = channelFeature(component.About{
	Name:    "assistant",
	Summary: "Lower what the assistant said, unless the query asks for it",
	Doc: `
What the user told is in the user's words; the long answers around them repeat the words of
the topic and know nothing of the user. The feature is that of rows of an assistant or a
tool, and 0 for all others: 1 if the query is about the user (I, my, we), 0.5 if it says of
nobody, and 0 if it asks for what was answered ("which hotel did you suggest?", "in our
last conversation"). The weight is below 0.

The score is multiplied by e^(weight · feature).`,
}, AssistantFeature, -4)

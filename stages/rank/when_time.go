package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// WhenTimeFeature is the column that [WhenTime] writes.
var WhenTimeFeature = frame.Column{Name: "when_time", Kind: frame.KindF32, Doc: "1 where the query asks when and the row has a word for a time"}

// WhenTime prefers rows that can say when.
var WhenTime = channelFeature(component.About{
	Name:    "when_time",
	Summary: "Prefer rows with a word for a time where the query asks when",
	Doc: `
The feature is 1 where the query asks for a time (when, how long, which month) and the
row has a word for one: a weekday, a month, yesterday, ago, last week; else 0.

The score is multiplied by e^(weight · feature).`,
}, WhenTimeFeature, 2.1)

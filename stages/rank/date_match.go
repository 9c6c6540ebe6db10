package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// DateMatchFeature is the column that [DateMatch] writes.
var DateMatchFeature = frame.Column{Name: "date_match", Kind: frame.KindF32, Doc: "nearness of the row's day to the date that the query names, 0 to 1"}

// DateMatch prefers rows of the time that the query names.
var DateMatch = channelFeature(component.About{
	Name:    "date_match",
	Summary: "Prefer rows of the time that the query names",
	Doc: `
Where the query names a day, a month or another stretch of days, the feature is 1 for
rows that were said in it, e^(-d/7) for those said d days after its end and e^(-d/3)
for those d days before its start: people tell of things afterwards. A year alone
counts half. It is 0 everywhere for a query without a date.

The score is multiplied by e^(weight · feature).`,
}, DateMatchFeature, 5.26)

package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// DateFeature is the column that [Date] writes.
var DateFeature = frame.Column{Name: "date", Kind: frame.KindF32, Doc: "nearness of the row's day to the date that the query names, 0 to 1"}

// Date prefers rows of the time that the query names.
var Date = channelFeature(component.About{
	Name:    "date",
	Summary: "Prefer rows of the time that the query names",
	Doc: `
Where the query names a day, the feature is e^(-d/7) for a row that was said d days
after it and e^(-d/3) for one d days before; where it names a month, 1 in that month
and 0.5 in the first ten days of the next, since people tell of things afterwards; for
a year alone 0.5. It is 0 everywhere for a query without a date.

The score is multiplied by e^(weight · feature).`,
}, DateFeature, 4.9)

package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// WhereNameFeature is the column that [WhereName] writes.
var WhereNameFeature = frame.Column{Name: "where_name", Kind: frame.KindF32, Doc: "1 where the query asks for a place or name and the row has one"}

// WhereName prefers rows that can say where or what it is called.
var WhereName = channelFeature(component.About{
	Name:    "where_name",
	Summary: "Prefer rows with a name where the query asks for a place or a name",
	Doc: `
The feature is 1 where the query asks for a place or a name (where, which city, what is
it called) and the row has a word with a capital letter that does not begin a
sentence; else 0.

The score is multiplied by e^(weight · feature).`,
}, WhereNameFeature, 1.2)

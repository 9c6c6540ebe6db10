package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// Named is the column that [Speaker] writes. The column [frame.Speaker] is another
// thing: who said a row.
var Named = frame.Column{Name: "named", Kind: frame.KindF32, Doc: "1 where the query names one person and the row is theirs"}

// Speaker prefers what the person said that the query names.
var Speaker = channelFeature(component.About{
	Name:    "speaker",
	Summary: "Prefer rows of the one person that the query names",
	Doc: `
Where the query names exactly one of the space's speakers or people, the feature is
1 for rows that they said or that are about them, else 0; where it names several or
none, it is 0 everywhere. The score is multiplied by e^(weight · feature).`,
}, Named, 0.8)

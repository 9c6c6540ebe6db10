package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// Named is the column that [Speaker] writes. The column [frame.Speaker] is another
// thing: who said a row.
var Named = frame.Column{Name: "named", Kind: frame.KindF32, Doc: "1 where the row is the one person's whom the query names, 0.5 for the first of two"}

// Speaker prefers what was said by the person whom the query names.
var Speaker = channelFeature(component.About{
	Name:    "speaker",
	Summary: "Prefer rows of the one person whom the query names",
	Doc: `
Where the query names exactly one of the space's speakers or people, the feature is
1 for rows that they said or that are about them; where it names two, it is 0.5 for
those of the first; else 0. The score is multiplied by e^(weight · feature).`,
}, Named, 1.15)

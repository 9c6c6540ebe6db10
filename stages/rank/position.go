package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// PositionFeature is the column that [Position] writes.
var PositionFeature = frame.Column{Name: "position", Kind: frame.KindF32, Doc: "place in the session, ln(1 + rows before)/4"}

// Position weighs where in its session a row stands.
var Position = channelFeature(component.About{
	Name:    "position",
	Summary: "Prefer rows near the start of their session",
	Doc: `
The feature is ln(1 + n)/4 for a row with n rows before it in its session, at most 1.
News come first and farewells last, so the weight is below 0.

The score is multiplied by e^(weight · feature).`,
}, PositionFeature, -0.44)

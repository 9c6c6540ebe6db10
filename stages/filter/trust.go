package filter

import (
	"fmt"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// The range of column [frame.Trust].
const (
	lowestTrust  = 1
	highestTrust = 6
)

// Trust drops rows that come from less trusted sources than asked for.
var Trust = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "trust",
		Summary: "Drop rows from sources below a level of trust",
		Doc: `
Trust follows the source of a row: 1 tool, 2 assistant, 3 import, 4 document, 5 note,
6 user. Rows below min are dropped.`,
	}, TrustParams{Min: lowestTrust}, newTrust),
	Reads:   []frame.Column{frame.Trust},
	Effect:  pipeline.Drops,
	Neutral: TrustParams{Min: lowestTrust},
}

// TrustParams are the keys of a trust table.
type TrustParams struct {
	Min int `toml:"min" doc:"lowest level that stays, 1 to 6"`
}

// Validate reports parameters outside their range.
func (p *TrustParams) Validate() error {
	if p.Min < lowestTrust || p.Min > highestTrust {
		return fmt.Errorf("min must be between %d and %d", lowestTrust, highestTrust)
	}
	return nil
}

func newTrust(p TrustParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		trust := f.I64(frame.Trust)
		f.Keep(func(row int32) bool { return trust[row] >= int64(p.Min) })
	}), nil
}

package main

import (
	"errors"
	"math"

	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
)

func log1p(x float64) float64 { return math.Log1p(x) }

// curves holds a curve for each kind of row.
type curves struct {
	byItem [3]curve // passage, state, event
	share  float64
}

// Manifest says what the plugin is.
func (c *curves) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "recency_curve", Version: "1.0.0", Contract: abi.Rank,
		Summary: "Multiply the score by a curve over age, one for each kind of row",
		Doc: `
A curve is a list of DAYS:FACTOR, such as "1:1.5, 7:1.2, 90:1". Between two points it is
straight over the logarithm of age; before the first and after the last it is flat. An
empty curve leaves its rows alone. A row's new score is

    score × ((1 − share) + share × factor)

Ages below zero, which are times in the future, count as zero.`,
		Columns: []abi.Column{
			{Name: "score", Kind: abi.F32, Read: true, Write: true},
			{Name: "age_days", Kind: abi.F32, Read: true},
			{Name: "item", Kind: abi.I64, Read: true},
		},
		Params: []abi.Param{
			{Name: "passages", Kind: abi.String, Doc: "curve of passages", Text: "1:1.3, 7:1.15, 60:1"},
			{Name: "states", Kind: abi.String, Doc: "curve of states"},
			{Name: "events", Kind: abi.String, Doc: "curve of events", Text: "1:1.2, 30:1"},
			{Name: "share", Kind: abi.Number, Doc: "how much of the curve counts", Default: 1, Max: 1, HasNeutral: true},
		},
	}
}

// Configure reads the curves.
func (c *curves) Configure(p *guest.Params) error {
	c.share = p.Number("share")
	for i, name := range []string{"passages", "states", "events"} {
		var err error
		if c.byItem[i], err = parseCurve(p.String(name)); err != nil {
			return errors.New(name + ": " + err.Error())
		}
	}
	return nil
}

// Rank multiplies the scores.
func (c *curves) Rank(f *guest.Frame) error {
	score, age, item := f.F32("score"), f.F32("age_days"), f.I64("item")
	for i := range score {
		if item[i] < 0 || item[i] >= int64(len(c.byItem)) {
			continue
		}
		factor := (1 - c.share) + c.share*c.byItem[item[i]].at(float64(age[i]))
		// A factor above 1 must not push a huge score out of range.
		score[i] = float32(math.Min(float64(score[i])*factor, math.MaxFloat32))
	}
	return nil
}

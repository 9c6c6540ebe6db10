package engine

import (
	"context"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// Quarantined says what a quarantine, or its release, touched.
type Quarantined struct {
	core.Receipt
	Gone []Fact `json:"gone"` // facts that held before and do not any more
	Back []Fact `json:"back"` // facts that hold again
}

// Quarantine takes all that came from a source since a moment out of recall, with what
// was made of it, or puts it back. It can be undone. The zero time is the beginning.
func (e *Engine) Quarantine(ctx context.Context, space, source string, since time.Time, hide bool) (Quarantined, error) {
	space, err := Space(space)
	if err != nil {
		return Quarantined{}, err
	}
	if source == "" {
		return Quarantined{}, core.Errorf(core.CodeInvalid, "no source is named").Hinted("search --json shows the source of each line")
	}
	before, err := e.Facts(ctx, FactsRequest{Space: space})
	if err != nil {
		return Quarantined{}, err
	}
	rc, err := e.o.Store.Quarantine(ctx, space, source, since, e.o.Now(), hide)
	if err != nil {
		return Quarantined{}, err
	}
	after, err := e.Facts(ctx, FactsRequest{Space: space})
	return Quarantined{Receipt: rc, Gone: without(before, after), Back: without(after, before)}, err
}

// without returns the facts that are not in another list.
func without(facts, other []Fact) []Fact {
	out := []Fact{}
	for _, f := range facts {
		if !slices.ContainsFunc(other, func(o Fact) bool { return o.ID == f.ID }) {
			out = append(out, f)
		}
	}
	return out
}

// Package sleep holds the stages of the sleep pipeline, one file each.
//
// extract proposes items; cite, ground, holder and date check them against the
// lines they rest on; gate decides what they change, and commit turns that into
// the plan. Between extract and commit any stage may be left out or replaced,
// except that nothing reaches the store without a cited line.
package sleep

import (
	sl "github.com/orma-memory/orma/core/sleep"
)

// All returns the specs of all stages, in the usual order.
func All() []sl.Spec {
	return []sl.Spec{Extract, Cite, Ground, Holder, Date, Gate, Commit}
}

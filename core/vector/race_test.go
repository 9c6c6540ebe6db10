//go:build race

package vector

// raceEnabled says that sync.Pool drops items at random, so that allocations are no sign of anything.
const raceEnabled = true

//go:build !purego

package vector

// dotRowsFast runs the NEON kernel, which every arm64 CPU has.
func dotRowsFast(q []int16, rows []int8, out []int32) bool {
	dotRowsNEON(&q[0], &rows[0], len(q), len(out), &out[0])
	return true
}

// dotRowsNEON needs dim, a multiple of 8, and n to be at least 8 and 1.
//
//go:noescape
func dotRowsNEON(q *int16, rows *int8, dim, n int, out *int32)

//go:build !purego

package vector

import "golang.org/x/sys/cpu"

// dotRowsFast runs the AVX2 kernel, or reports that this CPU has none.
func dotRowsFast(q []int16, rows []int8, out []int32) bool {
	if !cpu.X86.HasAVX2 {
		return false
	}
	dotRowsAVX2(&q[0], &rows[0], len(q), len(out), &out[0])
	return true
}

// dotRowsAVX2 needs dim, a multiple of 8, and n to be at least 8 and 1.
//
//go:noescape
func dotRowsAVX2(q *int16, rows *int8, dim, n int, out *int32)

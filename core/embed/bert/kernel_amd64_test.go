//go:build !purego

package bert

import "golang.org/x/sys/cpu"

func panelKernels() map[string]func([]int16, int, int, []int8, []int32) {
	m := map[string]func([]int16, int, int, []int8, []int32){"best": panelDots}
	if cpu.X86.HasAVX2 {
		m["avx2"] = func(x []int16, rows, k int, w []int8, out []int32) {
			panelDotsAVX2(&x[0], rows/rowGroup, k, &w[0], &out[0])
		}
	}
	return m
}

//go:build purego || !amd64

package bert

func panelKernels() map[string]func([]int16, int, int, []int8, []int32) {
	return map[string]func([]int16, int, int, []int8, []int32){"best": panelDots}
}

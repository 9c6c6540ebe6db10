//go:build purego || !(amd64 || arm64)

package bert

// There are no kernels for this machine.

func panelDotsFast([]int16, int, int, []int8, []int32) bool { return false }

func rowDotsFast(_, _ []int16, _ []int32) bool { return false }

func largestBitsFast([]float32) (uint32, bool) { return 0, false }

func scaleToIntsFast([]int16, []float32, float32) bool { return false }

func finishPanelFast([]float32, int, []int32, []float32, []float32, []float32) bool { return false }

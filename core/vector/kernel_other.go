//go:build purego || !(amd64 || arm64)

package vector

// dotRowsFast reports that there is no kernel for this machine.
func dotRowsFast([]int16, []int8, []int32) bool { return false }

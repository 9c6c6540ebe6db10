// Package filter holds the stages that take rows, or part of what speaks for them,
// out of the running.
//
// Each file is one stage; its test is the file of the same name. The live rows come
// in no particular order: a stage that cares which of two rows is better compares
// their scores, ties to the lower id.
package filter

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/orma-memory/orma/core/frame"
)

// byScore appends the live rows, best first, ties to the lower id.
func byScore(dst []int32, f *frame.Frame) []int32 {
	score, id := f.F32(frame.Score), f.I64(frame.ID)
	dst = append(dst, f.Order()...)
	slices.SortFunc(dst, func(a, b int32) int {
		if d := cmp.Compare(score[b], score[a]); d != 0 {
			return d
		}
		return cmp.Compare(id[a], id[b])
	})
	return dst
}

// checkRange reports a parameter that is not in [lo, hi], NaN among them.
func checkRange(key string, v, lo, hi float32) error {
	if !(v >= lo && v <= hi) {
		return fmt.Errorf("%s must be between %v and %v", key, lo, hi)
	}
	return nil
}

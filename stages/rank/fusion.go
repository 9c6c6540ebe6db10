package rank

import (
	"errors"
	"fmt"

	"github.com/orma-memory/orma/core/frame"
)

// The channels that rrf and score_fusion weigh, in the order of their weights.
const (
	fuseText = iota
	fuseContext
	fuseVector
	fuseSessionText
	fuseSessionVector
	fuseLink
	fusionChannels
)

// fusionKeys are the channels' names in parameters.
var fusionKeys = [fusionChannels]string{"text", "context", "vector", "session_text", "session_vector", "link"}

// FusionColumns returns the channels that fusion can weigh, in the order of their
// keys in a table: text, context, vector, session_text, session_vector, link.
func FusionColumns() []frame.Column {
	return []frame.Column{frame.BM25, frame.Context, frame.Cosine, frame.SessionText, frame.SessionCosine, frame.Link}
}

func fusionValues(f *frame.Frame) [fusionChannels][]float32 {
	return [...][]float32{
		f.F32(frame.BM25), f.F32(frame.Context), f.F32(frame.Cosine),
		f.F32(frame.SessionText), f.F32(frame.SessionCosine), f.F32(frame.Link),
	}
}

// checkFusionWeights wants every weight in range and one that counts.
func checkFusionWeights(ws [fusionChannels]float32, lo, hi float32) error {
	var any bool
	for i, w := range ws {
		if err := checkRange(fusionKeys[i], w, lo, hi); err != nil {
			return err
		}
		any = any || w > 0
	}
	if !any {
		return errors.New("one weight must be above 0")
	}
	return nil
}

// Normalise writes a channel's values to dst as shares of the best live row's, in
// [0, 1]; values below zero count as zero. This is what a weight of score_fusion
// multiplies, and so what a fit of those weights must see.
func Normalise(dst, values []float32, live []int32) {
	top := float32(0)
	for _, r := range live {
		top = max(top, values[r])
	}
	if top <= 0 {
		clear(dst[:len(values)])
		return
	}
	for i, v := range values { // a row that was dropped may be above the best
		dst[i] = min(1, max(0, v)/top)
	}
}

func fusionError(key, value, want string) error {
	return fmt.Errorf("%s %q is not known, want %s", key, value, want)
}

package eval

import (
	"math"
	"slices"
)

// Ranking is one question's answer: the keys returned, best first and each once,
// and the keys of its evidence.
type Ranking struct {
	Keys     []string
	Evidence []string
}

// first returns the first k keys.
func (r Ranking) first(k int) []string { return r.Keys[:min(k, len(r.Keys))] }

func (r Ranking) found(k int) int {
	n := 0
	for _, e := range r.Evidence {
		if slices.Contains(r.first(k), e) {
			n++
		}
	}
	return n
}

// RecallAt is the fraction of the evidence among the first k keys.
func (r Ranking) RecallAt(k int) float64 {
	return float64(r.found(k)) / float64(len(r.Evidence))
}

// AnyAt is 1 if some evidence is among the first k keys.
func (r Ranking) AnyAt(k int) float64 { return indicator(r.found(k) > 0) }

// AllAt is 1 if all evidence is among the first k keys.
func (r Ranking) AllAt(k int) float64 { return indicator(r.found(k) == len(r.Evidence)) }

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// MRR is 1 / the rank of the first key that is evidence, 0 if none is.
func (r Ranking) MRR() float64 {
	for i, k := range r.Keys {
		if slices.Contains(r.Evidence, k) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// discount is a rank's weight in a DCG; rank counts from 1.
type discount func(rank int) float64

// DiscountLog is the usual discount, 1/log2(rank+1) (Järvelin and Kekäläinen 2002).
func DiscountLog(rank int) float64 { return 1 / math.Log2(float64(rank+1)) }

// DiscountLongMemEval is that of LongMemEval's own evaluation: the first two ranks
// weigh 1, then 1/log2(rank).
func DiscountLongMemEval(rank int) float64 {
	if rank == 1 {
		return 1
	}
	return 1 / math.Log2(float64(rank))
}

// NDCGAt is the normalised discounted cumulative gain over the first k keys, with
// gain 1 for evidence.
func (r Ranking) NDCGAt(k int, d discount) float64 {
	var dcg, ideal float64
	for i, key := range r.first(k) {
		if slices.Contains(r.Evidence, key) {
			dcg += d(i + 1)
		}
	}
	for i := range min(k, len(r.Evidence)) {
		ideal += d(i + 1)
	}
	if ideal == 0 {
		return 0
	}
	return dcg / ideal
}

// Mean returns the mean of f over the rankings, 0 for none.
func Mean(rs []Ranking, f func(Ranking) float64) float64 {
	if len(rs) == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range rs {
		sum += f(r)
	}
	return sum / float64(len(rs))
}

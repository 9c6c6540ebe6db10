package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples of a bootstrap. With 2,000 the ends of an interval move by about a
// tenth of its width between seeds.
const resamples = 2000

// Interval is a 95 % confidence interval.
type Interval [2]float64

// Bootstrap returns the percentile interval of the mean of values under resampling
// (Efron 1979). Equal values and seed give equal intervals.
func Bootstrap(values []float64, seed uint64) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(values))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[r.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	at := func(q float64) float64 { return means[int(q*float64(resamples-1))] }
	return Interval{at(0.025), at(0.975)}
}

// Spread returns the standard deviation between groups, such as conversations.
func Spread(means []float64) float64 {
	if len(means) < 2 {
		return 0
	}
	mean, sum := 0.0, 0.0
	for _, m := range means {
		mean += m / float64(len(means))
	}
	for _, m := range means {
		sum += (m - mean) * (m - mean)
	}
	return math.Sqrt(sum / float64(len(means)-1))
}

// Percentile returns the q-th quantile (0 to 1) of values by the nearest rank.
func Percentile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	i := int(math.Ceil(q*float64(len(s)))) - 1
	return s[max(0, min(i, len(s)-1))]
}

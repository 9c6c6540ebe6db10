package main

import (
	"errors"
	"strconv"
	"strings"
)

// point is one corner of a curve.
type point struct{ days, factor float64 }

// curve is a line through points, flat before the first and after the last. Between two
// points it is straight over the logarithm of age, as forgetting is.
type curve []point

// parseCurve reads "1:1.5, 7:1.2, 90:1": days and factor, days ascending.
func parseCurve(s string) (curve, error) {
	var c curve
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		d, f, ok := strings.Cut(part, ":")
		days, err := strconv.ParseFloat(strings.TrimSpace(d), 64)
		factor, err2 := strconv.ParseFloat(strings.TrimSpace(f), 64)
		switch {
		case !ok || err != nil || err2 != nil:
			return nil, errors.New(`"` + strings.TrimSpace(part) + `" is not DAYS:FACTOR, such as 7:1.2`)
		case !(days >= 0 && days <= 1e6): // NaN too
			return nil, errors.New(d + " days is not 0 to 1000000")
		case !(factor >= 0 && factor <= 100):
			return nil, errors.New(f + " is not a factor of 0 to 100")
		case len(c) > 0 && days <= c[len(c)-1].days:
			return nil, errors.New("the days of a curve must ascend")
		}
		c = append(c, point{days, factor})
	}
	if len(c) > 64 {
		return nil, errors.New("a curve has at most 64 points")
	}
	return c, nil
}

// at returns the factor at an age. Ages below 0 are the future: they count as 0.
func (c curve) at(days float64) float64 {
	if len(c) == 0 {
		return 1
	}
	if days <= c[0].days {
		return c[0].factor
	}
	for i := 1; i < len(c); i++ {
		a, b := c[i-1], c[i]
		if days < b.days {
			return a.factor + (b.factor-a.factor)*(log1p(days)-log1p(a.days))/(log1p(b.days)-log1p(a.days))
		}
	}
	return c[len(c)-1].factor
}

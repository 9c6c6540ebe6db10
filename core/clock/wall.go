package clock

import "time"

// wall returns the instant at which clocks in zone, nil for UTC, show d and
// the time of day. Where they show it twice it is the first time; where they
// jump over it, it is the moment of the jump if the time is midnight and else
// the time as far after the jump as the clocks would have shown.
//
// [time.Date] leaves both choices open.
func wall(d Date, ofDay time.Duration, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	utc := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Add(ofDay)
	// Zones change their offset at most once in two days around here.
	_, before := utc.Add(-36 * time.Hour).In(zone).Zone()
	_, after := utc.Add(36 * time.Hour).In(zone).Zone()
	first := utc.Add(-time.Duration(max(before, after)) * time.Second).In(zone)
	second := utc.Add(-time.Duration(min(before, after)) * time.Second).In(zone)
	switch {
	case shows(first, utc):
		return first
	case shows(second, utc):
		return second
	case ofDay == 0: // the first instant of a day without midnight
		return jump(first, second)
	default:
		return utc.Add(-time.Duration(before) * time.Second).In(zone)
	}
}

// shows reports whether the clocks at t show what utc shows in UTC.
func shows(t, utc time.Time) bool {
	_, off := t.Zone()
	return t.Add(time.Duration(off) * time.Second).Equal(utc)
}

// jump returns the second at which the offset changes between a and b.
func jump(a, b time.Time) time.Time {
	_, off := a.Zone()
	for b.Sub(a) > time.Second {
		mid := a.Add(b.Sub(a) / 2).Truncate(time.Second)
		if _, o := mid.Zone(); o == off {
			a = mid
		} else {
			b = mid
		}
	}
	return b
}

package clock

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// timeLayouts are the dates with a time of day that [ParseTime] reads, with and
// without a zone. Fractions of a second are read after any seconds.
var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700",
	"2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 Z0700",
}

var localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04"}

// ParseTime reads a point in time: RFC 3339 (also with a space for the T,
// without seconds, or with an offset without colon), the same without a zone,
// a day (its first instant), or a number of seconds since 1970, which may have
// a fraction; from 10¹¹ on a number counts milliseconds, and one that may be a
// year or a date without hyphens is refused. What has no zone is in
// the one given, nil for UTC: a time that the clocks show twice is the first,
// one they jump over is as far behind the jump. A leap second is the one after it.
//
// The result is in the zone that was read or given and of the years 1 to 9999.
func ParseTime(s string, zone *time.Location) (time.Time, error) {
	text := strings.TrimSpace(s)
	if text == "" {
		return time.Time{}, fmt.Errorf("empty time")
	}
	text, leap := leapSecond(text)
	t, err := parseTime(text, zone)
	t = t.Add(leap)
	if err != nil {
		return time.Time{}, fmt.Errorf("time %q %w: want 2026-05-03T10:00:00Z, 2026-05-03T10:00, 2026-05-03 or seconds since 1970", clip(s), err)
	}
	if y := t.UTC().Year(); y < minYear || y > maxYear || t.Year() < minYear || t.Year() > maxYear {
		return time.Time{}, fmt.Errorf("time %q is outside the years %d to %d", clip(s), minYear, maxYear)
	}
	return t, nil
}

// leapSecond takes second 60 of a minute for what most clocks make of it: the first of
// the next minute.
func leapSecond(text string) (string, time.Duration) {
	const minute = len("2006-01-02T15:04")
	if len(text) >= minute+3 && text[minute:minute+3] == ":60" {
		return text[:minute] + ":59" + text[minute+3:], time.Second
	}
	return text, 0
}

func parseTime(text string, zone *time.Location) (time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	if strings.Trim(text, "+-.eE0123456789") == "" { // neither "inf" nor "0x1p3"
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return epoch(text, f, zone)
		}
	}
	// The day and the time are parted by a T or a space.
	if len(text) > len(time.DateOnly) && (text[10] == ' ' || text[10] == 't') {
		text = text[:10] + "T" + text[11:]
	}
	text = strings.ReplaceAll(text, ",", ".") // the other decimal mark of ISO 8601
	if n := len(text); text[n-1] == 'z' {
		text = text[:n-1] + "Z"
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			if t.Location() == time.Local { // the same offset by chance
				_, off := t.Zone()
				t = t.In(time.FixedZone("", off))
			}
			return t, nil
		}
	}
	for _, layout := range localLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
			return wall(Date{t.Year(), t.Month(), t.Day()}, t.Sub(midnight), zone), nil
		}
	}
	d, err := ParseDate(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("is not understood")
	}
	return d.Start(zone), nil
}

// epoch returns the time of seconds or milliseconds since 1970, to the
// microsecond: more a float64 of today's seconds does not hold.
func epoch(s string, f float64, zone *time.Location) (time.Time, error) {
	const millisFrom, last = 1e11, 2.6e14
	if math.Abs(f) > last {
		return time.Time{}, fmt.Errorf("is too large for seconds or milliseconds since 1970")
	}
	for _, layout := range []string{"2006", "20060102"} {
		if _, err := time.Parse(layout, s); err == nil {
			return time.Time{}, fmt.Errorf("may be a date or a number of seconds")
		}
	}
	if math.Abs(f) >= millisFrom {
		f /= 1000
	}
	sec := math.Floor(f)
	micros := math.Round((f - sec) * 1e6)
	return time.Unix(int64(sec), int64(micros)*1000).In(zone), nil
}

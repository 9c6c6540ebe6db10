package clock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

func TestParseTime(t *testing.T) {
	for _, c := range []struct{ in, zone, want string }{
		{"2026-05-03T10:00:00Z", "UTC", "2026-05-03T10:00:00Z"},
		{" 2026-05-03T10:00:00Z\n", "UTC", "2026-05-03T10:00:00Z"},
		{"2026-05-03t10:00:00z", "UTC", "2026-05-03T10:00:00Z"},
		{"2026-05-03T10:00:00.25Z", "UTC", "2026-05-03T10:00:00.25Z"},
		{"2026-05-03T10:00:00,25Z", "UTC", "2026-05-03T10:00:00.25Z"},
		{"2026-05-03T10:00:00+05:30", "UTC", "2026-05-03T04:30:00Z"},
		{"2026-05-03T10:00:00+0530", "UTC", "2026-05-03T04:30:00Z"},
		{"2026-05-03T10:00:00-05", "UTC", "2026-05-03T15:00:00Z"},
		{"2026-05-03T10:00+05:30", "UTC", "2026-05-03T04:30:00Z"},
		{"2026-05-03 10:00:00+05:30", "UTC", "2026-05-03T04:30:00Z"},
		{"2026-05-03 10:00:00 +0530", "UTC", "2026-05-03T04:30:00Z"},
		{"2026-05-03T10:00Z", "UTC", "2026-05-03T10:00:00Z"},
		{"2016-12-31T23:59:60Z", "UTC", "2017-01-01T00:00:00Z"},
		{"2016-12-31 23:59:60.5+00:00", "UTC", "2017-01-01T00:00:00.5Z"},
		{"2017-01-01T05:29:60+05:30", "UTC", "2017-01-01T00:00:00Z"},
		{"2017-01-01T05:29:60", "Asia/Kolkata", "2017-01-01T00:00:00Z"},
		// Without a zone.
		{"2026-05-03T10:00:00", "Asia/Kolkata", "2026-05-03T04:30:00Z"},
		{"2026-05-03 10:00", "Asia/Kolkata", "2026-05-03T04:30:00Z"},
		{"2026-05-03T10:00:00.5", "Asia/Kolkata", "2026-05-03T04:30:00.5Z"},
		{"2026-05-03", "Asia/Kolkata", "2026-05-02T18:30:00Z"},
		{"2026-05-03", "UTC", "2026-05-03T00:00:00Z"},
		{"2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00Z"}, // jumped over: 03:30
		{"2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00Z"}, // twice: the first
		{"2026-03-08", "America/Havana", "2026-03-08T05:00:00Z"},
		{"2026-03-08T00:00", "America/Havana", "2026-03-08T05:00:00Z"},
		{"2026-10-25T02:30", "Europe/Vienna", "2026-10-25T00:30:00Z"},
		{"2026-03-29T02:30", "Europe/Vienna", "2026-03-29T01:30:00Z"},
		// Numbers.
		{"0", "UTC", "1970-01-01T00:00:00Z"},
		{"-1", "UTC", "1969-12-31T23:59:59Z"},
		{"1777802400", "UTC", "2026-05-03T10:00:00Z"},
		{"1777802400.5", "UTC", "2026-05-03T10:00:00.5Z"},
		{"1777802400.123456", "UTC", "2026-05-03T10:00:00.123456Z"},
		{"1.7778024e9", "UTC", "2026-05-03T10:00:00Z"},
		{"1777802400000", "UTC", "2026-05-03T10:00:00Z"},
		{"1777802400123", "Asia/Kolkata", "2026-05-03T10:00:00.123Z"},
		{"99999999999", "UTC", "5138-11-16T09:46:39Z"},
		{"0001-01-01", "UTC", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59Z", "UTC", "9999-12-31T23:59:59Z"},
	} {
		got, err := clock.ParseTime(c.in, zone(t, c.zone))
		if err != nil {
			t.Errorf("ParseTime(%q): %v", c.in, err)
			continue
		}
		if s := got.UTC().Format(time.RFC3339Nano); s != c.want {
			t.Errorf("ParseTime(%q, %s) = %s, want %s", c.in, c.zone, s, c.want)
		}
	}
}

func TestParseTimeRefuses(t *testing.T) {
	for _, in := range []string{
		"", " ", "now", "yesterday", "2026", "2026-05", "2026-5-3", "2026-02-29", "2026-13-01", "2026-05-03T25:00:00Z", "2026-05-03T10:60:00Z", "2026-05-03T10:00:61Z", "2026-05-03T10:00:600Z", "9999-12-31T23:59:60Z", "2026-02-30T23:59:60Z",
		"2026-05-03T10:00:00 Europe/Rome", "03/05/2026", "2026-05-03X10:00", "0000-01-01", "10000-01-01", "20260503", "1e300", "inf", "nan", "0x10",
		"1_000", "99999999999999999999", "1.7.2", "--5", "2026-05-03T", "9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "T10:00",
		strings.Repeat("9", 5000), "2026-05-03\x00", "\xff\xfe",
	} {
		got, err := clock.ParseTime(in, nil)
		if err == nil {
			t.Errorf("ParseTime(%q) = %s, want an error", in, got)
		} else if len(err.Error()) > 300 {
			t.Errorf("ParseTime(%.20q…): an error of %d bytes", in, len(err.Error()))
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"2026-05-03T10:00:00Z", "2026-03-08T02:30", "1777802400.5", "2026-05-03", "-1e9", "9999-12-31T23:59:59-05:00"} {
		f.Add(s)
	}
	loc := zone(f, "America/Havana")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := clock.ParseTime(s, loc)
		if err != nil {
			return
		}
		if y := got.UTC().Year(); y < 1 || y > 9999 {
			t.Errorf("ParseTime(%q) is in year %d", s, y)
		}
		again, err := clock.ParseTime(got.UTC().Format(time.RFC3339Nano), loc)
		if err != nil || !again.Equal(got) {
			t.Errorf("ParseTime(%q) = %s, which reads as %s, %v", s, got, again, err)
		}
	})
}

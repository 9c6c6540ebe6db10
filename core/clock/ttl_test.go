package clock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

func TestParseTTL(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		in      string
		want    time.Duration
		forever bool
	}{
		{"30m", 30 * time.Minute, false},
		{"12h", 12 * time.Hour, false},
		{"1d", day, false},
		{"7d", 7 * day, false},
		{"2w", 14 * day, false},
		{"36500d", 36_500 * day, false},
		{"0007d", 7 * day, false},
		{"session", time.Hour, false},
		{" Session ", time.Hour, false},
		{"7D", 7 * day, false},
		{"forever", 0, true},
		{"FOREVER", 0, true},
	} {
		got, forever, err := clock.ParseTTL(c.in)
		if err != nil || got != c.want || forever != c.forever {
			t.Errorf("ParseTTL(%q) = %v, %t, %v; want %v, %t", c.in, got, forever, err, c.want, c.forever)
		}
	}
}

func TestParseTTLRefuses(t *testing.T) {
	for _, in := range []string{
		"", " ", "m", "7", "-1d", "-7d", "0m", "0d", "1.5h", "1h30m", "7 d", "7days", "7y", "7s", "+7d", "٧d", "36501d", "9223372036854775807m",
		"99999999999999999999w", "ever", "never", "forever!", "1e3d", "0x7d", strings.Repeat("9", 4000) + "d", "\x00d", "d7",
	} {
		_, _, err := clock.ParseTTL(in)
		if err == nil {
			t.Errorf("ParseTTL(%q) gave no error", in)
			continue
		}
		for _, form := range []string{"30m", "12h", "7d", "2w", "session", "forever"} {
			if !strings.Contains(err.Error(), form) {
				t.Errorf("ParseTTL(%q): %v; want it to list %s", in, err, form)
			}
		}
		if len(err.Error()) > 300 {
			t.Errorf("ParseTTL(%.20q…): an error of %d bytes", in, len(err.Error()))
		}
	}
}

func FuzzParseTTL(f *testing.F) {
	f.Add("7d")
	f.Add("-999999999999w")
	f.Fuzz(func(t *testing.T, s string) {
		d, forever, err := clock.ParseTTL(s)
		if (err == nil) != (forever || d > 0) || forever && d != 0 {
			t.Errorf("ParseTTL(%q) = %v, %t, %v", s, d, forever, err)
		}
	})
}

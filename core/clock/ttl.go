package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Session is how long a line with the time to live "session" lives.
const Session = time.Hour

// maxTTL is a hundred years; who wants more wants "forever".
const maxTTL = 100 * 365 * 24 * time.Hour

// ParseTTL reads a time to live: a whole number of minutes, hours, days of 24
// hours or weeks ("30m", "12h", "7d", "2w"), "session", or "forever", which
// sets forever and a zero duration. Case and space around it do not matter. The
// error of anything else lists these forms.
func ParseTTL(s string) (ttl time.Duration, forever bool, err error) {
	bad := func(why string) error {
		return fmt.Errorf("time to live %q %s: want minutes, hours, days or weeks as in 30m, 12h, 7d, 2w, or session, or forever", clip(s), why)
	}
	text := strings.ToLower(strings.TrimSpace(s))
	switch text {
	case "":
		return 0, false, bad("is empty")
	case "session":
		return Session, false, nil
	case "forever":
		return 0, true, nil
	}
	unit, ok := map[byte]time.Duration{
		'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
	}[text[len(text)-1]]
	digits := text[:len(text)-1]
	if strings.HasPrefix(digits, "-") {
		return 0, false, bad("is negative")
	}
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false, bad("is not understood")
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n > int64(maxTTL/unit):
		return 0, false, bad("is more than a hundred years")
	case n == 0:
		return 0, false, bad("is no time at all")
	}
	return time.Duration(n) * unit, false, nil
}

// clip shortens what an error quotes.
func clip(s string) string {
	const longest = 60
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

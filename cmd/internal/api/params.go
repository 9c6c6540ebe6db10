package api

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
)

// query returns a parameter, or "".
func (c *call) query(name string) string { return c.URL.Query().Get(name) }

// number returns a parameter between bounds, or what stands where it is missing.
func (c *call) number(name string, missing, low, high int) (int, error) {
	v := c.query(name)
	if v == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return 0, core.Errorf(core.CodeInvalid, "%s must be %d to %d, not %q", name, low, high, v)
	}
	return n, nil
}

func (c *call) flag(name string) (bool, error) {
	switch v := c.query(name); v {
	case "", "0", "false":
		return false, nil
	case "1", "true":
		return true, nil
	default:
		return false, core.Errorf(core.CodeInvalid, "%s must be true or false, not %q", name, v)
	}
}

// time returns a moment; days are those of the configured zone.
func (c *call) time(name string) (time.Time, error) {
	v := c.query(name)
	if v == "" {
		return time.Time{}, nil
	}
	t, err := clock.ParseTime(v, c.api.o.Engine.Zone())
	if err != nil {
		return t, core.Errorf(core.CodeInvalid, "%s: %w", name, err)
	}
	return t, nil
}

// until returns the first moment after a parameter: a day counts whole, a time to its
// second. The last days of the calendar end with it.
func (c *call) until(name string) (time.Time, error) {
	t, err := c.time(name)
	if err != nil || c.query(name) == "" {
		return t, err
	}
	end := t.Add(time.Second)
	if _, err := time.Parse(time.DateOnly, strings.TrimSpace(c.query(name))); err == nil {
		end = t.AddDate(0, 0, 1)
	}
	if last := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC); end.After(last) {
		return last, nil
	}
	return end, nil
}

// id returns the id in the path.
func (c *call) id() (core.ID, error) {
	n, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil || n <= 0 {
		return 0, core.Errorf(core.CodeInvalid, "%q is not an id", c.PathValue("id")).Hinted("ids are numbers such as 14")
	}
	c.item = core.ID(n)
	return c.item, nil
}

// A cursor says where the next page begins. Callers pass it on as it is. It holds
// numbers only, which mean nothing outside of the space that is asked.
func cursor(numbers ...int64) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.FormatInt(n, 36)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, ".")))
}

// cursor reads the cursor of a request into its numbers, which are not negative. It
// is false when there is none.
func (c *call) cursor(numbers ...*int64) (bool, error) {
	v := c.query("cursor")
	if v == "" {
		return false, nil
	}
	return true, readCursor(v, numbers...)
}

var errCursor = core.Errorf(core.CodeInvalid, "this is not a cursor of this route")

func readCursor(v string, numbers ...*int64) error {
	raw, err := base64.RawURLEncoding.DecodeString(v)
	parts := strings.Split(string(raw), ".")
	if err != nil || len(parts) != len(numbers) {
		return errCursor
	}
	for i, p := range parts {
		if *numbers[i], err = strconv.ParseInt(p, 36, 64); err != nil || *numbers[i] < 0 {
			return errCursor
		}
	}
	return nil
}

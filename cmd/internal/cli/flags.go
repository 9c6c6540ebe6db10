package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/local"
)

// choice is a flag whose value is one of a few words.
type choice struct {
	value *string
	words []string
}

func newChoice(value *string, words ...string) *choice { return &choice{value, words} }

func (c *choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c *choice) Type() string { return "WORD" }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want %s", oneOf(c.words))
	}
	*c.value = s
	return nil
}

// words of a list of named values.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// parseID reads the id of an episode or a fact. A mark such as s14 names a passage.
func parseID(s string) (core.ID, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(s), "#"), 10, 64)
	if err != nil || n <= 0 {
		return 0, usagef("%q is not an id", s).Hinted("ids are numbers such as 14; facts and search list them")
	}
	return core.ID(n), nil
}

// zoneFlag returns the zone that --tz names, else the configured one.
func zoneFlag(m *local.Memory, name string) (*time.Location, error) {
	if name == "" {
		return m.Zone(), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, usagef("--tz: time zone %q is not known", name).Hinted("use an IANA name such as Europe/Lisbon")
	}
	return zone, nil
}

// parseTime reads the time of a flag; empty is the zero time.
func parseTime(flag, value string, zone *time.Location) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	t, err := clock.ParseTime(value, zone)
	if err == nil && t.IsZero() {
		err = fmt.Errorf("%q stands for no time at all", value) // so do programs write it
	}
	if err != nil {
		return t, usagef("--%s: %w", flag, err)
	}
	return t, nil
}

// parseAt is parseTime in the configured zone.
func parseAt(m *local.Memory, flag, value string) (time.Time, error) {
	return parseTime(flag, value, m.Zone())
}

func checkTTL(ttl string) error {
	if ttl == "" {
		return nil
	}
	if _, _, err := clock.ParseTTL(ttl); err != nil {
		return usagef("--ttl: %w", err)
	}
	return nil
}

// wants returns an argument check with a message that names what is missing.
func wants(low, high int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < low:
			return usagef("%s needs %s", cmd.Name(), what).Hinted("see %s --help", cmd.CommandPath())
		case high >= 0 && len(args) > high:
			return usagef("%s takes %s, and %q is one too many", cmd.Name(), what, args[high]).Hinted("put quotes around a text with spaces")
		}
		return nil
	}
}

package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/orma-memory/orma/core/engine"
)

// say prints a line for people on standard error.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.err, "%s\n", clean(fmt.Sprintf(format, args...)))
}

// print prints a line of the result.
func (a *app) print(format string, args ...any) {
	fmt.Fprintf(a.out, format+"\n", args...)
}

// printJSON prints the result as JSON.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// notes says which parts were left out of an answer.
func (a *app) notes(notes []engine.Note) {
	for _, n := range notes {
		a.say("note: %s: %s", n.Stage, n.Text)
	}
}

// clean takes from a text what would steer a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}

// line puts a text on one line of at most n characters.
func line(s string, n int) string {
	s = clean(strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}

// day shows a time as its calendar day in a zone.
func day(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateOnly)
}

// count puts a number before its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

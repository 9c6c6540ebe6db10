package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/engine"
)

// Row is a line of a history: an episode. Only text is needed; what else is left out
// has the default of [engine.Input]. Keys that are not known are passed over, so that
// the rows of others can be read.
type Row struct {
	Space   string    `json:"space,omitempty"`
	N       core.ID   `json:"n,omitempty"` // its number where it was exported, by which other rows mean it
	ID      name      `json:"id,omitempty"`
	At      moment    `json:"at,omitempty"`
	Role    core.Role `json:"role,omitempty"`
	Kind    core.Kind `json:"kind,omitempty"`
	Speaker string    `json:"speaker,omitempty"`
	Session name      `json:"session,omitempty"`
	Source  string    `json:"source,omitempty"`
	Zone    string    `json:"tz,omitempty"`
	TTL     string    `json:"ttl,omitempty"`
	Expires moment    `json:"expires,omitempty"` // instead of ttl
	Trust   string    `json:"trust,omitempty"`   // where it is not what role and kind imply
	Marks   []string  `json:"marks,omitempty"`   // repaired, masked
	Text    *string   `json:"text"`

	Quarantined bool `json:"quarantined,omitempty"`
}

// markNames are the marks that an export keeps.
var markNames = []struct {
	name string
	mark core.Mark
}{{"repaired", core.MarkRepaired}, {"masked", core.MarkMasked}}

// name is a text that may be given as a number.
type name string

func (n *name) UnmarshalJSON(b []byte) error {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
	case string:
		*n = name(v)
	case json.Number:
		*n = name(v.String())
	default:
		return &json.UnmarshalTypeError{Value: fmt.Sprintf("%.20s", b)}
	}
	return nil
}

// moment is a time as text or as seconds since 1970, read later, in the row's zone.
type moment string

// UnmarshalJSON reads it.
func (m *moment) UnmarshalJSON(b []byte) error { return (*name)(m).UnmarshalJSON(b) }

func (m moment) time(zone *time.Location) (time.Time, error) {
	if m == "" {
		return time.Time{}, nil
	}
	return clock.ParseTime(string(m), zone)
}

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return ""
	}
	return moment(t.UTC().Format(time.RFC3339Nano))
}

// ParseRow reads a line. What is wrong with it has code [core.CodeInvalid]. zone is
// that of times without one in rows without tz.
func ParseRow(line []byte, zone *time.Location) (Row, engine.Input, error) {
	var r Row
	if err := json.Unmarshal(line, &r); err != nil {
		return r, engine.Input{}, explain(line, err)
	}
	in, err := r.input(zone)
	markRepaired(&in, damaged(line))
	return r, in, err
}

// input checks a row and makes the episode it stands for.
func (r *Row) input(zone *time.Location) (engine.Input, error) {
	if r.Text == nil {
		return engine.Input{}, core.Errorf(core.CodeInvalid, "there is no text")
	}
	in := engine.Input{
		Text: *r.Text, Kind: core.Kind(lower(r.Kind)), Role: role(lower(r.Role)), Speaker: r.Speaker, Session: string(r.Session),
		Source: r.Source, Key: string(r.ID), Zone: r.Zone, TTL: r.TTL,
		Quarantined: r.Quarantined,
	}
	if r.Zone != "" {
		z, err := time.LoadLocation(r.Zone)
		if err != nil {
			return in, core.Errorf(core.CodeInvalid, "time zone %q is not known", r.Zone)
		}
		zone = z
	}
	var err error
	if in.At, err = r.At.time(zone); err != nil {
		return in, core.Errorf(core.CodeInvalid, "at: %w", err)
	}
	if in.Expires, err = r.Expires.time(zone); err != nil {
		return in, core.Errorf(core.CodeInvalid, "expires: %w", err)
	}
	if r.Trust != "" {
		t, ok := core.ParseTrust(r.Trust)
		if !ok {
			return in, core.Errorf(core.CodeInvalid, "trust %q is not known", r.Trust)
		}
		in.Trust = t
	}
	for _, m := range markNames {
		for _, n := range r.Marks {
			if n == m.name {
				in.Marks |= m.mark
			}
		}
	}
	return in, nil
}

func lower[T ~string](s T) string { return strings.ToLower(strings.TrimSpace(string(s))) }

// role takes the words that other programs have for a role.
func role(s string) core.Role {
	switch s {
	case "human":
		return core.RoleUser
	case "ai", "bot", "model":
		return core.RoleAssistant
	case "function":
		return core.RoleTool
	case "developer":
		return core.RoleSystem
	}
	return core.Role(s)
}

// explain says what is wrong with a line that is no row.
func explain(line []byte, err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Type == nil: // of a name
		return core.Errorf(core.CodeInvalid, "%s must be text or a number, not %s", wrong.Field, wrong.Value)
	case errors.As(err, &wrong) && wrong.Field == "":
		return core.Errorf(core.CodeInvalid, "a row must be an object, not %s", article(wrong.Value))
	case errors.As(err, &wrong):
		return core.Errorf(core.CodeInvalid, "%s must be text, not %s", wrong.Field, article(wrong.Value))
	case errors.As(err, &syntax):
		if syntax.Offset >= int64(len(bytes.TrimSpace(line))) && strings.Contains(err.Error(), "unexpected end") {
			return core.Errorf(core.CodeInvalid, "not JSON: the line ends too early")
		}
		return core.Errorf(core.CodeInvalid, "not JSON: %w", err)
	}
	return core.Errorf(core.CodeInvalid, "%w", err)
}

func article(word string) string {
	if word != "" && strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}

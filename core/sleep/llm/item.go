package llm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/orma-memory/orma/core/sleep"
)

// state reads one state. What cannot be read is a malformed proposal: it falls
// alone.
func state(raw json.RawMessage) sleep.Proposal {
	f, err := fields(raw)
	if err != nil {
		return sleep.Proposal{Malformed: err.Error()}
	}
	var p sleep.Proposal
	f.text("subject", &p.Subject, true)
	f.text("attribute", &p.Attribute, true)
	f.text("value", &p.Value, true)
	f.text("condition", &p.Condition, false)
	p.Prohibited = f.truth("prohibited")
	p.Cites = f.cites()
	p.Malformed = f.problem
	return p
}

// event reads one event.
func event(raw json.RawMessage) sleep.Proposal {
	f, err := fields(raw)
	if err != nil {
		return sleep.Proposal{Event: true, Malformed: err.Error()}
	}
	p := sleep.Proposal{Event: true}
	f.text("subject", &p.Subject, true)
	f.text("event", &p.Value, true)
	f.text("when", &p.When, false)
	p.Cites = f.cites()
	p.Malformed = f.problem
	return p
}

type item struct {
	members map[string]json.RawMessage
	problem string // the first
}

func fields(raw json.RawMessage) (*item, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, fmt.Errorf("not an object")
	}
	return &item{members: m}, nil
}

func (f *item) fail(format string, args ...any) {
	if f.problem == "" {
		f.problem = fmt.Sprintf(format, args...)
	}
}

// text reads a string; a number is taken for its digits.
func (f *item) text(key string, dst *string, required bool) {
	raw := f.members[key]
	if len(raw) == 0 || string(raw) == "null" {
		if required {
			f.fail("no %s", key)
		}
		return
	}
	if json.Unmarshal(raw, dst) == nil {
		return
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		*dst = n.String()
		return
	}
	f.fail("%s is not a text", key)
}

func (f *item) truth(key string) bool {
	switch s := strings.Trim(strings.ToLower(string(f.members[key])), `"`); s {
	case "true", "yes", "1":
		return true
	case "", "null", "false", "no", "0":
		return false
	}
	f.fail("%s is neither true nor false", key)
	return false
}

// cites reads the marks of lines: "s3", "[s3]", 3.
func (f *item) cites() []string {
	raw := f.members["cites"]
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var out []string
	for _, c := range list {
		var s string
		if json.Unmarshal(c, &s) != nil {
			s = string(c)
		}
		s = strings.Trim(strings.TrimSpace(s), "[]() ")
		if _, err := strconv.Atoi(s); err == nil {
			s = "s" + s
		}
		if len(s) > 0 && len(s) < 12 {
			out = append(out, strings.ToLower(s))
		}
	}
	return out
}

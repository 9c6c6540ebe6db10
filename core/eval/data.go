package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// Shape is the form of a data set.
type Shape string

// The shapes that [Load] knows. docs/eval.md describes both.
const (
	ShapeLoCoMo      Shape = "locomo"      // JSON lines, a conversation a line
	ShapeLongMemEval Shape = "longmemeval" // a JSON array, a question with its haystack an element
)

// Conversation is one history with its questions. It gets a space of its own.
type Conversation struct {
	ID        string
	Now       time.Time // when the questions are asked
	Turns     []Turn
	Questions []Question
}

// Turn is one text of a history.
type Turn struct {
	Key     string
	Session string
	At      time.Time
	Speaker string
	Role    core.Role
	Kind    core.Kind
	Text    string
}

// Question has the keys of the turns, and of the sessions, that answer it.
type Question struct {
	ID       string
	Category string
	Text     string
	Turns    []string
	Sessions []string
}

// Set is a data set in memory.
type Set struct {
	File          string
	Shape         Shape
	Conversations []Conversation
}

// Load reads a data set; its shape shows from its first byte. What is wrong with it
// is said with the line or element and the key.
func Load(file string) (*Set, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, core.Errorf(core.CodeInvalid, "read data set: %w", err)
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s.File = file
	return s, nil
}

// Parse is [Load] for bytes.
func Parse(data []byte) (*Set, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	var s Set
	var err error
	if len(data) > 0 && data[0] == '[' {
		s.Shape = ShapeLongMemEval
		s.Conversations, err = parseLongMemEval(data)
	} else {
		s.Shape = ShapeLoCoMo
		s.Conversations, err = parseLoCoMo(data)
	}
	if err == nil && len(s.Conversations) == 0 {
		err = core.Errorf(core.CodeInvalid, "no conversation in it")
	}
	if err == nil && !slices.ContainsFunc(s.Conversations, func(c Conversation) bool { return len(c.Questions) > 0 }) {
		err = core.Errorf(core.CodeInvalid, "no question in it that has evidence").Hinted("docs/eval.md says how a file looks")
	}
	return &s, err
}

// locomoLine is one conversation: see docs/eval.md.
type locomoLine struct {
	ID    string    `json:"id"`
	Now   time.Time `json:"now"`
	Turns []struct {
		ID      string    `json:"id"`
		Session string    `json:"session"`
		At      time.Time `json:"at"`
		Speaker string    `json:"speaker"`
		Role    core.Role `json:"role"`
		Kind    core.Kind `json:"kind"`
		Text    string    `json:"text"`
	} `json:"turns"`
	Questions []struct {
		ID       string   `json:"id"`
		Category string   `json:"category"`
		Text     string   `json:"text"`
		Evidence []string `json:"evidence"`
	} `json:"questions"`
}

func parseLoCoMo(data []byte) ([]Conversation, error) {
	var out []Conversation
	r := bufio.NewReader(bytes.NewReader(data))
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			c, err := parseConversation(line)
			if err != nil {
				return nil, core.Errorf(core.CodeInvalid, "line %d: %w", n, err)
			}
			out = append(out, c)
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func parseConversation(line []byte) (Conversation, error) {
	var l locomoLine
	if err := json.Unmarshal(line, &l); err != nil {
		return Conversation{}, err
	}
	c := Conversation{ID: l.ID, Now: l.Now}
	sessions := make(map[string]string, len(l.Turns))
	for _, t := range l.Turns {
		if t.ID == "" || strings.TrimSpace(t.Text) == "" {
			return c, fmt.Errorf("turn %q has no id or no text", t.ID)
		}
		if _, twice := sessions[t.ID]; twice {
			return c, fmt.Errorf("turn %q is there twice", t.ID)
		}
		sessions[t.ID] = t.Session
		c.Turns = append(c.Turns, Turn{Key: t.ID, Session: t.Session, At: t.At, Speaker: t.Speaker, Role: t.Role, Kind: t.Kind, Text: t.Text})
		if t.At.After(c.Now) {
			c.Now = t.At
		}
	}
	for _, q := range l.Questions {
		if len(q.Evidence) == 0 {
			continue
		}
		out := Question{ID: q.ID, Category: q.Category, Text: q.Text}
		for _, key := range q.Evidence {
			s, ok := sessions[key]
			if !ok {
				return c, fmt.Errorf("question %q names turn %q, which is not there", q.ID, key)
			}
			out.Turns = appendNew(out.Turns, key)
			out.Sessions = appendNew(out.Sessions, s)
		}
		c.Questions = append(c.Questions, out)
	}
	return c, nil
}

func appendNew(list []string, s string) []string {
	for _, x := range list {
		if x == s {
			return list
		}
	}
	return append(list, s)
}

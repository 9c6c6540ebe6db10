package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/core/sleep"
)

// content takes the text of the answer out of a response: a completion, or the
// events of a stream that nobody asked for.
func content(data []byte) (string, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(data) == 0 {
		return "", errors.New("the response is empty")
	}
	if bytes.HasPrefix(data, []byte("data:")) || bytes.HasPrefix(data, []byte("event:")) || bytes.HasPrefix(data, []byte(":")) {
		return streamed(data)
	}
	var c completion
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("the response is no completion: %w", err)
	}
	return c.text()
}

type completion struct {
	Choices []struct {
		Message *messageBody `json:"message"`
		Delta   *messageBody `json:"delta"`
		Text    *string      `json:"text"`
	} `json:"choices"`
	Error json.RawMessage `json:"error"`
}

type messageBody struct {
	Content json.RawMessage `json:"content"`
}

func (c *completion) text() (string, error) {
	if len(c.Choices) == 0 {
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return "", fmt.Errorf("the response is an error: %s", beginning(c.Error, 200))
		}
		return "", errors.New("the response has no choices")
	}
	ch := c.Choices[0]
	switch {
	case ch.Message != nil:
		return ch.Message.text()
	case ch.Delta != nil:
		return ch.Delta.text()
	case ch.Text != nil:
		return *ch.Text, nil
	}
	return "", errors.New("the response has no message")
}

// text is a string, or the text parts of a list.
func (m *messageBody) text() (string, error) {
	if len(m.Content) == 0 || string(m.Content) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", errors.New("the message has no text")
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String(), nil
}

// streamed joins the pieces of a stream of events.
func streamed(data []byte) (string, error) {
	var b strings.Builder
	for _, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(line)
		d, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		d = bytes.TrimSpace(d)
		if len(d) == 0 || string(d) == "[DONE]" {
			continue
		}
		var c completion
		if err := json.Unmarshal(d, &c); err != nil {
			return "", fmt.Errorf("an event of the stream is no completion: %w", err)
		}
		if len(c.Choices) == 0 {
			continue // usage, at the end
		}
		s, err := c.text()
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// read finds the one whole object in an answer and reads its items one by one.
func read(content string) ([]sleep.Proposal, error) {
	obj, err := object(content)
	if err != nil {
		return nil, err
	}
	states, err := list(obj["states"])
	if err != nil {
		return nil, fmt.Errorf("states: %w", err)
	}
	events, err := list(obj["events"])
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	if len(states)+len(events) > maxItems {
		return nil, fmt.Errorf("the answer has more than %d items", maxItems)
	}
	var out []sleep.Proposal
	for _, raw := range states {
		out = append(out, state(raw))
	}
	for _, raw := range events {
		out = append(out, event(raw))
	}
	return out, nil
}

// maxItems bounds the items of one answer; a batch has a few dozen lines.
const maxItems = 500

// object returns the one object with states or events in a text: bare, in a fence,
// or among other words.
func object(s string) (map[string]json.RawMessage, error) {
	s = thoughts(s)
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return nil, errors.New("the answer is empty")
	}
	if strings.HasPrefix(unfenced(trimmed), "[") {
		return nil, errors.New("the answer is a list")
	}
	var found map[string]json.RawMessage
	for i := 0; i < len(s); {
		k := strings.IndexByte(s[i:], '{')
		if k < 0 {
			break
		}
		i += k
		obj, n := whole(s[i:])
		if obj == nil || inside(s[:i]) {
			i++
			continue
		}
		if found != nil {
			return nil, errors.New("the answer has more than one object")
		}
		found = obj
		i += n
	}
	if found == nil {
		return nil, errors.New("the answer holds no whole object")
	}
	return found, nil
}

// whole decodes an object at the beginning of s, if it is one of ours.
func whole(s string) (map[string]json.RawMessage, int) {
	d := json.NewDecoder(strings.NewReader(s))
	var obj map[string]json.RawMessage
	if err := d.Decode(&obj); err != nil {
		return nil, 0
	}
	_, states := obj["states"]
	_, events := obj["events"]
	if !states && !events {
		return nil, 0
	}
	return obj, int(d.InputOffset())
}

// inside reports whether what follows is a part of something larger: an element of
// a list or a member of an object that was cut.
func inside(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	if before == "" {
		return false
	}
	switch before[len(before)-1] {
	case '[', ',', '{':
		return true
	case ':':
		return strings.HasSuffix(before, `":`) // the value of a key
	}
	return false
}

// unfenced takes the mark of a code fence off the beginning.
func unfenced(s string) string {
	if !strings.HasPrefix(s, "```") {
		return s
	}
	if _, rest, ok := strings.Cut(s, "\n"); ok {
		return strings.TrimSpace(rest)
	}
	return s
}

// thoughts drops what a reasoning model thinks aloud before it answers.
func thoughts(s string) string {
	if i := strings.LastIndex(s, "</think>"); i >= 0 {
		return s[i+len("</think>"):]
	}
	return s
}

func list(raw json.RawMessage) ([]json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var out []json.RawMessage
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, errors.New("not a list")
	}
	return out, nil
}

package history

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// transcript is a session of a coding agent, a line of JSON at a time.
type transcript struct {
	conversation
	calls map[string]string // tool calls that wait for their result, by id
}

// maxCalls bounds the calls that wait: an answer comes soon or never.
const maxCalls = 10_000

// transcripts reads lines. read takes one in.
func transcripts(r io.Reader, f *File, read func(line []byte, n int, t *transcript) error) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		t := &transcript{conversation: conversation{file: f, place: f.Name}, calls: map[string]string{}}
		for l := range Lines(r) {
			if l.Number == 0 {
				yield(Item{Err: l.Err})
				return
			}
			t.items = t.items[:0]
			err := l.Err
			if err == nil {
				err = read(l.Data, l.Number, t)
			}
			if err != nil {
				t.items = append(t.items, Item{Place: f.place("line %d", l.Number), Err: err})
			}
			markItems(t.items, l.Data)
			for _, it := range t.items {
				it.End = l.End
				if !yield(it) {
					return
				}
			}
		}
	}
}

// ToolText is how the use of a tool is remembered: what was asked, and what came of
// it, of both the beginning and the end.
func ToolText(name, input, output string) string {
	return strings.TrimSpace(name+" "+HeadTail(input, toolInput)) + "\n→ " + HeadTail(output, toolOutput)
}

// The longest parts of a tool's use that are kept, in characters.
const (
	toolInput  = 1000
	toolOutput = 4000
)

// HeadTail cuts the middle out of a text of more than n characters.
func HeadTail(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n/2]) + "\n[…]\n" + string(runes[len(runes)-n/2:])
}

// call remembers a tool's call until its result comes.
func (t *transcript) call(id, name, input string) {
	if len(t.calls) >= maxCalls {
		clear(t.calls)
	}
	t.calls[id] = strings.TrimSpace(name + " " + HeadTail(input, toolInput))
}

// result takes in what a tool answered.
func (t *transcript) result(id, call, output string, at moment) {
	text := ""
	if strings.TrimSpace(output) != "" {
		text = HeadTail(output, toolOutput)
		if asked := t.calls[call]; asked != "" {
			text = asked + "\n→ " + text
		}
	}
	delete(t.calls, call)
	t.add(message{id: id, role: core.RoleTool, kind: core.KindTool, at: at, text: text})
}

// oneLine writes JSON on one line, for people.
func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// Said returns what a person said in a message to a coding agent, and "" where the
// program wrote it all: reminders, notes on the environment, output of commands. Such
// parts stand in tags.
func Said(text string) string {
	for _, tag := range []string{"system-reminder", "ide_selection", "ide_opened_file"} {
		text = cutTag(text, tag)
	}
	text = strings.TrimSpace(text)
	if name, ok := strings.CutPrefix(text, "<"); ok {
		if i := strings.IndexAny(name, " >\n"); i > 0 && strings.HasSuffix(text, ">") && strings.Contains(text, "</"+name[:i]+">") {
			return "" // <command-name>, <environment_context>, …
		}
	}
	for _, begin := range []string{"# AGENTS.md instructions", "Caveat: The messages below were generated", "[Request interrupted by user"} {
		if strings.HasPrefix(text, begin) {
			return ""
		}
	}
	return text
}

// cutTag removes the elements with a name.
func cutTag(text, name string) string {
	open, end := "<"+name+">", "</"+name+">"
	var b strings.Builder
	for {
		i := strings.Index(text, open)
		if i < 0 {
			break
		}
		n := strings.Index(text[i:], end)
		if n < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i+n+len(end):]
	}
	b.WriteString(text)
	return b.String()
}

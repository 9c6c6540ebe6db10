// Package quality makes data sets with questions whose evidence is known, and holds the
// tables of what each stage adds: notes and code documentation, and chats with an
// assistant.
//
// They are made from the templates in this folder and from the doc comments of Go's
// standard library, so that a default fitted on conversations of people can be shown to
// do no harm elsewhere. Equal seeds and libraries give equal sets.
package quality

import (
	"bufio"
	_ "embed" // for the templates
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
)

// Conversation is one space of the set, in the shape that package eval reads.
type Conversation struct {
	ID        string     `json:"id"`
	Now       time.Time  `json:"now"`
	Turns     []Turn     `json:"turns"`
	Questions []Question `json:"questions"`
}

// Turn is one note or declaration.
type Turn struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Role    string    `json:"role,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	Text    string    `json:"text"`
}

// Question is asked of a conversation.
type Question struct {
	ID       string   `json:"id"`
	Category string   `json:"category"`
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"`
}

// start is the day of the first note.
var start = time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)

// Write writes the set of notes and code as JSON lines: two spaces of notes and two of
// code from the Go source tree at goroot.
func Write(w io.Writer, goroot string, seed uint64) error {
	out := []Conversation{Notes("notes-1", seed, 80, 5), Notes("notes-2", seed+1, 120, 5)}
	for i, pkgs := range [][]string{
		{"strings", "bytes", "bufio", "io", "os", "path/filepath", "sort", "time"},
		{"net/http", "net", "encoding/json", "encoding/binary", "database/sql", "go/ast", "text/template"},
	} {
		c, err := Code(fmt.Sprintf("code-%d", i+1), goroot, pkgs, seed, 150)
		if err != nil {
			return err
		}
		out = append(out, c)
	}
	return writeLines(w, out)
}

// WriteChats writes the set of chats as JSON lines: twelve spaces of 64 sessions.
func WriteChats(w io.Writer, seed uint64) error {
	var out []Conversation
	for i := range uint64(12) {
		out = append(out, Chats(fmt.Sprintf("chats-%d", i+1), seed+i, 64, 16))
	}
	return writeLines(w, out)
}

func writeLines(w io.Writer, list []Conversation) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	for _, c := range list {
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	return b.Flush()
}

//go:embed notes.txt
var notesFile string

//go:embed slots.txt
var slotsFile string

// template is a note and, unless nobody asks about it, a question.
type template struct{ note, question string }

func templates() (asked []template, noise []string) {
	for line := range strings.Lines(notesFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "- "):
			noise = append(noise, line[2:])
		default:
			note, question, _ := strings.Cut(line, "|")
			asked = append(asked, template{strings.TrimSpace(note), strings.TrimSpace(question)})
		}
	}
	return asked, noise
}

// slot is a name in braces and what can stand for it.
type slot struct {
	name   string
	values []string
}

func slotsOf(file string) []slot {
	var out []slot
	for line := range strings.Lines(file) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		s := slot{name: "{" + name + "}"}
		for v := range strings.SplitSeq(list, ",") {
			s.values = append(s.values, strings.TrimSpace(v))
		}
		out = append(out, s)
	}
	return out
}

// Notes makes a space of days with some notes each. No question is asked twice, so that
// each has one answer; many notes differ from an answer in one name alone.
func Notes(id string, seed uint64, days, perDay int) Conversation {
	r := rand.New(rand.NewPCG(seed, 0x6e6f746573))
	asked, noise := templates()
	fills := slotsOf(slotsFile)
	byDay := make([][]string, days)
	type pending struct {
		text     string
		day, pos int
	}
	var questions []pending
	seen := map[string]bool{}
	for range days * perDay {
		t := asked[r.IntN(len(asked))]
		note, question := t.note, t.question
		for _, s := range fills {
			v := s.values[r.IntN(len(s.values))]
			note, question = strings.ReplaceAll(note, s.name, v), strings.ReplaceAll(question, s.name, v)
		}
		if seen[question] {
			continue
		}
		seen[question] = true
		d := r.IntN(days)
		if r.Float64() < 0.6 {
			questions = append(questions, pending{question, d, len(byDay[d])})
		}
		byDay[d] = append(byDay[d], note)
		for r.Float64() < 0.5 {
			byDay[d] = append(byDay[d], noise[r.IntN(len(noise))])
		}
	}
	c := Conversation{ID: id, Now: start.AddDate(0, 0, days)}
	key := func(d, pos int) string { return fmt.Sprintf("d%d:%d", d, pos) }
	for d, list := range byDay {
		for pos, text := range list {
			c.Turns = append(c.Turns, Turn{ID: key(d, pos), Session: fmt.Sprintf("d%d", d), At: start.AddDate(0, 0, d).Add(time.Duration(pos) * 20 * time.Minute), Kind: "note", Text: text})
		}
	}
	for i, q := range questions {
		category, text := "notes", q.text
		if r.Float64() < 0.125 {
			category = "notes-dated"
			text = strings.TrimSuffix(text, "?") + start.AddDate(0, 0, q.day).Format(", as noted on 2 January 2006?")
		}
		c.Questions = append(c.Questions, Question{fmt.Sprintf("%s-q%d", id, i), category, text, []string{key(q.day, q.pos)}})
	}
	return c
}

// Notes is a note-taking assistant that needs no model: what is written is kept word
// for word, rules find facts in it, and questions are answered from both.
//
//	go run ./docs/sdk/notes-go notes.db "I live in Pune." "I moved to Bangalore." "Where do I live?"
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: notes DATABASE LINE…")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, local.Options{Path: os.Args[1]}, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
}

// run takes a line that ends in a question mark for a question, and others for notes.
func run(ctx context.Context, out io.Writer, o local.Options, lines []string) (err error) {
	m, err := local.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := m.Close(); err == nil {
			err = cerr
		}
	}()
	for _, line := range lines {
		if strings.HasSuffix(line, "?") {
			err = answer(ctx, out, m, line)
		} else {
			err = note(ctx, m, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func note(ctx context.Context, m *local.Memory, line string) error {
	added, err := m.Add(ctx, "", engine.Input{Text: line})
	if err == nil && added[0].Error != "" {
		err = fmt.Errorf("%q: %s", line, added[0].Error)
	}
	if err != nil {
		return err
	}
	_, err = m.Sleep(ctx, sleep.Run{})
	return err
}

func answer(ctx context.Context, out io.Writer, m *local.Memory, question string) error {
	found, err := m.Search(ctx, engine.Request{Query: question})
	if err != nil {
		return err
	}
	for _, s := range found.States {
		fmt.Fprintln(out, s.Text)
	}
	for _, p := range found.Passages {
		for _, old := range p.Outdated {
			fmt.Fprintf(out, "%s [outdated: now %s]\n", old.Text, old.Now)
		}
	}
	return nil
}

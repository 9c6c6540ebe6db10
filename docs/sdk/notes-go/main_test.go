package main

import (
	"bytes"
	"testing"

	"github.com/orma-memory/orma/core/local"
)

func TestNotesKnowWhatHasChanged(t *testing.T) {
	var out bytes.Buffer
	home := t.TempDir()
	err := run(t.Context(), &out, local.Options{Home: home, Path: home + "/m.db"}, []string{"I live in Pune.", "I moved to Bangalore.", "Where do I live?"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "user · home city: Bangalore\nI live in Pune. [outdated: now Bangalore]\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestNotesSayWhatTheyRefuse(t *testing.T) {
	home := t.TempDir()
	if err := run(t.Context(), &bytes.Buffer{}, local.Options{Home: home, Path: home + "/m.db"}, []string{" "}); err == nil {
		t.Error("an empty note was taken")
	}
}

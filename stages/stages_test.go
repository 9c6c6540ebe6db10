package stages

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/stagetest"
	asleep "github.com/orma-memory/orma/stages/sleep"
)

var update = flag.Bool("update", false, "rewrite the reference pages")

const docs = "../docs/stages"

func TestAllCanBeRegistered(t *testing.T) {
	if _, err := pipeline.NewRegistry(All()...); err != nil {
		t.Fatal(err)
	}
	for _, s := range All() {
		if !slices.ContainsFunc(folders, func(f struct{ name, does string }) bool { return f.name == s.Folder }) {
			t.Errorf("%s is in folder %q, which the index does not show", s.Name, s.Folder)
		}
	}
}

// TestEveryStageConforms holds whatever is on the list to the suite, so that no stage
// can be added without it.
func TestEveryStageConforms(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) { stagetest.Run(t, s) })
	}
}

// TestPages fails when a page differs from what the specs say, or is of no stage.
func TestPages(t *testing.T) {
	pages := Pages(All(), asleep.All())
	if *update {
		if err := os.MkdirAll(filepath.Join(docs, "sleep"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range pages {
			if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Errorf("%v; write it with go test ./stages -update", err)
		} else if string(got) != pages[name] {
			t.Errorf("%s is out of date; rewrite it with go test ./stages -update", name)
		}
	}
	for _, folder := range []string{"", "sleep/"} {
		files, err := filepath.Glob(filepath.Join(docs, folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if _, ok := pages[folder+filepath.Base(f)]; ok {
				continue
			}
			if !*update || os.Remove(f) != nil {
				t.Errorf("%s is the page of no stage", f)
			}
		}
	}
}

func TestPageShowsWhatMatters(t *testing.T) {
	for _, s := range All() {
		page := Page(s)
		for _, want := range []string{"# " + s.Name + "\n", s.Summary + ".\n", strings.TrimSpace(s.Doc)} {
			if !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %q", s.Name, want)
			}
		}
	}
}

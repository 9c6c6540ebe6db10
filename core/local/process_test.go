package local_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/sdk/abi"
	kit "github.com/orma-memory/orma/sdk/guest"
	"github.com/orma-memory/orma/sdk/proc"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// TestMain makes this binary a plugin when a host starts it.
func TestMain(m *testing.M) {
	if os.Getenv(pb.CookieKey) != "" {
		proc.Serve(moody{})
		return
	}
	os.Exit(m.Run())
}

// moody is a ranker that does what the question says.
type moody struct{}

func (moody) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "moody", Version: "1", Contract: abi.Rank, Summary: "Do what the question says", Doc: "For tests.", Query: true,
		Columns: []abi.Column{{Name: "score", Kind: abi.F32, Read: true, Write: true}, {Name: "text", Kind: abi.Text, Read: true}},
	}
}

func (moody) Configure(*kit.Params) error { return nil }

func (moody) Rank(f *kit.Frame) error {
	score := f.F32("score")
	switch q := f.Query(); {
	case strings.Contains(q, "die"):
		os.Exit(7)
	case strings.Contains(q, "loop"):
		for n := 0; ; n++ { // for ever
		}
	case strings.Contains(q, "nan") && len(score) > 0:
		score[0] = float32(math.NaN())
	case strings.Contains(q, "shed"): // the rows are all that has the word
		for row := range score {
			if strings.Contains(f.Texts("text").At(row), "is in the shed.") {
				score[row] += 100
			}
		}
	case strings.Contains(q, "fail"):
		return errors.New("no")
	}
	return nil
}

// process puts the plugin behind the stages that rank.
func process(t testing.TB, plugin, stage string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("[plugin.moody]\npath = %q\nafter = \"rrf\"\n%s[pipeline.recall]\nstages = [\"bm25\", \"rrf\", \"pack\"]\n[stage.moody]\n%s", exe, plugin, stage)
}

const trusted = "trusted = true\n"

// TestRecallGoesOnBesideAProcess: whatever a program does, recall answers as it would
// without, and says so; the next recall has the program again.
func TestRecallGoesOnBesideAProcess(t *testing.T) {
	for _, what := range []string{"die", "nan", "fail"} {
		t.Run(what, func(t *testing.T) {
			m := open(t, home(t, process(t, trusted, "timeout_ms = 20000\n")))
			remember(t, m)
			for range 2 {
				bad := engine.Request{Query: "where are the spare keys " + what}
				got, err := m.Recall(t.Context(), bad)
				if err != nil {
					t.Fatal(err)
				}
				bad.Off = []string{"moody"}
				want, err := m.Recall(t.Context(), bad)
				if err != nil {
					t.Fatal(err)
				}
				if got.Block != want.Block || !strings.Contains(got.Block, "blue drawer") {
					t.Errorf("the block is\n%s\nwant\n%s", got.Block, want.Block)
				}
				if len(got.Notes) != 1 || got.Notes[0].Stage != "moody" {
					t.Errorf("notes %v, want one of the stage", got.Notes)
				}
				next, err := m.Recall(t.Context(), engine.Request{Query: "where are the spare keys"})
				if err != nil {
					t.Fatal(err)
				}
				if len(next.Notes) > 0 {
					t.Errorf("notes of the next recall: %v", next.Notes)
				}
			}
		})
	}
}

// TestProcessReadsTexts: a plugin that asks for texts gets what the rows say.
func TestProcessReadsTexts(t *testing.T) {
	m := open(t, home(t, process(t, trusted, "timeout_ms = 20000\n")))
	remember(t, m)
	got, err := m.Search(t.Context(), engine.Request{Query: "spare keys, not in the shed"})
	if err != nil || len(got.Notes) > 0 || len(got.Passages) < 2 {
		t.Fatalf("%v, %+v", err, got)
	}
	if p := got.Passages[0]; p.Text != "The spare tyre is in the shed." || p.Score < 100 {
		t.Errorf("the first is %q, score %v", p.Text, p.Score)
	}
}

// TestLoopBesideARecall: a program that never ends costs a recall its deadline.
func TestLoopBesideARecall(t *testing.T) {
	m := open(t, home(t, process(t, trusted, "timeout_ms = 50\n")))
	remember(t, m)
	start := time.Now()
	got, err := m.Recall(t.Context(), engine.Request{Query: "spare keys loop"})
	if err != nil || len(got.Notes) != 1 {
		t.Errorf("Recall: %v, notes %v", err, got.Notes)
	}
	if d := time.Since(start); d > 5*time.Second { // a hundred times the deadline: it does stop
		t.Errorf("it took %v", d)
	}
}

// TestRequiredProcess: a stage that must run fails the recall.
func TestRequiredProcess(t *testing.T) {
	m := open(t, home(t, process(t, trusted, "required = true\ntimeout_ms = 20000\n")))
	remember(t, m)
	if _, err := m.Recall(t.Context(), engine.Request{Query: "spare keys"}); err != nil {
		t.Error(err)
	}
	if _, err := m.Recall(t.Context(), engine.Request{Query: "spare keys die"}); err == nil || !strings.Contains(err.Error(), "recall/moody: the program ended") {
		t.Errorf("Recall: %v", err)
	}
}

// TestCrowdBesideAProcess recalls from 64 goroutines while the program dies now and then.
func TestCrowdBesideAProcess(t *testing.T) {
	m := open(t, home(t, process(t, trusted, "timeout_ms = 2000\n")))
	remember(t, m)
	want, err := m.Recall(t.Context(), engine.Request{Query: "spare keys", Off: []string{"moody"}})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range 5 {
				query := "spare keys"
				if g == 0 && i == 2 {
					query += " die"
				}
				got, err := m.Recall(context.Background(), engine.Request{Query: query})
				if err != nil || query == "spare keys" && got.Block != want.Block {
					t.Errorf("Recall: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// TestProcessProblems are errors of the configuration that say what to do.
func TestProcessProblems(t *testing.T) {
	for name, c := range map[string]struct{ toml, want string }{
		"not trusted":  {process(t, "", ""), "set trusted = true and sha256 = "},
		"another file": {process(t, trusted+"sha256 = \""+strings.Repeat("0", 64)+"\"\n", ""), "has changed: its sha256 is "},
		"no program":   {"[plugin.x]\npath = \"config.toml\"\ntrusted = true\n", "no program either"},
		"another name": {strings.Replace(process(t, trusted, ""), "[plugin.moody]", "[plugin.calm]", 1), `is the plugin "moody": write [plugin.moody]`},
		"a value":      {process(t, trusted+"env = [\"A=B\"]\n", ""), `which "A=B" is not`},
		"no plugin":    {"[plugin.x]\npath = \"/bin/true\"\ntrusted = true\n", "instead of the handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no plugin" {
				if _, err := os.Stat("/bin/true"); err != nil || runtime.GOOS == "windows" {
					t.Skip("skipped: no /bin/true")
				}
			}
			m, err := local.Open(context.Background(), local.Options{Home: home(t, c.toml), OneShot: true})
			if err == nil {
				_ = m.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || core.CodeOf(err) != core.CodeConfig {
				t.Errorf("Open: %v (%v), want %q", err, core.CodeOf(err), c.want)
			}
		})
	}
}

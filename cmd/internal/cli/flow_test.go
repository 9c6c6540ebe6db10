package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
)

// rows makes a history of n rows.
func rows(n int, from string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s%d","at":"2026-05-01T09:00:00Z","role":"user","text":"Note %d from %s: the %d bees are in hive %d."}`+"\n", from, i, i, from, i*7, i%9)
	}
	return b.String()
}

// What --json prints has the documented keys and no others.
func TestJSONShapes(t *testing.T) {
	h := newHome(t)
	h.file("h.jsonl", rows(3, "a"))
	for _, c := range []struct{ shape, args string }{
		{"import", "import h.jsonl"}, {"add", "add hello"}, {"forbid", "forbid never-do-this"}, {"recall", "recall bees --explain"},
		{"search", "search bees --explain"}, {"facts", "facts --history"}, {"correct", "correct 11 other"}, {"stats", "stats"},
		{"doctor", "doctor"}, {"stages", "stages"}, {"config path", "config path"}, {"model list", "model list"}, {"version", "version"},
		{"quarantine", "quarantine --source import"}, {"quarantine", "quarantine --source import --release"}, {"erase", "erase 1"},
		{"bench latency", "bench latency --sizes 50 --queries 5"},
	} {
		v := reflect.New(reflect.TypeOf(shapes[c.shape]))
		h.json(v.Interface(), strings.Fields(c.args)...)
		if v.Elem().IsZero() {
			t.Errorf("orma %s printed nothing: %+v", c.args, v.Elem())
		}
	}
	var facts []engine.Fact
	h.json(&facts, "facts")
	if len(facts) != 1 || len(facts[0].Sources) == 0 || facts[0].Value != "other" {
		t.Fatalf("facts: %+v", facts)
	}
	var f engine.Fact
	h.json(&f, "forget", fmt.Sprint(facts[0].ID))
	if f.Active || !f.Forgotten {
		t.Errorf("forget: %+v", f)
	}
	var rc core.Receipt
	h.json(&rc, "erase-space", "default", "--yes")
	if len(rc.Episodes) == 0 || !rc.Clean {
		t.Errorf("erase-space: %+v", rc)
	}
	for _, args := range []string{"config check", "config show", "backup x.db", "reindex", "restore x.db --yes"} {
		var v map[string]any
		if h.json(&v, strings.Fields(args)...); len(v) == 0 {
			t.Errorf("orma %s printed nothing", args)
		}
	}
}

// An export of every space, taken back into another home, is the same export.
func TestExportComesBack(t *testing.T) {
	a, b := newHome(t), newHome(t)
	a.ok("add", "The key is under the pot.", "--at", "2026-05-01", "--ttl", "7d", "--speaker", "Ann", "--session", "s")
	a.ok("add", "The key is under the pot.", "--at", "2026-05-02", "--speaker", "Ann")
	a.ok("forbid", "never on Fridays", "--space", "work")
	a.ok("add", "\"quotes\" <b>&amp;</b> \u2028 部署 \\n", "--space", "a b/ü")
	a.ok("export", "--all", "--out", filepath.Join(b.dir, "x.jsonl"))
	if i, err := os.Stat(filepath.Join(b.dir, "x.jsonl")); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("the export may be read by others: %v %v", i.Mode(), err)
	}
	b.ok("import", "x.jsonl")
	var one, two core.SpaceStats
	for _, space := range []string{"default", "work", "a b/ü"} {
		for h, into := range map[*home]*core.SpaceStats{a: &one, b: &two} {
			var s engine.Stats
			h.json(&s, "stats", "--space", space)
			*into = s.Spaces[0]
		}
		if one != two {
			t.Errorf("space %s: %+v came back as %+v", space, one, two)
		}
	}
	blocks := [2]engine.Recalled{}
	a.json(&blocks[0], "recall", "key", "--now", "2026-05-03")
	b.json(&blocks[1], "recall", "key", "--now", "2026-05-03")
	if blocks[0].Block != blocks[1].Block || !strings.Contains(blocks[0].Block, "under the pot") {
		t.Errorf("recall differs:\n%s\n%s", blocks[0].Block, blocks[1].Block)
	}
	var again history.Summary
	if b.json(&again, "import", "x.jsonl"); again.Added != 0 || again.Bad != 0 {
		t.Errorf("again: %+v", again)
	}
}

// An interrupted import keeps what it did, says so, and goes on when it is run again.
func TestInterruptedImport(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupts to send")
	}
	h := newHome(t)
	const n = 17_000
	all := rows(n, "a")
	cmd := h.command("import", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// What a pipe and the reader hold is far less than half of it; the rest was read.
	if _, err := io.WriteString(stdin, all); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it fails: the exit code says how
	_ = stdin.Close()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), "stopped after") || !strings.Contains(errs.String(), "kept") {
		t.Errorf("exit %d: %s%s", cmd.ProcessState.ExitCode(), &errs, &out)
	}
	var s engine.Stats
	h.json(&s, "stats")
	if len(s.Spaces) == 0 {
		t.Fatalf("nothing is kept: %s%s", &errs, &out)
	}
	kept := s.Spaces[0].Episodes
	if kept < 1000 || kept >= n || !strings.Contains(out.String(), fmt.Sprint(kept)) {
		t.Errorf("%d episodes are kept; it said %s", kept, &out)
	}
	r := h.feed(all, "import", "-", "--json")
	if h.json(&s, "stats"); r.code != 0 || s.Spaces[0].Episodes != n || s.Spaces[0].Repeats != 0 {
		t.Errorf("again: exit %d, %+v", r.code, s.Spaces[0])
	}
	if !strings.Contains(r.out, fmt.Sprintf(`"known": %d`, kept)) {
		t.Errorf("again: %s", r.out)
	}
}

// Four processes write and read one new database at once, and nothing is lost.
func TestProcessesShareADatabase(t *testing.T) {
	h := newHome(t)
	var wg sync.WaitGroup
	results := make([]result, 8)
	for i := range 4 {
		h.file(fmt.Sprintf("%d.jsonl", i), rows(200, fmt.Sprintf("p%d-", i)))
		wg.Go(func() { results[i] = h.run("import", fmt.Sprintf("%d.jsonl", i)) })
		wg.Go(func() { results[4+i] = h.run("recall", "bees in hive") })
	}
	wg.Wait()
	for _, r := range results {
		if r.code != 0 {
			t.Errorf("%+v", r)
		}
	}
	var s engine.Stats
	if h.json(&s, "stats"); len(s.Spaces) != 1 || s.Spaces[0].Episodes != 800 {
		t.Errorf("%+v", s.Spaces)
	}
	h.ok("doctor")
}

func TestAddReadsFilesAndInput(t *testing.T) {
	h := newHome(t)
	h.file("note.md", "# Bees\n\nThey live behind the shed.\n")
	h.file("long.txt", strings.Repeat("One paragraph about hive number seven and its queen.\n\n", 400))
	h.file("readme", "short")
	long := strings.Repeat("words of a long text ", 100)
	for _, c := range []struct {
		name   string
		stdin  string
		args   []string
		source string
		kind   core.Kind
		keys   []string
		text   string
	}{
		{"a text", "", []string{"add", "hello there"}, "cli", core.KindNote, []string{""}, "hello there"},
		{"words without quotes", "", []string{"add", "hello", "again"}, "cli", core.KindNote, []string{""}, "hello again"},
		{"a text longer than a file name", "", []string{"add", long}, "cli", core.KindNote, []string{""}, long},
		{"a text with a path in it", "", []string{"add", strings.Repeat("a/", 200)}, "cli", core.KindNote, []string{""}, "a/a/"},
		{"a file", "", []string{"add", "note.md"}, "file:note.md", core.KindDocument, []string{"note.md#1"}, "# Bees"},
		{"a text that names a file", "", []string{"add", "--text", "readme"}, "cli", core.KindNote, []string{""}, "readme"},
		{"a file by flag", "", []string{"add", "--file", "readme", "--kind", "note"}, "file:readme", core.KindNote, []string{"readme#1"}, "short"},
		{"a long file", "", []string{"add", "long.txt"}, "file:long.txt", core.KindDocument, []string{"long.txt#1", "long.txt#2", "long.txt#3"}, "One paragraph"},
		{"standard input", "from a pipe\n", []string{"add", "-"}, "cli", core.KindNote, []string{""}, "from a pipe\n"},
		{"a text with a dash", "", []string{"add", "- a list item"}, "cli", core.KindNote, []string{""}, "- a list item"},
		{"a flag's value with a dash", "", []string{"add", "--text", "-5 degrees"}, "cli", core.KindNote, []string{""}, "-5 degrees"},
		{"an assistant's text", "", []string{"add", "as I said", "--role", "assistant"}, "cli", core.KindTurn, []string{""}, "as I said"},
		{"a tool's text", "", []string{"add", "exit 0", "--role", "tool"}, "cli", core.KindTool, []string{""}, "exit 0"},
		{"a source of one's own", "", []string{"add", "x y", "--source", "diary"}, "diary", core.KindNote, []string{""}, "x y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := &home{t, h.dir}
			space := strings.ReplaceAll(c.name, " ", "-")
			if r := h.feed(c.stdin, append(c.args, "--space", space)...); r.code != 0 {
				t.Fatalf("%+v", r)
			}
			out := h.ok("export", "--space", space)
			var keys []string
			for l := range history.Lines(strings.NewReader(out)) {
				_, in, err := history.ParseRow(l.Data, nil)
				if err != nil {
					t.Fatal(err)
				}
				keys = append(keys, in.Key)
				if in.Source != c.source || in.Kind != c.kind || !strings.HasPrefix(in.Text, c.text) {
					t.Errorf("stored %+.200v", in)
				}
			}
			if strings.Join(keys, " ") != strings.Join(c.keys, " ") {
				t.Errorf("keys %q, want %q", keys, c.keys)
			}
		})
	}
}

// Progress and colour are for terminals: into a pipe goes plain text.
func TestPipesGetPlainText(t *testing.T) {
	h := newHome(t)
	h.file("h.jsonl", rows(3000, "a"))
	for _, args := range []string{"import h.jsonl", "recall bees", "search bees", "reindex", "backup", "stats"} {
		if r := h.run(strings.Fields(args)...); strings.ContainsAny(r.out+r.err, "\r\x1b") {
			t.Errorf("orma %s: %+q", args, r.out+r.err)
		}
	}
}

// A reader that goes away is no crash.
func TestClosedOutput(t *testing.T) {
	h := newHome(t)
	h.file("h.jsonl", rows(3000, "a"))
	h.ok("import", "h.jsonl")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	cmd := h.command()
	cmd.Path, cmd.Args = sh, []string{"sh", "-c", binary + " export | head -c 100"}
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "panic") {
		t.Errorf("%v: %.300s", err, out)
	}
}

// doctor finds a hole and mends it; of what is no database it says that only a backup
// helps.
func TestDoctor(t *testing.T) {
	h := newHome(t)
	h.file("h.jsonl", rows(400, "a"))
	h.ok("import", "h.jsonl")
	path := filepath.Join(h.dir, "memory.db")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte("hive")) &^ 4095 // the page of a table
	copy(data[at:], make([]byte, 4096))
	h.file("memory.db", string(data))
	if r := h.run("doctor"); r.code != 1 || !strings.Contains(r.out, "problem: ") || !strings.Contains(r.err, "orma doctor --fix") {
		t.Fatalf("%+v", r)
	}
	if r := h.run("doctor", "--fix"); r.code != 0 || !strings.Contains(r.out, "fixed: ") || !strings.Contains(r.out, ".damaged") {
		t.Fatalf("%+v", r)
	}
	if r := h.run("doctor"); r.code != 0 || r.out != "ok\n" {
		t.Errorf("%+v", r)
	}
	h.file("memory.db", strings.Repeat("this is no database ", 500))
	if r := h.run("doctor", "--fix"); r.code != 1 || !strings.Contains(r.err, "orma restore FILE") {
		t.Errorf("%+v", r)
	}
}

// The key of the help's own example is made with its folder, and what it locks opens again.
func TestEncryptMakesTheKeysFolder(t *testing.T) {
	h := newHome(t)
	h.ok("add", "The spare key is under the red pot.")
	key := filepath.Join(h.dir, "not", "there", "orma.key")
	h.ok("encrypt", "--key-file", key)
	if i, err := os.Stat(key); err != nil || i.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		t.Fatalf("the key: %v, %v", i, err)
	}
	h.file("config.toml", "[store]\nkey_file = "+strconv.Quote(key)+"\n")
	if out := h.ok("search", "spare key"); !strings.Contains(out, "red pot") {
		t.Errorf("found %q", out)
	}
}

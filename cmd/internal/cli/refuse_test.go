package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each command, called wrongly or with what cannot be: a sentence that says what is
// wrong, no result, and the exit code of its kind. The same holds with --json.
func TestRefusals(t *testing.T) {
	h := newHome(t)
	h.ok("add", "The spare key is under the red pot.")
	h.ok("forbid", "never push on a Friday")
	h.file("empty.txt", " \n\n")
	h.file("empty.jsonl", "\n\n")
	h.file("bad.jsonl", "hello\n{\"text\":5}\n")
	h.file("picture.png", "\x89PNG\r\n\x1a\n\x00\x00")
	h.file("wide.txt", "\xff\xfe\x00\x00h\x00\x00\x00i\x00\x00\x00")
	h.file("broken.db", strings.Repeat("this is no database ", 500))
	h.file("bad.toml", "[stage.bm25]\nkk = 3\n")
	h.file("exists.jsonl", "")
	h.file("none.jsonl", `{"id": "c", "turns": [{"id": "t", "text": "I keep bees."}], "questions": [{"id": "q", "text": "What?", "evidence": []}]}`)
	if err := os.Mkdir(filepath.Join(h.dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string // parted by spaces; ␣ is a space inside one
		code int
		want string
	}{
		{"frobnicate", 2, "unknown command"},
		{"recal", 2, "did you mean orma recall?"},
		{"erase-spce x", 2, "did you mean orma erase-space?"},
		{"token lst", 2, "did you mean orma token list?"},
		{"config shw", 2, "did you mean orma config show?"},
		{"help serach", 2, "did you mean orma search?"},
		{"help token lst", 2, "did you mean orma token list?"},
		{"help frobnicate", 2, "see orma --help"},
		{"setup claude", 2, "use claude-code, or another of"},
		{"setup notepad", 2, "use one of: claude-code"},
		{"token", 2, "new, list, revoke or log"},
		{"plugin", 2, "new, build, check, list or inspect"},
		{"--frobnicate", 2, "unknown flag: --frobnicate"},
		{"--jsn stats", 2, "did you mean --json?"},
		{"recall x --bugdet 5", 2, "did you mean --budget?"},
		{"facts --as-off 2026-01-01", 2, "did you mean --as-of?"},
		{"facts -5", 2, "see orma facts --help"},
		{"recall -5", 2, `orma recall -- "-5 degrees"`},
		{"recall x --frobnicate", 2, "unknown flag: --frobnicate"},
		{"recall x --budget many", 2, "many"},
		{"recall x --budget -5", 1, "budget -5"},
		{"recall x --format pretty", 2, "classic"},
		{"recall x --now yesterday-ish", 2, "--now"},
		{"recall x --now 2026-02-30", 2, "--now"},
		{"recall x --now 0001-01-01", 2, "no time at all"},
		{"add x --at 0001-01-01T00:00:00Z", 2, "no time at all"},
		{"recall x --off", 2, "--off"},
		{"recall x --off bm52", 1, "bm52"},
		{"recall x --set stage.bm25.k", 1, "KEY=VALUE"},
		{"recall x --set stage.bm25.k=lots", 1, "stage.bm25.k=lots"},
		{"recall x --config nowhere.toml", 1, "nowhere.toml"},
		{"recall x --config bad.toml", 1, "bad.toml:2"},
		{"recall x --log-level loud", 2, "debug"},
		{"recall x --space a\nb", 1, "control character"},
		{"recall x --db folder", 1, "folder"},
		{"recall x --db broken.db", 1, "broken.db"},
		{"search x --limit -1", 1, "limit -1"},
		{"search x --limit 9999", 1, "limit 9999"},
		{"facts --as-of never", 2, "--as-of"},
		{"facts one", 2, "one too many"},
		{"add", 2, "needs a TEXT"},
		{"add ␣", 1, "empty"},
		{"add empty.txt", 1, "empty"},
		{"add --file nowhere.txt", 1, "no file nowhere.txt"},
		{"add --file folder", 1, "is a folder"},
		{"add picture.png", 1, "a PNG image"},
		{"add wide.txt", 1, "UTF-32"},
		{"add --text a --file b", 2, "one of"},
		{"add x --text a", 2, "one of"},
		{"add x --kind thing", 2, "anti_pattern"},
		{"add x --role boss", 2, "assistant"},
		{"add x --at soon", 2, "--at"},
		{"add x --tz Mars/Base", 2, "Mars/Base"},
		{"add x --ttl 5x", 2, "--ttl"},
		{"add x --ttl 0m", 2, "--ttl"},
		{"add x --space other --set limits.spaces=1", 1, "limits.spaces = 1"},
		{"add x --set limits.space_episodes=1", 1, "limits.space_episodes = 1"},
		{"forbid", 2, "needs a RULE"},
		{"forbid ␣", 1, "empty"},
		{"forget", 2, "the ID of a fact"},
		{"forget one", 2, `"one" is not an id`},
		{"forget -1", 2, "-1"},
		{"forget 0", 2, `"0" is not an id`},
		{"forget 99999999999999999999", 2, "not an id"},
		{"forget 999", 1, "no fact 999"},
		{"forget 1", 1, "1 is an episode"},
		{"forget 5 6", 2, "one too many"},
		{"correct 5", 2, "a TEXT"},
		{"correct x y", 2, "not an id"},
		{"correct 999 y", 1, "no fact 999"},
		{"correct 5 ␣", 1, "empty"},
		{"erase", 2, "the ID of an episode"},
		{"erase x", 2, "not an id"},
		{"erase 999", 1, "999"},
		{"erase 2", 1, "2 is a line of episode 1"},
		{"erase 5", 1, "5 is a fact"},
		{"erase 1 --source x", 2, "no ID beside --source"},
		{"erase 1 --dry-run", 2, "--dry-run goes with --source"},
		{"erase --source * --yes", 1, "a source has a name"},
		{"erase --source nobody --yes", 1, "nobody"},
		{"erase --source nobody", 1, "nobody"},
		{"erase-space", 2, "the NAME"},
		{"erase-space default", 2, "--yes"},
		{"erase-space nowhere --yes", 1, "nowhere"},
		{"quarantine", 2, "--source"},
		{"quarantine --source cli --since soon", 2, "--since"},
		{"import", 2, "a FILE"},
		{"import nowhere.jsonl", 1, "nowhere.jsonl"},
		{"import empty.jsonl", 1, "empty.jsonl"},
		{"import bad.jsonl", 1, "bad.jsonl"},
		{"export --space nowhere", 1, `"nowhere"`},
		{"export --out exists.jsonl", 1, "exists already"},
		{"backup exists.jsonl", 1, "exists already"},
		{"restore", 2, "the FILE"},
		{"restore nowhere.db", 2, "--yes"},
		{"restore nowhere.db --yes", 1, "nowhere.db"},
		{"restore empty.txt --yes", 1, "empty.txt"},
		{"stats --space nowhere", 1, `no space "nowhere"`},
		{"stages bm52", 1, `did you mean bm25`},
		{"stages frobnicate", 1, `no stage "frobnicate"`},
		{"config", 2, "check, show or path"},
		{"config check --config bad.toml", 1, "bad.toml:2"},
		{"eval", 2, "recall or fit"},
		{"eval recall nowhere.jsonl", 1, "nowhere.jsonl"},
		{"eval recall empty.jsonl", 1, "empty.jsonl"},
		{"eval recall bad.jsonl", 1, "bad.jsonl"},
		{"eval recall bad.jsonl --limit -3", 2, "--limit"},
		{"eval recall none.jsonl", 1, "no question in it"},
		{"eval fit", 2, "the FILE"},
		{"bench latency --sizes 0", 2, "--sizes"},
		{"bench latency --queries 0", 2, "--queries"},
		{"model", 2, "list, pull or pack"},
		{"model pull ../x", 1, "owner/model"},
		{"model pack nowhere", 1, "no folder nowhere"},
		{"completion tcsh", 2, "tcsh"},
		{"version now", 2, "one too many"},
		{"help nonsense", 2, "no command"},
	} {
		t.Run(c.args, func(t *testing.T) {
			h := &home{t, h.dir}
			args := strings.Split(c.args, " ")
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "␣", " ")
			}
			r := h.run(args...)
			if r.code != c.code || !strings.Contains(r.err, c.want) || !strings.HasPrefix(lastError(r.err), "orma: ") {
				t.Errorf("exit %d, want %d; stderr %q, want %q in it", r.code, c.code, r.err, c.want)
			}
			r = h.run(append([]string{"--json"}, args...)...)
			var f struct{ Error failure }
			lines := strings.Split(strings.TrimSpace(r.err), "\n")
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &f); err != nil || f.Error.Code == "" || f.Error.Message == "" || r.code != c.code {
				t.Errorf("with --json: exit %d, %v: %q", r.code, err, r.err)
			}
			if strings.TrimSpace(r.out) != "" && !strings.HasPrefix(c.args, "import") {
				t.Errorf("with --json it printed a result: %q", r.out)
			}
		})
	}
}

// lastError is the part of standard error that main wrote.
func lastError(s string) string {
	if i := strings.LastIndex(s, "orma: "); i >= 0 {
		return s[i:]
	}
	return s
}

// Nothing found is said, on standard error.
func TestNothingFoundIsSaid(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{"recall", "x"}, {"recall", ""}, {"search", "x"}, {"facts"}, {"facts", "--history"}, {"model", "list"}} {
		if r := h.run(args...); r.code != 0 || r.out != "" || strings.TrimSpace(r.err) == "" {
			t.Errorf("orma %q: %+v", args, r)
		}
	}
	if r := h.run("stats"); !strings.Contains(r.out, "none yet") {
		t.Errorf("stats: %+v", r)
	}
}

// The first run says where the database is, and makes it for the user alone.
func TestFirstRun(t *testing.T) {
	h := newHome(t)
	r := h.run("add", "hello there")
	path := filepath.Join(h.dir, "memory.db")
	if !strings.Contains(r.err, "created database "+path) {
		t.Errorf("first run: %+v", r)
	}
	if i, err := os.Stat(path); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", i.Mode(), err)
	}
	if r := h.run("add", "hello again"); strings.Contains(r.err, "created") {
		t.Errorf("second run: %+v", r)
	}
	deep := filepath.Join(h.dir, "a", "b", "m.db")
	if r := h.run("--db", deep, "stats"); r.code != 0 || !strings.Contains(r.err, deep) {
		t.Errorf("--db in a new folder: %+v", r)
	}
}

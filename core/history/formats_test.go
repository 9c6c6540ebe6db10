package history_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
)

// reports collects what an import says.
type reports struct{ bad, notes []string }

func (r *reports) options(name string) history.Options {
	return history.Options{
		Name:     name,
		Modified: t0,
		Bad:      func(place string, err error) { r.bad = append(r.bad, place+": "+err.Error()) },
		Note:     func(place, text string) { r.notes = append(r.notes, place+": "+text) },
	}
}

// stored lists what a memory holds, a line an episode.
func stored(t *testing.T, m *local.Memory) string {
	t.Helper()
	var b strings.Builder
	for ep, err := range m.Store.Scan(t.Context(), core.DefaultSpace, 0) {
		if err != nil {
			t.Fatal(err)
		}
		at := ep.At.UTC().Format("2006-01-02T15:04:05")
		fmt.Fprintf(&b, "%s %s %s %s %s %s: %.70s\n", at, ep.Source, ep.Key, ep.Kind, ep.Role, ep.Trust, strings.ReplaceAll(ep.Text, "\n", "/"))
	}
	return b.String()
}

const (
	fromChatGPT = `2026-01-01T09:00:01 chatgpt c-bread/n2 turn user user: Why is my crumb so dense?
2026-01-01T09:00:20 chatgpt c-bread/n3b turn assistant assistant: The dough was not proofed long enough.//Give it an hour more.
2026-01-01T09:00:20 chatgpt c-bread/n4 tool tool tool: hydration = 0.62
2026-01-01T09:01:40 chatgpt c-bread/n5 turn user user: I bake on Sundays, at 230 degrees.
2026-01-03T09:00:00 chatgpt c-untitled/a1 turn user user: My bike is a blue Brompton.
`
	fromClaude = `2026-02-03T09:00:01 claude d-garden/m1 turn user user: Here is my plan.
2026-02-03T09:00:01 claude d-garden/m1/plan.txt document user document: Beans go beside the corn, not the onions.
2026-02-03T09:00:09 claude d-garden/m2 turn assistant assistant: Sow after the frost.
2026-02-03T09:00:09 claude d-garden/m2/tool3 tool tool tool: frost until 12 February
2026-02-03T09:01:00 claude d-garden/m3 turn user user: Thanks, I will wait.
`
	fromMem0 = `2025-11-02T15:00:00 mem0 9f1 note user import: Plays the cello in a string quartet
2026-01-05T15:00:00 mem0 9f2 note user import: Is allergic to walnuts
`
)

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/import/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Each format is known by its content, whatever the file is called, and importing it
// again adds nothing.
func TestFormats(t *testing.T) {
	bread, _, _ := bytes.Cut(fixture(t, "chatgpt.json"), []byte("\n  },\n"))
	one := append(bytes.TrimPrefix(bread, []byte("[\n")), "}"...)
	untitled := fromChatGPT[strings.Index(fromChatGPT, "2026-01-03"):]
	tests := []struct {
		name, file string
		data       []byte
		want       string
		skipped    int
	}{
		{"chatgpt", "conversations.json", fixture(t, "chatgpt.json"), fromChatGPT, 2},
		{"one conversation", "x", one, strings.TrimSuffix(fromChatGPT, untitled), 1},
		{"conversations under a key", "x", []byte(`{"version": 2, "conversations": ` + string(fixture(t, "chatgpt.json")) + "}"), fromChatGPT, 2},
		{"with a byte order mark", "x", append([]byte("\xef\xbb\xbf"), fixture(t, "chatgpt.json")...), fromChatGPT, 2},
		{"claude", "conversations.json", fixture(t, "claude.json"), fromClaude, 0},
		{"mem0", "memories.json", fixture(t, "mem0.json"), fromMem0, 1},
		{"mem0, a bare list", "x", []byte(`[{"id": "a", "memory": "Likes tea", "created_at": 1767258001}]`), "2026-01-01T09:00:01 mem0 a note user import: Likes tea\n", 0},
		{"mem0, texts alone", "x", []byte(`{"memories": ["Likes tea"]}`), "2026-05-01T10:00:01 mem0 d73e14c05fd1687b02cd2925f679804d note user import: Likes tea\n", 0},
		{
			"markdown", "bread.md", []byte("---\ntitle: Bread\ndate: 2026-03-01 # about\n---\n\nFeed it daily.\n"),
			"2026-03-01T00:00:00 file:bread.md bread.md#1 document user document: ---/title: Bread/date: 2026-03-01 # about/---//Feed it daily./\n", 0,
		},
		{"rows", "x", []byte("\n" + `{"id": 1, "at": 1767258001, "text": "I like tea"}`), "2026-01-01T09:00:01 import 1 turn user user: I like tea\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t)
			for again := range 2 {
				var r reports
				sum, err := history.Import(t.Context(), m.Engine, bytes.NewReader(tt.data), r.options(tt.file))
				if err != nil || len(r.bad)+len(r.notes) > 0 {
					t.Fatal(err, r)
				}
				n := strings.Count(tt.want, "\n")
				if again == 0 && (sum.Added != n || sum.Known != 0) || again == 1 && (sum.Added != 0 || sum.Known != n) || sum.Skipped != tt.skipped {
					t.Errorf("import %d: %+v, want %d rows and %d skipped", again+1, sum, n, tt.skipped)
				}
			}
			if got := stored(t, m); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// archive makes a ZIP archive of files, "name: content" in the order given.
func archive(t *testing.T, files ...[2]string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func TestZip(t *testing.T) {
	whole := string(fixture(t, "chatgpt.json"))
	cut := strings.Index(whole, "\n  },\n") + len("\n  }")
	tests := []struct {
		name    string
		files   [][2]string
		want    string
		skipped int
		bad     []string
	}{
		{
			"chatgpt", [][2]string{{"chat.html", "<html>"}, {"conversations.json", whole}, {"user.json", `{"id": "u", "email": "x"}`}, {"message_feedback.json", `[]`}, {"empty.json", ""}},
			fromChatGPT, 6, nil,
		},
		{"split files", [][2]string{{"export/conversations-000.json", whole[:cut] + "]"}, {"export/conversations-001.json", "[" + whole[cut+1:]}}, fromChatGPT, 2, nil},
		{"claude", [][2]string{{"users.json", `[{"uuid": "u"}]`}, {"conversations.json", string(fixture(t, "claude.json"))}, {"projects.json", `[{"uuid": "p", "name": "n"}]`}}, fromClaude, 2, nil},
		{
			"names that lead out", [][2]string{{"../../etc/mem.json", string(fixture(t, "mem0.json"))}, {"/abs.json", "[]"}, {`a\..\b.json`, "[]"}, {"mem.json", string(fixture(t, "mem0.json"))}},
			fromMem0, 1, []string{"../../etc/mem.json: ", "/abs.json: ", `a\..\b.json: `},
		},
		{"UTF-16 beside", [][2]string{{"a.json", "\xff\xfe[\x00]\x00"}, {"mem.json", string(fixture(t, "mem0.json"))}}, fromMem0, 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t)
			var r reports
			z := archive(t, tt.files...)
			sum, err := history.ImportZip(t.Context(), m.Engine, z, z.Size(), r.options("export.zip"))
			if err != nil || sum.Skipped != tt.skipped || len(r.bad) != len(tt.bad) {
				t.Fatalf("%v %+v %q", err, sum, r.bad)
			}
			for i, want := range tt.bad {
				if !strings.HasPrefix(r.bad[i], want) {
					t.Errorf("reported %q, want %q", r.bad[i], want)
				}
			}
			if got := stored(t, m); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// A damaged archive, or one that says less than it holds, costs the damaged file.
func TestZipDamage(t *testing.T) {
	z := archive(t, [2]string{"a.json", string(fixture(t, "mem0.json"))}, [2]string{"b.json", string(fixture(t, "mem0.json"))})
	data := make([]byte, z.Size())
	if _, err := z.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(data)
	flipped[120] ^= 0xff // inside the first file
	var r reports
	m := open(t)
	if sum, err := history.ImportZip(t.Context(), m.Engine, bytes.NewReader(flipped), z.Size(), r.options("x.zip")); err != nil || len(r.bad) == 0 || sum.Added < 2 {
		t.Errorf("%v %+v %q", err, sum, r.bad)
	}
	if got := stored(t, m); got != fromMem0 {
		t.Errorf("got\n%s", got)
	}
	half := data[:len(data)/2]
	if _, err := history.ImportZip(t.Context(), m.Engine, bytes.NewReader(half), int64(len(half)), r.options("x.zip")); core.CodeOf(err) != core.CodeInvalid {
		t.Errorf("half an archive: %v", err)
	}
}

// A file that unpacks to hundreds of times its size is refused before it is unpacked.
func TestZipBomb(t *testing.T) {
	m := open(t)
	var r reports
	z := archive(t, [2]string{"bomb.json", "[" + strings.Repeat(" ", 65<<20) + "]"}, [2]string{"mem.json", string(fixture(t, "mem0.json"))})
	sum, err := history.ImportZip(t.Context(), m.Engine, z, z.Size(), r.options("x.zip"))
	if err != nil || sum.Added != 2 || len(r.bad) != 1 || !strings.Contains(r.bad[0], "times its size") {
		t.Errorf("%v %+v %q", err, sum, r.bad)
	}
}

func TestFolder(t *testing.T) {
	dir := fstest.MapFS{
		"a/bread.md":           {Data: []byte("+++\ndate = \"2026-03-01T08:00:00+01:00\"\n+++\n\n" + strings.Repeat("Feed it daily, and keep it warm.\n\n", 400)), ModTime: t0},
		"b.MARKDOWN":           {Data: []byte("---\ndate: next spring\n---\nno date"), ModTime: t0},
		"c.md":                 {Data: []byte("a rule\n---\n"), ModTime: t0.Add(time.Hour)},
		"empty.md":             {Data: []byte(" \n"), ModTime: t0},
		"image.png":            {Data: []byte("\x89PNG")},
		"picture.md":           {Data: []byte("\x89PNG\r\n\x1a\n")},
		"package.json":         {Data: []byte(`{"name": "x"}`)},
		"rows.jsonl":           {Data: []byte(`{"text": "row"}`)},
		".git/config.md":       {Data: []byte("hidden")},
		"memories/export.json": {Data: fixture(t, "mem0.json")},
	}
	m := open(t)
	for range 2 {
		var r reports
		sum, err := history.ImportFolder(t.Context(), m.Engine, dir, r.options("notes"))
		if err != nil {
			t.Fatal(err)
		}
		if sum.Skipped != 5 || len(r.bad) != 1 || !strings.HasPrefix(r.bad[0], "picture.md: it is a PNG image") || len(r.notes) != 1 || !strings.HasPrefix(r.notes[0], "b.MARKDOWN: part 1: date: ") {
			t.Errorf("%+v %q %q", sum, r.bad, r.notes)
		}
	}
	got := stored(t, m)
	for _, want := range []string{
		"2026-03-01T07:00:00 file:a/bread.md a/bread.md#1 document user document: +++/date", "2026-03-01T07:00:00 file:a/bread.md a/bread.md#2 document",
		"2026-05-01T10:00:00 file:b.MARKDOWN b.MARKDOWN#1 document", "2026-05-01T11:00:00 file:c.md c.md#1 document user document: a rule", fromMem0,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from\n%s", want, got)
		}
	}
	if strings.Count(got, "\n") != 6 || strings.Contains(got, "row") {
		t.Errorf("got\n%s", got)
	}
}

// A forced format takes only its own files of a folder.
func TestFolderFormat(t *testing.T) {
	m := open(t)
	var r reports
	o := r.options("notes")
	o.Format = history.FormatRows
	dir := fstest.MapFS{"a.md": {Data: []byte("x")}, "b.jsonl": {Data: []byte(`{"id": "b", "at": "2026-01-01", "text": "row"}`)}}
	if sum, err := history.ImportFolder(t.Context(), m.Engine, dir, o); err != nil || sum.Added != 1 || sum.Skipped != 1 {
		t.Errorf("%v %+v", err, sum)
	}
}

// The memories of two people do not get into one space.
func TestMem0Users(t *testing.T) {
	data := `[{"id": "1", "memory": "a", "user_id": "ann"}, {"id": "2", "memory": "b", "user_id": "bo"}, {"id": "3", "memory": "c"}]`
	for user, want := range map[string][2]int{"": {2, 1}, "ann": {1, 0}, "bo": {1, 0}, "cy": {0, 0}} {
		m := open(t)
		var r reports
		o := r.options("m.json")
		o.User = user
		sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(data), o)
		if err != nil || sum.Added != want[0] || sum.Bad != want[1] {
			t.Errorf("user %q: %v %+v %q", user, err, sum, r.bad)
		}
	}
}

// What JSON holds that is no text is replaced, kept and counted, whatever the format, and
// only in the message that had it.
func TestDamageIsCounted(t *testing.T) {
	for name, data := range map[string]string{
		"rows":        `{"text": "a %s b"}` + "\n" + `{"text": "whole"}`,
		"rows, list":  `[{"text": "a %s b"}, {"text": "whole"}]`,
		"chatgpt":     gpt(`"b"`, node("a", "", "1", "A"), node("b", "a", "2", "whole")),
		"claude":      `[{"uuid": "k", "chat_messages": [{"uuid": "m", "sender": "human", "text": "a %s b"}, {"uuid": "n", "sender": "human", "text": "whole"}]}]`,
		"mem0":        `[{"memory": "a %s b"}, {"memory": "whole"}]`,
		"claude-code": `{"type": "user", "sessionId": "s", "uuid": "1", "message": {"content": "a %s b"}}` + "\n" + `{"type": "user", "sessionId": "s", "uuid": "2", "message": {"content": "whole"}}`,
	} {
		data = strings.Replace(data, `"A"`, `"a %s b"`, 1)
		for _, broken := range []string{"\xe9", `\ud83d`, `\udc00`, `\u0000`} {
			m := open(t)
			var r reports
			sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(strings.Replace(data, "%s", broken, 1)), r.options("x"))
			if err != nil || sum.Added != 2 || sum.Repaired != 1 {
				t.Errorf("%s with %q: %+v, %v; want 2 added, one of them repaired", name, broken, sum, err)
			}
		}
	}
}

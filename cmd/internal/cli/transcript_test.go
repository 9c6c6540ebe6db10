package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Transcripts hold what a person sees: commands and, below each, what it printed, what
// it said on standard error (after "! "), and its exit code if it is not 0. Rewrite them
// with -update and read the difference.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "transcripts", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			h := newHome(t)
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			inFile, name, body := false, "", ""
			for line := range strings.Lines(string(src)) {
				switch {
				case inFile && line == "EOF\n":
					h.file(name, body)
					b.WriteString(line + "\n")
					inFile = false
				case inFile:
					body += line
					b.WriteString(line)
				case strings.HasPrefix(line, "< "):
					inFile, name, body = true, strings.TrimSpace(line[2:]), ""
					b.WriteString(line)
				case strings.HasPrefix(line, "$ "):
					b.WriteString(line + transcript(h, fields(line[2:])) + "\n")
				case strings.HasPrefix(line, "# "):
					b.WriteString(line)
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := b.String(), string(src); got != want && !*update {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// changing is what differs between machines and runs.
var changing = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d+(\.\d)? [KM]B`), "N KB"},
	{regexp.MustCompile(`static-256@[0-9a-f]+`), "static-256@REVISION"},
	{regexp.MustCompile(`digest [0-9a-f]+`), "digest DIGEST"},
}

func transcript(h *home, args []string) string {
	r := h.run(args...)
	var b strings.Builder
	b.WriteString(r.out)
	for line := range strings.Lines(r.err) {
		b.WriteString("! " + line)
	}
	if r.code != 0 {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	out := strings.ReplaceAll(b.String(), h.dir, "HOME")
	for _, c := range changing {
		out = c.re.ReplaceAllString(out, c.with)
	}
	return out
}

// fields cuts a command line at spaces outside of double quotes, without the program.
func fields(line string) []string {
	var out []string
	for i, part := range strings.Split(strings.TrimSpace(line), `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out[1:]
}

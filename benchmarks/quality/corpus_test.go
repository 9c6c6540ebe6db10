package quality

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/eval"
)

func TestCorpus(t *testing.T) {
	set := writtenTwice(t, func(w io.Writer) error { return Write(w, goroot(t), 1) })
	turns, questions := 0, 0
	for _, c := range set.Conversations {
		turns += len(c.Turns)
		questions += len(c.Questions)
		for _, q := range c.Questions {
			if strings.ContainsAny(q.Text, "{}") {
				t.Errorf("%s: a slot is left: %s", q.ID, q.Text)
			}
		}
	}
	if len(set.Conversations) != 4 || turns < 2000 || questions < 500 {
		t.Errorf("%d conversations, %d turns, %d questions", len(set.Conversations), turns, questions)
	}
}

// writtenTwice parses what write gives, which must be the same each time.
func writtenTwice(t *testing.T, write func(io.Writer) error) *eval.Set {
	t.Helper()
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := write(w); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two runs differ")
	}
	set, err := eval.Parse(a.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func goroot(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(root))
}

func TestChats(t *testing.T) {
	set := writtenTwice(t, func(w io.Writer) error { return WriteChats(w, 1) })
	if len(set.Conversations) != 12 {
		t.Errorf("%d spaces", len(set.Conversations))
	}
	kinds := map[string]int{}
	for _, c := range set.Conversations {
		turns := map[string]eval.Turn{}
		for _, turn := range c.Turns {
			if turns[turn.Key] = turn; strings.ContainsAny(turn.Text, "{}") && !strings.Contains(turn.Text, "```") {
				t.Errorf("%s %s: a slot is left: %s", c.ID, turn.Key, turn.Text)
			}
		}
		for _, q := range c.Questions {
			kinds[q.Category]++
			if parts := map[string]int{"time": 2, "update": 2, "count": 3}[q.Category]; len(q.Turns) != max(1, parts) {
				t.Errorf("%s: %d pieces of evidence of kind %s", q.ID, len(q.Turns), q.Category)
			}
			if strings.ContainsAny(q.Text, "{}") {
				t.Errorf("%s: a slot is left: %s", q.ID, q.Text)
			}
			for _, key := range q.Turns {
				if assistant := turns[key].Role == "assistant"; assistant != (q.Category == "assistant") {
					t.Errorf("%s: evidence %s was said by %q", q.ID, key, turns[key].Role)
				}
			}
		}
	}
	for _, kind := range []string{"user", "assistant", "update", "time", "count", "preference"} {
		if kinds[kind] < 15 {
			t.Errorf("%d questions of kind %s", kinds[kind], kind)
		}
	}
}

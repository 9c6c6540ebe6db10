package quality

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/eval"
)

func TestCorpus(t *testing.T) {
	var a, b bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := Write(w, goroot(t), 1); err != nil {
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

func goroot(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(root))
}

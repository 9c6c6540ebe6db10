package pack_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed/wordpiece"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pack/o200k"
)

// originalFraming has the length of the paragraph that the original puts before
// every block: 320 characters of plain English, 71 WordPiece tokens with the
// heading. It says the same things in other words.
const originalFraming = "These are facts that are already known about the person you are talking with. Make use of them and answer " +
	"without asking again for what is in the list below, as if you had always known it. Please do not mention to the person that there is " +
	"such a list. A line that is marked with [outdated] was true before and is not any more."

// TestTenFactsCostLittle holds the sutra layout to at most 60 % of what the
// original's classic block takes for the same facts, in two tokenizers.
func TestTenFactsCostLittle(t *testing.T) {
	data, err := os.ReadFile("testdata/ten_facts.json")
	if err != nil {
		t.Fatal(err)
	}
	var facts [][2]string
	if err := json.Unmarshal(data, &facts); err != nil || len(facts) != 10 {
		t.Fatal(len(facts), err)
	}
	if n := len(originalFraming); n < 310 || n > 330 {
		t.Fatalf("the framing has %d characters", n)
	}
	in := &pack.Input{Today: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	original := "## Memory\n" + originalFraming + " Today is 2026-11-01.\nNow true:\n"
	for i, f := range facts {
		original += "- user · " + f[0] + ": " + f[1] + "\n"
		in.States = append(in.States, pack.State{State: &core.State{ID: core.ID(i + 1), Subject: core.SubjectUser, Attribute: strings.ReplaceAll(f[0], " ", "_"), Value: f[1]}})
	}
	for _, c := range counters(t) {
		for _, f := range pack.Formats() {
			in.Format = f
			p := pack.Pack(in, pack.Defaults(), c)
			if len(p.Items) != 10 {
				t.Fatalf("%d facts in the block", len(p.Items))
			}
			whole := c.Count(original)
			part := float64(p.Tokens) / float64(whole)
			t.Logf("%s %s: %d tokens, %.0f %% of %d", c.Name(), f, p.Tokens, 100*part, whole)
			if f == pack.FormatSutra && part > 0.6 {
				t.Errorf("%s: sutra takes %.0f %%, want at most 60 %%:\n%s", c.Name(), 100*part, p.Block)
			}
		}
	}
}

// counters returns the tokenizers that a configuration can name.
func counters(t testing.TB) []pack.Counter {
	t.Helper()
	o, err := o200k.New()
	if err != nil {
		t.Fatal(err)
	}
	return []pack.Counter{wordPiece{wordpiece.English()}, o}
}

// wordPiece counts as the default tokenizer of a configuration does.
type wordPiece struct{ *wordpiece.Vocab }

func (wordPiece) Name() string { return pack.TokenizerWordPiece }
func (wordPiece) CountsLines() {}

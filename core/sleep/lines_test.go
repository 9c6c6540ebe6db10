package sleep

import (
	"fmt"
	"testing"
)

// What stands before a part is its context: the lines nearest to it, in order, also after the
// part was cut in two, and however long the record is.
func TestContextOfAContinuedRecord(t *testing.T) {
	lines := make([]*Line, 200)
	for i := range lines {
		lines[i] = &Line{Text: fmt.Sprint(i)}
	}
	for _, c := range []struct{ first, second int }{{1, 1}, {10, 20}, {59, 1}, {60, 60}, {61, 3}, {150, 20}} {
		p := part{lines: lines[:c.first]}
		p = part{before: p.behind(c.first), lines: lines[c.first:]}
		got := p.behind(c.second)
		want := lines[max(0, c.first+c.second-contextLines) : c.first+c.second]
		if len(got) != len(want) {
			t.Errorf("%+v: %d lines, want %d", c, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%+v: line %d is %s, want %s", c, i, got[i].Text, want[i].Text)
			}
		}
	}
	if lines[60].Text != "60" {
		t.Error("the record's own lines were written over")
	}
}

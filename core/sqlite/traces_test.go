package sqlite

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestScrub(t *testing.T) {
	tr := &traces{}
	tr.text("My sister Zuleika has a code.")
	tr.piece("My sister Zuleika has a code.")
	tr.piece("Zuleika")
	data := `{"code":7,"note":"ask ZULEIKA","my sister zuleika has a code.":1,"list":["sister","brother"],"n":12345678901234567890,"user":"user"}`
	eachLeaf([]byte(data), tr.note, func(int64) {})
	tr.match()
	tr.said("The brother of a sister.")
	tr.settle()
	got, changed := tr.scrub([]byte(data), false)
	want := `{"":1,"code":7,"list":["sister","brother"],"n":12345678901234567890,"note":"","user":"user"}`
	if string(got) != want || !changed {
		t.Errorf("scrub =\n%s, %v, want\n%s", got, changed, want)
	}
	got, _ = tr.scrub([]byte(`{"code":"x","who":"user","n":[1,"y"]}`), true)
	if want := `{"code":"","n":[1,""],"who":"user"}`; string(got) != want {
		t.Errorf("scrub of all = %s, want %s", got, want)
	}
	if got, changed := tr.scrub([]byte("not JSON about zuleika"), false); got != nil || !changed {
		t.Errorf("scrub of plain text = %q, %v", got, changed)
	}
	if got, changed := tr.scrub([]byte("not JSON"), false); string(got) != "not JSON" || changed {
		t.Errorf("scrub of plain text = %q, %v", got, changed)
	}
}

// Ids are what stands under the name of one: no places, no counts.
func TestIDsOfAPaper(t *testing.T) {
	for data, want := range map[string][]int64{
		`{"accepted":[{"value":"tea","sources":[{"episode":7,"start":40,"end":52}]}],"lines":40}`:      {7},
		`{"batches":1,"episodes":40,"failed":[{"episodes":[8,9],"error":"no"}],"outcomes":{"new":40}}`: {8, 9},
		`{"episodes":[3],"passages":40,"states":40,"events":40,"vectors":40,"uses":40}`:                {3},
		`{"id":1,"ids":[2,[3]],"subject_id":4,"entity_ids":[5],"n":40,"at":40}`:                        {1, 2, 3, 4, 5},
		`{"source":"s","since":"2026-01-01T00:00:00Z","episodes":40}`:                                  nil,
		`[40]`: nil,
	} {
		var got []int64
		eachLeaf([]byte(data), func(string) {}, func(n int64) { got = append(got, n) })
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", data, got, want)
		}
	}
}

// FuzzScrub: whatever is in the journal, nothing that was erased is left in it, and
// what is left is JSON if it was.
func FuzzScrub(f *testing.F) {
	f.Add([]byte(`{"a":["amulet","x"],"the amulet":{"b":"an Amulet"}}`), "the amulet is here")
	f.Add([]byte(`"amulet"`), "amulet")
	f.Add([]byte(`{`), "{")
	f.Add([]byte("\"\\u0000\xff\""), "\xff\xff\xff")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		tr := &traces{}
		tr.text(text)
		tr.piece(text)
		eachLeaf(data, tr.note, func(int64) {})
		tr.match()
		tr.settle()
		got, changed := tr.scrub(data, false)
		if !changed && string(got) != string(data) {
			t.Errorf("changed to %q without saying so", got)
		}
		if json.Valid(data) && got != nil && !json.Valid(got) {
			t.Errorf("%q is no JSON", got)
		}
		eachLeaf(got, func(s string) {
			if p := fold(text); len([]rune(p)) >= shortest && p != "user" && strings.Contains(fold(s), p) && !isName(s) {
				t.Errorf("%q still says %q", s, p)
			}
		}, func(int64) {})
	})
}

func FuzzSpans(f *testing.F) {
	f.Add([]byte{0, 4, 5, 3})
	f.Add([]byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		ps := unpackSpans(b)
		if again := unpackSpans(packSpans(ps)); len(again) != len(ps) {
			t.Errorf("%d spans, then %d", len(ps), len(again))
		}
	})
}

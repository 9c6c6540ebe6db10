package history

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/orma-memory/orma/core"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 300<<10) // more than a buffer
	for _, c := range []struct {
		name, in string
		want     []string
		numbers  []int
	}{
		{"nothing", "", nil, nil},
		{"no line break at the end", "a\nb", []string{"a", "b"}, []int{1, 2}},
		{"empty lines are passed over", "a\n\n \t\nb\n", []string{"a", "b"}, []int{1, 4}},
		{"CRLF", "a\r\nb\r\n", []string{"a", "b"}, []int{1, 2}},
		{"a byte order mark", "\ufeffa\nb", []string{"a", "b"}, []int{1, 2}},
		{"a long line", "a\n" + long + "\nb", []string{"a", long, "b"}, []int{1, 2, 3}},
		{"NEL and LS end no line", "a\u0085b\u2028c", []string{"a\u0085b\u2028c"}, []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				var got []string
				var numbers []int
				for l := range Lines(r) {
					if l.Err != nil {
						t.Fatal(l.Err)
					}
					got, numbers = append(got, string(l.Data)), append(numbers, l.Number)
				}
				if !slices.Equal(got, c.want) || !slices.Equal(numbers, c.numbers) {
					t.Errorf("got %.80q %v, want %.80q %v", got, numbers, c.want, c.numbers)
				}
			}
		})
	}
}

func TestLinesGoOnAfterALineTooLong(t *testing.T) {
	in := "a\n" + strings.Repeat("x", MaxLine+1) + "\nb\n"
	var got []string
	for l := range Lines(strings.NewReader(in)) {
		if l.Err != nil {
			if l.Number != 2 || !errors.Is(l.Err, core.ErrTooLarge) {
				t.Errorf("line %d: %v", l.Number, l.Err)
			}
			continue
		}
		got = append(got, string(l.Data))
	}
	if !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %q", got)
	}
}

func TestLinesEndWithTheReadersError(t *testing.T) {
	bad := errors.New("disk gone")
	var last Line
	n := 0
	for l := range Lines(io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(bad))) {
		last = l
		n++
	}
	if n != 3 || last.Number != 0 || !errors.Is(last.Err, bad) {
		t.Errorf("%d lines, the last %+v", n, last)
	}
}

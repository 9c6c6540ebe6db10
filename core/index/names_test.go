package index

import (
	"slices"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"My dentist is Dr. Rao in Kothrud.", []string{"Dr. Rao", "Kothrud"}},
		{"Dr. Rao has moved.", []string{"Dr. Rao"}},
		{"Yesterday I met Anna Maria Schmidt and Bob.", []string{"Anna Maria Schmidt", "Bob"}},
		{"we flew to New York. The weather was bad.", []string{"New York"}},
		{"We meet on Monday, on Thursdays and in August.", nil},
		{"my friend April and Ruth Monday came in June", []string{"April", "Ruth Monday", "June"}},
		{"Nothing here is a name.", nil},
		{"It is I.", nil},
		{"ask J. R. Hartley about it", []string{"J. R. Hartley"}},
		{"she speaks English, French and Hindi", []string{"English", "French", "Hindi"}},
		{"we use NATS and Postgres", []string{"NATS", "Postgres"}},
		{"он живёт в Москве", []string{"Москве"}},
		{"我的猫叫团子", nil},
		{"", nil},
	} {
		var got []string
		eachName(c.in, func(n string) { got = append(got, n) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("Dr. A\xff B. C’s")
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		eachName(s, func(name string) {
			if n++; name == "" && utf8.ValidString(s) {
				t.Fatalf("empty name in %q", s)
			}
		})
		if n > maxNames {
			t.Fatalf("%d names", n)
		}
	})
}

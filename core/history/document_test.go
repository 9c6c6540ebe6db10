package history

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

func TestSplit(t *testing.T) {
	para := strings.Repeat("One sentence here. ", 3) // 57 bytes
	for _, c := range []struct {
		name, doc string
		size      int
		want      []string
	}{
		{"nothing", "", 100, nil},
		{"short", "a", 100, []string{"a"}},
		{"paragraphs are kept together", "aaa\n\nbbb\n\nccc", 10, []string{"aaa\n\nbbb\n\n", "ccc"}},
		{"a blank line with spaces", "aaa\n  \nbbb", 7, []string{"aaa\n  \n", "bbb"}},
		{"CRLF", "aaa\r\n\r\nbbb", 8, []string{"aaa\r\n\r\n", "bbb"}},
		{"a long paragraph is cut between lines", "aaaa\nbbbb\ncccc", 11, []string{"aaaa\nbbbb\n", "cccc"}},
		{"between sentences", para, 40, []string{"One sentence here. One sentence here.", " One sentence here. "}},
		{"between words", "aaaa bbbb cccc", 11, []string{"aaaa bbbb ", "cccc"}},
		{"inside a word", "aaaaaaaaaa", 4, []string{"aaaa", "aaaa", "aa"}},
		{"never inside a character", "éééé", 3, []string{"é", "é", "é", "é"}},
		{"white space joins what is before", "aaaa\n\n     \n\n\n", 6, []string{"aaaa\n\n     \n\n\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Split(c.doc, c.size)
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("Split(%q, %d) = %q, want %q", c.doc, c.size, got, c.want)
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("aaa\n\nbbb. Ccc ddd\n\n\n", 8)
	f.Add("ééé\r\n \r\nx", 4)
	f.Fuzz(func(t *testing.T, doc string, size int) {
		size = 4 + (size%100+100)%100
		parts := Split(doc, size)
		if strings.Join(parts, "") != doc {
			t.Fatalf("%q became %q", doc, parts)
		}
		for _, p := range parts {
			if strings.TrimSpace(p) != "" && len(strings.TrimRight(p, " \t\r\n\f\v")) > size && strings.TrimSpace(p) == p {
				t.Fatalf("a part of %d bytes, more than %d: %q", len(p), size, p)
			}
			if utf8.ValidString(doc) && !utf8.ValidString(p) {
				t.Fatalf("%q is cut inside a character", p)
			}
		}
	})
}

func TestCheckText(t *testing.T) {
	for _, text := range []string{
		"", "plain\n", "é 部署 😀", "\ufefftext", "col\tumn\r\nnext\f", "\x1b[31mred\x1b[0m", "caf\xe9 is one bad byte among many good ones, which is repaired",
		strings.Repeat("é", 40000), "x" + strings.Repeat("😀", 20000),
	} {
		if err := CheckText([]byte(text)); err != nil {
			t.Errorf("CheckText(%.20q) = %v", text, err)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"%PDF-1.7 …", "a PDF file"}, {"PK\x03\x04rest", "ZIP"}, {"\x89PNG\r\n", "PNG"}, {"\xff\xd8\xff\xe0", "JPEG"},
		{"\xff\xfeh\x00i\x00", "UTF-16"}, {"\xff\xfe\x00\x00{\x00\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff\x00\x00\x00{", "UTF-32"}, {"PK\x05\x06\x00\x00", "an empty ZIP"}, {"\x7fELF\x02", "a program"}, {"SQLite format 3\x00", "a database"}, {"a\x00b", "byte 1 is NUL"},
		{strings.Repeat("\xe9\xe8 ", 100), "not UTF-8"}, {strings.Repeat("\x01\x02a", 9), "not UTF-8"},
	} {
		err := CheckText([]byte(c.in))
		if !errors.Is(err, core.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("CheckText(%.20q) = %v, want %q", c.in, err, c.want)
		}
	}
}

package wordpiece_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/orma-memory/orma/core/embed/internal/parity"
	"github.com/orma-memory/orma/core/embed/wordpiece"
)

// tokens returns the tokens of text, joined by spaces.
func tokens(v *wordpiece.Vocab, text string) string {
	var s []string
	for _, id := range v.Encode(nil, text, 0) {
		s = append(s, v.Token(id))
	}
	return strings.Join(s, " ")
}

func TestEncode(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"white space only", " \t\r\n\u3000\u2028", ""},
		{"words", "the cat", "the cat"},
		{"upper case", "The CAT", "the cat"},
		{"pieces", "unaffable", "una ##ffa ##ble"},
		{"punctuation", "a,b.c!", "a , b . c !"},
		{"symbols of ascii are punctuation", "a+b=c $5 <x>", "a + b = c $ 5 < x >"},
		{"other symbols are not", "5€", "5 ##€"},
		{"unicode punctuation", "“hi”—no…", "“ hi ” — no …"},
		{"composed accents", "Café Ångström", "cafe ang ##strom"},
		{"combining accents", "cafe\u0301", "cafe"},
		{"an accent alone", "\u0301", ""},
		{"dotted capital i", "İstanbul", "istanbul"},
		{"han are words", "中国x", "中 国 x"},
		{"kana are not", "ひら", "ひ ##ら"},
		{"voiced kana come apart", "がき", "か ##き"},
		{"hangul comes apart", "한", "ᄒ ##ᅡ ##ᆫ"},
		{"signs that come apart", "a≠b", "a = b"},
		{"controls vanish", "a\x00b\x7f\u200dc\ufeff", "abc"},
		{"replacement characters vanish", "a\ufffdb", "ab"},
		{"broken utf-8 vanishes", "a\xffb\xc3", "ab"},
		{"hash signs stay punctuation", "##ing", "# # ing"},
		{"special tokens are text", "[CLS]", "[ cl ##s ]"},
		{"100 characters", strings.Repeat("q", 100), strings.TrimPrefix(strings.Repeat(" ##q", 100), " ##")},
		{"101 characters", strings.Repeat("q", 101) + " b", "[UNK] b"},
		{"100 wide characters", strings.Repeat("😀", 100), "[UNK]"},
		{"unknown character spoils its word only", "to😀 day", "[UNK] day"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := tokens(wordpiece.English(), test.in); got != test.want {
				t.Errorf("%q gives %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestEncodeAsTheOriginal(t *testing.T) {
	for _, c := range parity.Load(t).Cases {
		if got := wordpiece.English().Encode(nil, c.Text, 0); !slices.Equal(got, c.TokenIDs) {
			t.Errorf("%q gives %v, want %v", c.Text, got, c.TokenIDs)
		}
	}
}

// A character must do to words what its canonical decomposition does, since only the first is looked at.
func TestDecomposition(t *testing.T) {
	v := wordpiece.English()
	for r := rune(128); r <= unicode.MaxRune; r++ {
		whole := string(r)
		apart := norm.NFD.String(whole)
		if !utf8.ValidRune(r) || apart == whole {
			continue
		}
		if got, want := tokens(v, "a"+whole+"b"), tokens(v, "a"+apart+"b"); got != want {
			t.Errorf("%U gives %q, apart it gives %q", r, got, want)
		}
	}
}

func TestEncodeLimit(t *testing.T) {
	v := wordpiece.English()
	text := "unaffable cats, " + strings.Repeat("many ", 10)
	all := v.Encode(nil, text, 0)
	for limit := 1; limit < len(all)+3; limit++ {
		got := v.Encode([]int32{7}, text, limit)
		if want := append([]int32{7}, all[:min(limit, len(all))]...); !slices.Equal(got, want) {
			t.Errorf("limit %d gives %v, want %v", limit, got, want)
		}
	}
}

func TestVocab(t *testing.T) {
	v := wordpiece.English()
	if v.Len() != 30522 {
		t.Errorf("%d tokens, want 30522", v.Len())
	}
	if cls, sep := v.Special(); cls != 101 || sep != 102 {
		t.Errorf("[CLS] is %d and [SEP] %d, want 101 and 102", cls, sep)
	}
	for id := range int32(v.Len()) {
		if got, ok := v.ID(v.Token(id)); !ok || got != id {
			t.Fatalf("token %d, %q, is found as %d, %v", id, v.Token(id), got, ok)
		}
	}
	if got := v.Token(-1) + v.Token(30522); got != "" {
		t.Errorf("ids outside have the tokens %q", got)
	}
	if id, ok := v.ID("no such token"); ok {
		t.Errorf("a missing token has the id %d", id)
	}
}

func TestNewRefuses(t *testing.T) {
	const special = "[UNK]\n[CLS]\n[SEP]\n"
	for name, text := range map[string]string{
		"empty": "", "no [UNK]": "[CLS]\n[SEP]\n", "no [CLS]": "[UNK]\n[SEP]\n", "no [SEP]": "[UNK]\n[CLS]\na",
		"twice": special + "a\nb\na\n", "empty twice": special + "\n\n", "too many": special + strings.Repeat("\n", 1<<22),
	} {
		if _, err := wordpiece.New(text); !errors.Is(err, wordpiece.ErrVocab) {
			t.Errorf("%s: error %v, want %v", name, err, wordpiece.ErrVocab)
		}
	}
}

func TestNewTakesAnyLineEnds(t *testing.T) {
	for name, text := range map[string]string{
		"unix": "[UNK]\n[CLS]\n[SEP]\nab\n##c\n", "windows": "[UNK]\r\n[CLS]\r\n[SEP]\r\nab\r\n##c\r\n", "no last": "[UNK]\n[CLS]\n[SEP]\nab\n##c",
	} {
		v, err := wordpiece.New(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := v.Encode(nil, "abc abcc x", 0); !slices.Equal(got, []int32{3, 4, 3, 4, 4, 0}) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestEncodeAllocatesNothing(t *testing.T) {
	v := wordpiece.English()
	ids := make([]int32, 0, 256)
	text := "The naïve café in 東京 serves 한국 coffee; unaffable waiters — 24/7."
	if n := testing.AllocsPerRun(100, func() { ids = v.Encode(ids[:0], text, 0); v.Count(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzEncode(f *testing.F) {
	for _, s := range []string{"", "a b", "naïve 中国 한", "\xff\u0301", strings.Repeat("x", 101), "##a [CLS]"} {
		f.Add(s, "b, c")
	}
	v := wordpiece.English()
	f.Fuzz(func(t *testing.T, a, b string) {
		left := v.Encode(nil, a, 0)
		for _, id := range left {
			if id < 0 || int(id) >= v.Len() {
				t.Fatalf("%q gives the id %d", a, id)
			}
		}
		if n := v.Count(a); n != len(left) {
			t.Errorf("Count(%q) = %d, Encode gives %d", a, n, len(left))
		}
		both := v.Encode(slices.Clone(left), b, 0)
		for _, space := range []string{" ", "\n"} {
			if got := v.Encode(nil, a+space+b, 0); !slices.Equal(got, both) {
				t.Errorf("%q and %q give %v together, %v apart", a, b, got, both)
			}
		}
		if got := v.Encode(nil, strings.ToUpper(norm.NFD.String(a)), 0); isASCII(a) && !slices.Equal(got, left) {
			t.Errorf("%q gives %v in upper case, else %v", a, got, left)
		}
	})
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 128 }) < 0 }

func FuzzNew(f *testing.F) {
	f.Add("[UNK]\n[CLS]\n[SEP]\na\n##b\n", "ab")
	f.Fuzz(func(t *testing.T, vocab, text string) {
		v, err := wordpiece.New(vocab)
		if err != nil {
			return
		}
		for _, id := range v.Encode(nil, text, 0) {
			if id < 0 || int(id) >= v.Len() {
				t.Fatalf("id %d of %d", id, v.Len())
			}
		}
	})
}

const (
	query = "When did we move the staging queue to the new cluster?"
	note  = "The staging queue moved to the new cluster on a rainy Thursday in March, after two failed attempts, because the old machines had run out of memory again."
)

func BenchmarkEncodeQuery(b *testing.B) { benchmark(b, query) }

func BenchmarkEncodeNote(b *testing.B) { benchmark(b, note) }

func benchmark(b *testing.B, text string) {
	v, ids := wordpiece.English(), make([]int32, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		ids = v.Encode(ids[:0], text, 0)
	}
}

func BenchmarkNew(b *testing.B) {
	text, err := os.ReadFile("data/vocab.txt")
	if err != nil {
		b.Fatal(err)
	}
	s := string(text)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wordpiece.New(s); err != nil {
			b.Fatal(err)
		}
	}
}

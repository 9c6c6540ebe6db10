package sentence_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/text/sentence"
)

func split(s string) []string {
	var out []string
	for _, sp := range sentence.Split(s, nil) {
		out = append(out, s[sp.Start:sp.End])
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"space", " \n\t ", nil},
		{"one", "We moved to Trieste", []string{"We moved to Trieste"}},
		{"three kinds of end", "Hey! How are you? I am well. ", []string{"Hey!", "How are you?", "I am well."}},
		{"lower case chat", "i went home. then i slept", []string{"i went home.", "then i slept"}},
		{"marks in a row", "Really?! Yes!!! Fine...", []string{"Really?!", "Yes!!!", "Fine..."}},
		{"ellipsis goes on", "Well… not now. I mean... never.", []string{"Well… not now.", "I mean... never."}},
		{"ellipsis ends", "Well... Not now.", []string{"Well...", "Not now."}},
		{"titles", "Dr. Ada met Mrs. Bell and St. Clair.", []string{"Dr. Ada met Mrs. Bell and St. Clair."}},
		{"initials", "J. R. R. Tolkien wrote it. The end.", []string{"J. R. R. Tolkien wrote it.", "The end."}},
		{"latin abbreviations", "Tools, e.g. Hammers, i.e. This one.", []string{"Tools, e.g. Hammers, i.e. This one."}},
		{"abbreviation goes on", "The U.S. Navy and Acme Inc. Berlin agreed.", []string{"The U.S. Navy and Acme Inc. Berlin agreed."}},
		{"abbreviation ends", "She lives in the U.S. The house is red. It opens at 5 p.m. We go.", []string{"She lives in the U.S.", "The house is red.", "It opens at 5 p.m.", "We go."}},
		{"numbered things", "See No. 5 and fig. 3. No. I will not.", []string{"See No. 5 and fig. 3.", "No.", "I will not."}},
		{"numbers", "It costs 3.50 in version 1.2.3. Really.", []string{"It costs 3.50 in version 1.2.3.", "Really."}},
		{"years", "We met in 2020. Then we left.", []string{"We met in 2020.", "Then we left."}},
		{"german date", "Wir kommen am 3. Mai an. Bis dann.", []string{"Wir kommen am 3. Mai an.", "Bis dann."}},
		{"names with dots", "Use node.js or example.com. Or .NET.", []string{"Use node.js or example.com.", "Or .NET."}},
		{"query in a url", "Open https://example.com/?x=1.5 now.", []string{"Open https://example.com/?x=1.5 now."}},
		{"quotation", `"Stop!" he said. "Go home." She went.`, []string{`"Stop!" he said.`, `"Go home."`, "She went."}},
		{"brackets", "(He left.) She stayed (really?) for tea.", []string{"(He left.)", "She stayed (really?) for tea."}},
		{"chinese", "我的猫叫团子，今年三岁。“好！”他说。3.5公斤", []string{"我的猫叫团子，今年三岁。", "“好！”", "他说。", "3.5公斤"}},
		{"japanese", "鍵は下です。「はい！」と言った？はい", []string{"鍵は下です。", "「はい！」", "と言った？", "はい"}},
		{"hindi", "मैं घर गया। फिर सो गया॥ अच्छा", []string{"मैं घर गया।", "फिर सो गया॥", "अच्छा"}},
		{"urdu and arabic", "یہ گھر ہے۔ کیا؟ نعم", []string{"یہ گھر ہے۔", "کیا؟", "نعم"}},
		{"burmese and khmer", "မင်္ဂလာပါ။ သွားမယ် ខ្ញុំទៅ។ បាទ", []string{"မင်္ဂလာပါ။", "သွားမယ် ខ្ញុំទៅ។", "បាទ"}},
		{"armenian and amharic", "Բարեւ։ Լավ ሰላም። ደህና", []string{"Բարեւ։", "Լավ ሰላም።", "ደህና"}},
		{"lines", "first line\nsecond line\r\nthird", []string{"first line", "second line", "third"}},
		{"other line breaks", "one\u2028two\u2029three\u0085four\vfive\rsix", []string{"one", "two", "three", "four", "five", "six"}},
		{"wrapped paragraph", "The lift mechanic told us to hold the red lever down for ten\nseconds and wait. Then it starts.", []string{"The lift mechanic told us to hold the red lever down for ten\nseconds and wait.", "Then it starts."}},
		{"paragraphs", "One\n\nTwo", []string{"One", "Two"}},
		{"heading and list", "# Plan\n- buy milk\n- call Ana. Then rest.\n* x\n2. open it\n3) shut it\n• done", []string{"# Plan", "- buy milk", "- call Ana.", "Then rest.", "* x", "2. open it", "3) shut it", "• done"}},
		{"rules belong to what is there", "Title\n=====\ntext\n---\nmore", []string{"Title\n=====", "text\n---", "more"}},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |", []string{"| a | b |\n|---|---|", "| 1 | 2 |"}},
		{"quotation block", "> one\n> two", []string{"> one", "> two"}},
		{"code", "Run this:\n```go\nx := a.b(1. + 2)\n\nprint(x)\n```\nDone.", []string{"Run this:", "```go\nx := a.b(1. + 2)", "print(x)\n```", "Done."}},
		{"code without end", "~~~\na. B\nc", []string{"~~~\na. B\nc"}},
		{"fence within a longer fence", "````\n```\nin\n````\nout", []string{"````\n```\nin\n````", "out"}},
		{"nothing but marks", "?! ...", []string{"?! ..."}},
		{"marks before words", "---\nHello", []string{"---\nHello"}},
		{"emoji", "Great! 🦊 Yes", []string{"Great!", "🦊 Yes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := split(c.in); !slices.Equal(got, c.want) {
				t.Errorf("passages of %q:\n got %q\nwant %q", c.in, got, c.want)
			}
			check(t, c.in)
		})
	}
}

// check verifies what holds for the passages of any text.
func check(t *testing.T, s string) {
	t.Helper()
	last := 0
	for _, sp := range sentence.Split(s, nil) {
		if sp.Start < last || sp.End <= sp.Start || sp.End > len(s) {
			t.Fatalf("passage %v after %d in %.80q", sp, last, s)
		}
		if gap := s[last:sp.Start]; strings.TrimFunc(gap, unicode.IsSpace) != "" {
			t.Fatalf("%q of %.80q is in no passage", gap, s)
		}
		passage := s[sp.Start:sp.End]
		if strings.TrimFunc(passage, unicode.IsSpace) != passage {
			t.Fatalf("passage %q has space around it", passage)
		}
		if n := utf8.RuneCountInString(passage); n > sentence.MaxChars {
			t.Fatalf("passage of %d characters in %.80q", n, s)
		}
		if n := len(strings.FieldsFunc(passage, unicode.IsSpace)); n > sentence.MaxWords {
			t.Fatalf("passage of %d words in %.80q", n, s)
		}
		if utf8.ValidString(s) && !utf8.ValidString(passage) {
			t.Fatalf("passage %q is not UTF-8", passage)
		}
		last = sp.End
	}
	if rest := s[last:]; strings.TrimFunc(rest, unicode.IsSpace) != "" {
		t.Fatalf("%q of %.80q is in no passage", rest, s)
	}
}

func TestSplitCutsLongSentences(t *testing.T) {
	long := strings.Repeat("the kettle sings and the lamp beside it glows, ", 60)
	for _, in := range []string{
		long, strings.Repeat("word ", 1000), strings.Repeat("x", 5000), strings.Repeat("猫", 2000), strings.Repeat("ขอบคุณ", 500),
		strings.Repeat("👩🏽‍💻", 600), "a" + strings.Repeat("\u0301", 3000), "```\n" + strings.Repeat("line of code\n", 300),
		strings.Repeat("-", 3000), strings.Repeat("- ", 3000), strings.Repeat("\xff", 2000), strings.Repeat("! ", 2000),
		"| " + strings.Repeat("cell | ", 300),
	} {
		check(t, in)
		if got := sentence.Split(in, nil); len(got) < 2 {
			t.Errorf("%.40q of %d bytes is %d passages", in, len(in), len(got))
		}
	}
	for _, passage := range split(long) {
		if !strings.HasSuffix(passage, ",") {
			t.Errorf("long sentence is not cut at a comma: %q", passage)
		}
	}
	for _, passage := range split(strings.Repeat("👩🏽‍💻", 600)) {
		if strings.Trim(strings.ReplaceAll(passage, "👩🏽‍💻", ""), " ") != "" {
			t.Errorf("joined emoji torn: %q", passage)
		}
	}
}

func TestSplitAppends(t *testing.T) {
	got := sentence.Split("--- b", sentence.Split("One.", nil))
	want := []sentence.Span{{Start: 0, End: 4}, {Start: 0, End: 5}}
	if !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

func TestSplitRandomTexts(t *testing.T) {
	pieces := []string{
		"word", "Dr.", "U.S.", "3.5", ". ", "! ", "? ", "...", "…", "\n", "\n\n", "```", "~~~", "# ", "- ", "| ", "> ", "1. ", "。", "।", "猫",
		"\"", "”", ")", "(", " ", "\u00a0", "\r\n", "\xff", "👩🏽‍💻", "e\u0301", "---", strings.Repeat("a", 90), "The ", "i ",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b strings.Builder
		for range rng.IntN(60) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		check(t, b.String())
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"One. Two!", "```go\nx\n", "a\u0301b。", "# T\n- x\n\n1. y", "Dr. No. 5"} {
		f.Add(s)
	}
	f.Fuzz(check)
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 5, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""}, {"e\u0301x", 2, ""}, {"ae\u0301x", 3, "a"},
		{"👩🏽‍💻!", 10, ""}, {"a\r\nb", 2, "a"}, {"വീട്", 6, "വീ"},
	} {
		if got := sentence.Truncate(c.in, c.n); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	in := strings.Repeat("The lift mechanic told us to hold the red lever. Dr. Bell waited 3.5 hours! Then the lamp went out?\n\n", 20)
	var spans []sentence.Span
	b.ReportAllocs()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		spans = sentence.Split(in, spans[:0])
	}
}

package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/orma-memory/orma/core/text"
)

// spell writes the terms of s as text/class, a stop word with a bang.
func spell(s string) string {
	var t text.Terms
	t.Tokenize(s)
	var b strings.Builder
	for term := range t.All() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.Write(term.Text)
		if term.Class != text.Word {
			b.WriteString("/" + term.Class.String())
		}
		if term.Stop {
			b.WriteByte('!')
		}
	}
	return b.String()
}

func TestTokenize(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"nothing to find", " \t\n \" ( * -- ... '", ""},
		{"english", "The Clocks were Running", "the! clock were! run"},
		{"case and accents", "Café CAFÉ cafe\u0301", "cafe cafe cafe"},
		{"full width", "ｆｕｌｌ　ｗｉｄｔｈ", "full width"},
		{"german", "Größl ẞ", "grossl ss"},
		{"nordic and slavic letters", "Øre Łódź Æther œuvre Þór đak", "or lodz aether oeuvr thor dak"},
		{"turkish dotted i", "İzmir ISPARTA ısparta", "izmir isparta isparta"},
		{"turkish suffix", "İzmir'deki", "izmirdeki/compound izmir/part deki/part"},
		{"contractions", "don't don’t dont can't it's I'm we'll cat's cat’s dogs'", "dont! dont! dont! cant! it! i! we! cat cat dog"},
		{"names with apostrophes", "O'Brien o'clock l'homme", "obrien/compound o/part brien/part oclock/compound o/part clock/part lhomm/compound l/part homm/part"},
		{"letters and symbols", "C++ vs C#", "c++/compound vs c#/compound"},
		{"more of them", "F# g++ notepad++ Disney+ C♯", "f#/compound g++/compound notepad++/compound notepad/part disney+/compound disnei/part c#/compound"},
		{"symbols that are none", "a+b x+=1 issue#12 5+", "a! b x 1 issu 12 5"},
		{"version of a language", "C++17", "c++/compound 17"},
		{"dot before a name", ".NET .bashrc end.", ".net/compound net/part .bashrc/compound bashrc/part end"},
		{"dot inside a name", "node.js", "node.js/compound node/part js/part"},
		{"part number", "X-44-B", "x-44-b/compound x/part 44/part b/part"},
		{"spelling with and without hyphen", "wi-fi wifi Wi‑Fi", "wifi/compound wi/part fi/part wifi wifi/compound wi/part fi/part"},
		{"identifiers", "user_name userName UserService", "usernam/compound user/part name/part usernam user/part name/part userservic user/part servic/part"},
		{"names with capitals inside", "McDonald iPhone eBay", "mcdonald iphon ebai"},
		{"capitals in a row", "parseHTTPHeader", "parsehttphead pars/part http/part header/part"},
		{"path", "src/main.go", "src/main.go/compound src/part main.go/compound main/part go/part"},
		{"windows path", `lib\io`, "lib/io/compound lib/part io/part"},
		{"url", "https://example.com/a1?x=2", "http example.com/a1/compound example.com/compound exampl/part com/part a1/part x 2"},
		{"mail", "joe@example.com", "joe@example.com/compound joe/part example.com/compound exampl/part com/part"},
		{"version", "v1.2.3", "v1.2.3/compound 1.2.3/compound v1/part 2/part 3/part"},
		{"version without v", "1.2.3", "1.2.3/compound 1.2/part"},
		{"decimal", "3.5 1234.56", "3.5/compound 1234.56/compound 1234/part"},
		{"grouped number", "12,000 12000 1,00,000 1,2 12,00", "12000 12000 100000 1 2 12 00"},
		{"time and units", "10:30 5pm 5 p.m.", "10:30/compound 10/part 30/part 5pm 5/part pm/part 5 pm"},
		{"acronyms", "U.S.A. e.g. AT&T", "usa eg! at&t/compound at/part! t/part"},
		{"us and US, will and Will", "will us US it IT Will May", "will! us! us it! it will mai"},
		{"digits of other scripts", "١٢٬٠٠٠ १२ ①", "12000 12 1"},
		{"glued symbols", "Orma™ 2½", "orma 2 1/2/compound 1/part 2/part"},
		{"query syntax", "NEAR(a1 col:val --help x:* OR", "near a1 col:val/compound col/part val/part help x or!"},
		{"chinese", "部署了", "部/char 部署/gram 署/char 署了/gram 了/char"},
		{"one character", "猫", "猫"},
		{"japanese", "鍵は 出張", "鍵/char 鍵は/gram 出/char 出張/gram 張/char"},
		{"katakana, half width", "ﾊﾟﾝ", "パン/gram"},
		{"han beside latin", "C盘3月", "c 盘 3 月"},
		{"korean particle", "냉장고는", "냉장고는 냉장고/part 냉장/sub 장고/sub 고는/sub"},
		{"korean short noun", "집에 부산", "집에 집/part 부산"},
		{"malayalam chillu, new and old", "താക്കോൽ താക്കോല്\u200d", "താക്കോല് താക/sub താക്ക/sub താക്കോല/sub താക്കോല് താക/sub താക്ക/sub താക്കോല/sub"},
		{"malayalam", "പഞ്ചസാര", "പഞ്ചസാര പഞ/sub പഞ്ച/sub പഞ്ചസ/sub"},
		{"hindi", "लड़का लड़के", "लडका लड/sub लडक/sub लडके लड/sub लडक/sub"},
		{"tamil", "வீடு வீட்டில்", "வீடு வீட/sub வீட்டில் வீட/sub வீட்ட/sub வீட்டில/sub"},
		{"thai", "สวัสดี", "สวั/gram วัส/gram สดี/gram"},
		{"khmer subscripts stay together", "ខ្មែរ", "ខ្មែ/char ខ្មែរ/gram"},
		{"lao", "ພາສາ", "ພາ/gram າສ/gram ສາ/gram"},
		{"burmese", "မြန်မာ", "မြ/char မြန်/gram န်/char န်မာ/gram မာ/char"},
		{"russian", "кошка кошками Ёлка", "кошка кош/sub кошк/sub кошками кошк/sub кошкам/sub елка елк/sub"},
		{"greek", "Οδός ΟΔΟΣ", "οδοσ οδο/sub οδοσ οδο/sub"},
		{"arabic article and points", "الكتاب مُحَمَّد", "الكتاب كتاب/part محمد"},
		{"farsi and arabic letters", "کتاب كتاب", "كتاب كتاب"},
		{"hebrew points and maqaf", "שָׁלוֹם בית־ספר", "שלום לום/part ביתספר/compound בית/part ספר/part"},
		{"hebrew particles", "המפתח במפתח ושהמפתח בית הים", "המפתח מפתח/part במפתח מפתח/part ושהמפתח המפתח/part בית הים"},
		{"arabic and", "وسلمى ولد وللبيت", "وسلمي سلمي/part ولد وللبيت بيت/part"},
		{"burmese word in a run", "သော့က", "သော့/char သော့က/gram"},
		{"emoji", "🦊🧊 ❤️ ❤ 👍🏽 1️⃣", "🦊 🧊 ❤ ❤ 👍 1"},
		{"joined emoji and flags", "👩🏽‍💻🇩🇪🇫🇷🤷‍♂️", "👩💻/compound 👩/part 💻/part 🇩🇪 🇫🇷 🤷♂/compound 🤷/part"},
		{"invisible characters", "sof\u00adt ze\u200bro ri\u200dght", "soft ze ro right"},
		{"not utf-8", "\xff\xfeabc\x80def", "abc def"},
		{"nul", "a1\x00b2", "a1 b2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spell(c.in); got != c.want {
				t.Errorf("terms of %q:\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

func TestWordCounts(t *testing.T) {
	for _, c := range []struct {
		in             string
		words, content int
	}{
		{"", 0, 0},
		{"Yes, I did!", 3, 1},
		{"The lift mechanic told us to hold the red lever", 10, 6},
		{"X-44-B", 3, 3},
		{"🦊🦊", 2, 0},
		{"我的猫叫团子", 5, 3},
		{"냉장고는 지하실", 2, 2},
	} {
		var terms text.Terms
		terms.Tokenize(c.in)
		if terms.Words() != c.words || terms.ContentWords() != c.content {
			t.Errorf("%q has %d words, %d content words, want %d, %d", c.in, terms.Words(), terms.ContentWords(), c.words, c.content)
		}
	}
}

func TestTokenizeCutsLongWords(t *testing.T) {
	for _, in := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("é", 1<<16), strings.Repeat("가", 1<<12), strings.Repeat("a-", 1<<12) + "b",
		strings.Repeat("猫", 1<<12), "ก" + strings.Repeat("\u0E31", 1<<12), strings.Repeat("👩\u200d", 1<<10), strings.Repeat("a/", 1<<12) + "b",
		strings.Repeat("က\u1039", 1<<10), "a" + strings.Repeat("\u0301", 1<<12), strings.Repeat("ക്", 1<<12), strings.Repeat("1.", 1<<12) + "1",
	} {
		checkTerms(t, in)
	}
}

// checkTerms verifies what holds for the terms of any text.
func checkTerms(t *testing.T, in string) {
	t.Helper()
	var terms text.Terms
	terms.Tokenize(in)
	pos := uint32(0)
	for term := range terms.All() {
		switch {
		case len(term.Text) == 0:
			t.Fatalf("empty term in %.80q", in)
		case len(term.Text) > 4*128:
			t.Fatalf("term of %d bytes in %.80q", len(term.Text), in)
		case !utf8.Valid(term.Text):
			t.Fatalf("term %q of %.80q is not UTF-8", term.Text, in)
		case term.Pos < pos || int(term.Pos) >= terms.Words():
			t.Fatalf("term %q of %.80q at position %d after %d, %d words", term.Text, in, term.Pos, pos, terms.Words())
		}
		pos = term.Pos
		for _, r := range string(term.Text) {
			if unicode.IsSpace(r) || unicode.IsControl(r) || r == '"' {
				t.Fatalf("term %q of %.80q holds %q", term.Text, in, r)
			}
		}
	}
	if got := len(strings.Fields(string(terms.AppendJoined(nil)))); got != terms.Len() {
		t.Fatalf("%.80q joined has %d fields, %d terms", in, got, terms.Len())
	}
	if terms.ContentWords() > terms.Words() {
		t.Fatalf("%.80q has %d content words of %d", in, terms.ContentWords(), terms.Words())
	}
}

func FuzzTokenize(f *testing.F) {
	for _, s := range []string{"C++ vs C#", "don't", "a-b", `"`, "(", "NEAR(", "col:val", "*", "--help", "", "İstanbul", "cafe\u0301", "👩🏽‍💻🇩🇪", "वीട്", "X-44-B 12,000", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkTerms(t, s)
		if got, want := spell(norm.NFC.String(s)), spell(s); utf8.ValidString(s) && len(s) < 64 && got != want {
			t.Errorf("terms of %q differ from those of its NFC form:\n%s\n%s", s, want, got)
		}
		if q := text.ParseQuery(s); len(q.Terms) == 0 && spell(s) != "" {
			t.Errorf("query of %q is empty, its terms are not", s)
		}
	})
}

func TestTokenizeAllocatesNothing(t *testing.T) {
	var terms text.Terms
	in := strings.Repeat("The lift mechanic doesn't use C++; വീടിന്റെ താക്കോൽ 部署 냉장고는 naïve X-44-B 🦊. ", 8)
	terms.Tokenize(in)
	if n := testing.AllocsPerRun(50, func() { terms.Tokenize(in) }); n != 0 {
		t.Errorf("tokenising again allocates %v times", n)
	}
}

func BenchmarkTokenize(b *testing.B) {
	for _, c := range []struct{ name, in string }{
		{"english", "The lift mechanic told us to hold the red lever down for ten seconds, then wait until the lamp beside the door goes out."},
		{"german", "Der Aufzugsmonteur sagte, man müsse den roten Hebel zehn Sekunden lang gedrückt halten und dann warten, bis die Lampe über der Tür erlischt."},
		{"chinese", "我的猫叫团子，今年三岁，喜欢在窗边睡觉。"},
		{"malayalam", "വീടിന്റെ താക്കോൽ ചുവന്ന പെട്ടിയിലാണ് വെച്ചിരിക്കുന്നത്."},
	} {
		b.Run(c.name, func(b *testing.B) {
			var terms text.Terms
			b.ReportAllocs()
			b.SetBytes(int64(len(c.in)))
			for b.Loop() {
				terms.Tokenize(c.in)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(terms.Words()), "ns/word")
		})
	}
}

func BenchmarkParseQuery(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		text.ParseQuery("What did the lift mechanic say about the red lever?")
	}
}

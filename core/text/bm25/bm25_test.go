package bm25_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/bm25"
)

func indexOf(t testing.TB, texts ...string) *bm25.Index {
	t.Helper()
	x := bm25.New()
	for _, s := range texts {
		if _, err := x.Add(bm25.Doc{Text: s, Session: bm25.NoSession}); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func search(x *bm25.Index, q string) []uint32 {
	var docs []uint32
	for _, h := range x.Search(text.ParseQuery(q), bm25.Options{Params: usual()}, 1<<20, nil) {
		docs = append(docs, h.Doc)
	}
	return docs
}

// repeat gives n texts in which {n} counts from 1.
func repeat(n int, template string) []string {
	var out []string
	for i := range n {
		out = append(out, strings.ReplaceAll(template, "{n}", fmt.Sprint(i+1)))
	}
	return out
}

func TestSearchFindsTheNote(t *testing.T) {
	for _, c := range []struct{ name, note, noise, query string }{
		{"languages of symbols", "Ines maintains the C++ lexer", "Oskar maintains the C# lexer {n}", "who maintains the C++ lexer?"},
		{"part number", "Unit K-71-Q drives the small pump", "Unit K-{n}-R went out", "K-71-Q"},
		{"hyphen left out", "The wi-fi box is upstairs", "The bread box {n}", "wifi"},
		{"apostrophes", "The cellar’s pump rattles at night", "Swept the yard {n} times", "Doesn't the cellar's pump need oil?"},
		{"decomposed accents", "Bei Jo\u0308rg gibt es Ka\u0308se", "Zug {n} hatte Verspätung", "Jörg Käse"},
		{"composed accents", "Le café ferme tôt", "Train {n} en retard", "cafe\u0301"},
		{"dotted i", "İstanbul'da bir gün", "Pazardan {n} kilo elma", "istanbul"},
		{"hinglish", "subah wali dawai fridge mein hai", "chai number {n}", "dawai"},
		{"chinese", "周五部署新版本", "第{n}天下雨了", "部署"},
		{"chinese, one character", "我的猫叫团子", "第{n}天的会议", "猫在哪里"},
		{"japanese", "来月は大阪へ出張です", "{n}ページまで読んだ", "出張"},
		{"japanese, other particle", "傘は玄関にある", "{n}回目の会議", "傘を探す"},
		{"korean", "부산에서 회의가 있다", "버스 {n}번을 탔다", "부산"},
		{"korean, other particle", "우산은 현관에 있다", "버스 {n}번을 탔다", "우산이 어디"},
		{"malayalam", "ചായയിൽ പഞ്ചസാര വേണ്ട", "ഇന്ന് മഴ, കുറിപ്പ് {n}", "പഞ്ചസാര"},
		{"malayalam, inflected", "പഞ്ചസാരയുടെ പാത്രം മേശയിൽ", "ഇന്ന് മഴ, കുറിപ്പ് {n}", "പഞ്ചസാര"},
		{"tamil, inflected", "வீட்டில் சாவி", "மழை குறிப்பு {n}", "வீடு"},
		{"hindi, inflected", "लड़के का बस्ता", "बारिश {n}", "लड़का"},
		{"thai", "กุญแจอยู่ในลิ้นชัก", "ฝนตกวันที่ {n}", "กุญแจ"},
		{"russian, inflected", "Ключи у соседки", "Дождь номер {n}", "соседка"},
		{"arabic article", "المفتاح تحت الحصيرة", "مطر رقم {n}", "مفتاح"},
		{"greek case", "Το ΚΛΕΙΔΙ στο συρτάρι", "Βροχή {n}", "κλειδί"},
		{"emoji", "🦉 marks the night shift", "🐓 marks day {n}", "what does 🦉 mean"},
		{"number with commas", "The pump cost 12,000 crowns", "Bill {n} paid", "12000"},
		{"full width", "ＡＢＣ倉庫の鍵", "会議{n}", "abc"},
		{"path", "the flags are in etc/orma/main.toml", "file {n}", "main.toml"},
		{"inflected english", "The engineers were pressing valves", "walked {n} laps", "engineer press valve"},
		{"only function words", "to be or not to be", "walked {n} laps", "to be or not to be"},
		{"long question", "The pantry ladder is behind the freezer", "The train {n} was late", strings.Repeat("could anybody say where the pantry ladder stands ", 300)},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := slices.Concat(repeat(50, c.noise), []string{c.note}, repeat(50, c.noise))
			got := search(indexOf(t, texts...), c.query)
			if len(got) == 0 || got[0] != 50 {
				t.Errorf("search %.60q: hits %v, want 50 first", c.query, got[:min(5, len(got))])
			}
		})
	}
}

func TestSearchTakesAnyQuery(t *testing.T) {
	x := indexOf(t, "C++ vs C#", "a-b", "col val near help", "")
	rng := rand.New(rand.NewPCG(5, 5))
	queries := []string{"C++ vs C#", "don't", "a-b", `"`, "(", "NEAR(", "col:val", "*", "--help", "", " ", "\x00", "\xff\xfe", strings.Repeat("x y", 5000)}
	for range 300 {
		var b strings.Builder
		for range rng.IntN(80) {
			b.WriteRune(rune(rng.IntN(0x11000)))
		}
		queries = append(queries, b.String())
	}
	for _, q := range queries {
		search(x, q)
	}
	for q, want := range map[string][]uint32{"a-b": {1, 0}, "col:val": {2}, "--help": {2}, "NEAR(": {2}, "": nil, "*": nil, `"`: nil, "(": nil} {
		if got := search(x, q); q != "a-b" && !slices.Equal(got, want) || q == "a-b" && got[0] != 1 {
			t.Errorf("search %q = %v, want %v", q, got, want)
		}
	}
	odd := text.Query{Terms: []text.QueryTerm{{Text: "col", Weight: -1}, {Text: "val", Weight: float32(math.NaN())}, {Text: "", Weight: 1}, {Text: "help", Weight: 1}, {Text: "help", Weight: 1}}}
	if hits := x.Search(odd, bm25.Options{Params: usual()}, 3, nil); len(hits) != 1 || hits[0].Doc != 2 {
		t.Errorf("query with useless weights: hits %v", hits)
	}
}

func TestContextBringsInNeighbours(t *testing.T) {
	x := bm25.New()
	for i, s := range []string{"On Friday we rowed to the small island", "The cliffs there were white with gulls", "nothing", "nothing", "nothing"} {
		if _, err := x.Add(bm25.Doc{Text: s, Session: 0, Turn: uint64(max(0, i-1))}); err != nil {
			t.Fatal(err)
		}
	}
	if got := search(x, "island"); !slices.Equal(got, []uint32{0, 2, 3, 1}) {
		t.Errorf("hits %v, want the document, then its turn and two turns more", got)
	}
	o := bm25.Options{Params: usual()}
	o.Context = 0
	if hits := x.Search(text.ParseQuery("island"), o, 10, nil); len(hits) != 1 {
		t.Errorf("without context: %v", hits)
	}
}

func TestAddRefuses(t *testing.T) {
	x := bm25.New()
	if _, err := x.Add(bm25.Doc{Text: "a", Session: 1}); !errors.Is(err, bm25.ErrSession) {
		t.Errorf("session 1 before 0: %v", err)
	}
	if _, err := x.Add(bm25.Doc{Text: "a", Kind: bm25.MaxKinds}); !errors.Is(err, bm25.ErrKind) {
		t.Errorf("kind %d: %v", bm25.MaxKinds, err)
	}
	if x.Docs() != 0 || x.Sessions() != 0 || x.Next() != 0 {
		t.Error("a refused document left something behind")
	}
}

func TestRemove(t *testing.T) {
	x := indexOf(t, "boiler valve", "boiler", "valve lamp")
	if n := x.Remove(1, 1, 7); n != 1 {
		t.Errorf("Remove = %d, want 1", n)
	}
	if n := x.Remove(1); n != 0 {
		t.Errorf("Remove again = %d, want 0", n)
	}
	if x.Docs() != 2 || x.Next() != 3 || x.Live(1) || !x.Live(2) || x.Live(3) {
		t.Errorf("Docs %d, Next %d, Live %v %v %v", x.Docs(), x.Next(), x.Live(1), x.Live(2), x.Live(3))
	}
	if df := x.DF("boiler"); df != 1 {
		t.Errorf("DF = %d, want 1", df)
	}
	if got := search(x, "boiler"); !slices.Equal(got, []uint32{0}) {
		t.Errorf("hits %v, want 0", got)
	}
	if a, b := x.IDF("boiler"), x.IDF("unheard"); !(0 < a && a < b) {
		t.Errorf("IDF of a known word %v, of an unknown one %v", a, b)
	}
}

func TestSessionOf(t *testing.T) {
	x := bm25.New()
	for _, s := range []uint32{0, 1, bm25.NoSession} {
		if _, err := x.Add(bm25.Doc{Text: "a", Session: s}); err != nil {
			t.Fatal(err)
		}
	}
	for doc, want := range []uint32{0, 1, bm25.NoSession, bm25.NoSession} {
		if got := x.SessionOf(uint32(doc)); got != want {
			t.Errorf("SessionOf(%d) = %d, want %d", doc, got, want)
		}
	}
}

// TestConcurrentUse is for the race detector; what it checks is that searches
// see whole documents only.
func TestConcurrentUse(t *testing.T) {
	x := indexOf(t, "start")
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			q := text.ParseQuery("left right")
			o := bm25.Options{Params: usual()}
			for {
				select {
				case <-done:
					return
				default:
				}
				hits := x.Search(q, o, 50, nil)
				var docs []uint32
				for _, h := range hits {
					docs = append(docs, h.Doc)
				}
				for _, c := range x.Coverage(q, docs, nil) {
					if c != 0 && c != 1 {
						t.Errorf("a search saw half a document: coverage %v", c)
					}
				}
				x.ScoreSessions(q, o.Params, []uint32{0}, nil)
			}
		})
	}
	for i := range 400 {
		if _, err := x.Add(bm25.Doc{Text: "left and right", Session: 0, Turn: uint64(i)}); err != nil {
			t.Error(err)
		}
		if i%10 == 9 {
			x.Remove(uint32(i - 3))
		}
		if i%100 == 99 {
			snapshot(t, x)
		}
	}
	close(done)
	wg.Wait()
}

// usual are the constants that the literature starts with, and a weight for neighbours.
func usual() bm25.Params { return bm25.Params{K1: 1.2, B: 0.75, Text: 1, Context: 0.4} }

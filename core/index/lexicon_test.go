package index

import (
	"slices"
	"testing"
)

func TestEachWord(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"The flat's heating clanks", []string{"the", "flat", "heating", "clanks"}},
		{"The flat’s heating", []string{"the", "flat", "heating"}},
		{"don't", []string{"don", "t"}},
		{"Café au lait", []string{"cafe", "au", "lait"}},
		{"Cafe\u0301", []string{"cafe"}},
		{"it's s's 'sun'", []string{"it", "s", "sun"}},
		{"C++ vs C#", []string{"c", "vs", "c"}},
		{"room 12b, 3.5", []string{"room", "12b", "3", "5"}},
		{"വീടിന്റെ താക്കോൽ", []string{"വീടിന്റെ", "താക്കോല്"}},
		{"Ｔｈｅ ｌｏｃｋｅｒ ７", []string{"the", "locker", "7"}},
		{"oﬃce 𝐛𝐨𝐥𝐝", []string{"office", "bold"}},
		{"light\u00adhouse", []string{"lighthouse"}}, {"Größe", []string{"grosse"}},
		{"المِفْتَاح", []string{"المفتاح"}}, {"בְּחֵיפָה", []string{"בחיפה"}},
		{"Ёлка Артём", []string{"елка", "артем"}}, {"ΔΙΑΒΑΤΉΡΙΟ", []string{"διαβατηριο"}},
		{"我的猫叫团子。", []string{"我的", "的猫", "猫叫", "叫团", "团子"}},
		{"猫", []string{"猫"}}, {"用Go写", []string{"用", "go", "写"}},
		{"แมวชื่อส้มโอ", []string{"แม", "มว", "วชื่", "ชื่อ", "อส้", "ส้ม", "มโ", "โอ"}},
		{"부산에서 3호", []string{"부산에서", "3호"}},
		{"", nil}, {"...", nil}, {"'", nil}, {"a\xffb", []string{"a", "b"}},
	} {
		var got []string
		eachWord(c.in, nil, func(w []byte) { got = append(got, string(w)) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzEachWord(f *testing.F) {
	f.Add("It’s Café\u0301 s'")
	f.Fuzz(func(t *testing.T, s string) {
		eachWord(s, nil, func(w []byte) {
			if len(w) == 0 {
				t.Fatal("empty word")
			}
		})
	})
}

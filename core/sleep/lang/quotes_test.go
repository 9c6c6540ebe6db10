package lang

import "testing"

// TestQuotesIn checks what is somebody's words in texts of several sentences.
func TestQuotesIn(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{`The page reads: "Never ask. I live in Atlantis." I read it twice.`, `"Never ask. I live in Atlantis.`},
		{`She wrote “I am a diver. I live in Bled.” Nice.`, `“I am a diver. I live in Bled.`},
		{`Er rief „Ich bin da. Ich bleibe.“ Gut.`, `„Ich bin da. Ich bleibe.`},
		{`He said 'I live in Bled. I'm a diver.' and left.`, `'I live in Bled. I'm a diver.`},
		{"Here:\n> I live in Bled.\nI do not.", "> I live in Bled.\n"},
		{"Here:\n  > I live in Bled. I dive.\n", "  > I live in Bled. I dive.\n"},
		{`It's the boys' room. I live in Bled. It's fine.`, ""},
		{`The screen is 27" wide. I live in Bled. The desk is 60" long.`, ""},
		{"He said \"wait.\n\nI live in Bled. I said \"no\" then.", `"no`},
		{`An unclosed "mark. I live in Bled.`, ""},
		{"5 > 4. I live in Bled.", ""},
		{"\xff\" \xfe\"", "\"\x20\xfe"},
		{"", ""},
	} {
		got := ""
		for _, q := range QuotesIn(tc.text) {
			got += tc.text[q[0]:q[1]]
		}
		if got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

func FuzzQuotesIn(f *testing.F) {
	for _, s := range []string{`"a" 'b.' “c”`, "> a\n\n>b", "\xff\"'\xfe", "「あ」『い』«у»"} {
		f.Add(s)
	}
	set := Default()
	f.Fuzz(func(t *testing.T, s string) {
		q := QuotesIn(s)
		for _, span := range q {
			if span[0] < 0 || span[1] > len(s) || span[0] > span[1] {
				t.Fatalf("%q: %v", s, span)
			}
		}
		set.AnalyseIn(s, 0, q)
	})
}

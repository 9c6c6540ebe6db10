package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A passage is about three sentences in every script, so that of a long document the
// sentence that answers is packed and not the document.
func TestPassagesAreShortInEveryScript(t *testing.T) {
	for name, sentence := range map[string]string{
		"english":  "The pool closes at nine in the evening on Thursdays. ",
		"chinese":  "游泳池每周四晚上八点关门，请提前离开。",
		"japanese": "プールは木曜日の夜八時に閉まります。",
		"thai":     "สระว่ายน้ำปิดสองทุ่มทุกวันพฤหัสบดี ",
		"hindi":    "तालाब हर गुरुवार रात आठ बजे बंद हो जाता है। ",
		"burmese":  "ရေကူးကန်ကို ကြာသပတေးနေ့ညတွင်ပိတ်သည်။",
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.Repeat(sentence, 100)
			got := passages(body)
			if len(got) < 10 {
				t.Errorf("%d passages of 100 sentences", len(got))
			}
			for _, sp := range got {
				if n := utf8.RuneCountInString(body[sp.Start:sp.End]); n > 420 {
					t.Errorf("a passage of %d characters", n)
				}
			}
		})
	}
}

func TestPassagesKeepShortTextsTogether(t *testing.T) {
	for _, body := range []string{
		"We spent Sunday at the lake. The reeds there were full of birds.",
		"我的猫叫团子。它今年三岁。",
		"自転車の鍵はここです。植木鉢の下にあります。",
	} {
		if got := passages(body); len(got) != 1 {
			t.Errorf("%q makes %d passages", body, len(got))
		}
	}
}

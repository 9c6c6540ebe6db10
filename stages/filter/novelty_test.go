package filter

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestNovelty(t *testing.T) { conform(t, Novelty) }

// spoken is a source that knows what items say, and nothing about their vectors.
type spoken struct {
	frame.Source
	texts []string
}

func (s spoken) Texts(docs []uint32, dst []string) error {
	for i, d := range docs {
		dst[i] = s.texts[d]
	}
	return nil
}

// twins is a source in which every two items have one cosine.
type twins struct {
	spoken
	cosine float32
}

func (s twins) Cosines(_ uint32, _ []uint32, dst []float32) {
	for i := range dst {
		dst[i] = s.cosine
	}
}

// mute is a source whose store is gone.
type mute struct{ twins }

func (mute) Texts([]uint32, []string) error { return errors.New("gone") }

func noveltyFrame(texts ...string) (*frame.Frame, spoken) {
	f := rows(0, Novelty)
	for i, s := range texts {
		f.Row(uint32(i))
		f.I64(frame.ID)[i] = int64(i)
		f.F32(frame.Score)[i] = float32(len(texts) - i)
		f.F32(frame.Words)[i] = float32(len(strings.Fields(s)))
	}
	src := spoken{texts: texts}
	f.Source = src
	return f, src
}

// TestNoveltyPairs gives two texts of the same cosine. They are said by nobody but
// this test.
func TestNoveltyPairs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"I usually take the bus to work.", "I usually take the bus to work.", true},
		{"I usually take the bus to work.", "i usually take the bus to work!!", true},
		{"I usually take the bus to work.", "I really usually take the bus to the work", true},
		{"I'm fond of green tea.", "I am very fond of green tea", true},
		{"Do not park in the yard.", "Don't park in the yard.", true},
		{"DON’T park in the yard.", "don't park in the yard", true},
		{"The spare keys are in the blue box.", "The spare keys are in the box.", true},

		{"The boat leaves on 14 March.", "The boat leaves on 15 March.", false},
		{"The boat leaves on 14 March.", "The boat leaves on 14 May.", false},
		{"Room three is free.", "Room four is free.", false},
		{"Pay 1200 to the mason.", "Pay 1300 to the mason.", false},
		{"It was -5 outside.", "It was 5 outside.", false},
		{"It costs 5 €.", "It costs 5 $.", false},
		{"Use C++ for it.", "Use C# for it.", false},
		{"Asha has the keys.", "Ravi has the keys.", false},
		{"Asha paid for Ravi.", "Ravi paid for Asha.", false},
		{"They moved to the US.", "They moved to us.", false},
		{"I am allergic to nuts.", "I am not allergic to nuts.", false},
		{"He can swim.", "He can't swim.", false},
		{"He can swim.", "He can never swim.", false},
		{"Ich esse Fleisch.", "Ich esse kein Fleisch.", false},
		{"я люблю чай", "я не люблю чай", false},
		{"the dog bites the man", "the man bites the dog", false},
		{"the pills before breakfast", "the pills after breakfast", false},
		{"the keys are in the left drawer", "the keys are in the right drawer", false},
		{"the shop is open", "the shop is open?", false},
		{"പൂനെയിൽ താമസിക്കുന്നു", "നിലക്കടല അലർജിയാണ്", false},
		{"部署を変えた", "出張に行った", false},
		{"🏡 🚗", "🎂 ✈️", false},
		{"...", "!!!", false},
		{"", "", false},
	} {
		t.Run(c.a+"|"+c.b, func(t *testing.T) {
			for _, texts := range [][]string{{c.a, c.b}, {c.b, c.a}} {
				f, src := noveltyFrame(texts...)
				f.Source = twins{src, 0.98}
				run(t, stage(t, Novelty, Novelty.NewParams()), f)
				if c.same {
					wantOrder(t, f, 0)
				} else {
					wantOrder(t, f, 0, 1)
				}
			}
		})
	}
}

func TestNoveltyNeedsTheCosine(t *testing.T) {
	texts := []string{"The spare keys are in the box.", "The spare keys are in the blue box.", "the spare keys are in the box"}
	f, src := noveltyFrame(texts...)
	f.Source = twins{src, 0.96}
	run(t, stage(t, Novelty, Novelty.NewParams()), f)
	wantOrder(t, f, 0, 1, 2)
	f.Source = twins{src, 0.98}
	run(t, stage(t, Novelty, NoveltyParams{MinCosine: 2, Keep: 64}), f)
	wantOrder(t, f, 0, 1) // the third has the first one's words
	f, _ = noveltyFrame(texts...)
	run(t, stage(t, Novelty, Novelty.NewParams()), f)
	wantOrder(t, f, 0, 1)
	refused(t, Novelty, NoveltyParams{MinCosine: -1}, NoveltyParams{MinCosine: nan}, NoveltyParams{Keep: -1})
}

func TestNoveltyKeepsTheBetter(t *testing.T) {
	f, _ := noveltyFrame("tea with milk", "Tea with milk.", "tea, with milk")
	copy(f.F32(frame.Score), []float32{1, 2, 2})
	copy(f.I64(frame.ID), []int64{1, 7, 3})
	run(t, stage(t, Novelty, Novelty.NewParams()), f)
	wantOrder(t, f, 2)
}

func TestNoveltyComparesLikeWithLike(t *testing.T) {
	for _, col := range []frame.Column{frame.Item, frame.Role, frame.Speaker} {
		f, _ := noveltyFrame("tea with milk", "tea with milk")
		f.I64(col)[1] = 1
		run(t, stage(t, Novelty, Novelty.NewParams()), f)
		wantOrder(t, f, 0, 1)
	}
}

// TestNoveltyLooksFarEnough: however many repeats come first, what is kept is
// different.
func TestNoveltyLooksFarEnough(t *testing.T) {
	var texts []string
	for range 500 {
		texts = append(texts, "the tram was full")
	}
	for i := range 5 {
		texts = append(texts, fmt.Sprintf("box %s is in the attic", strings.Repeat("x", i+1)))
	}
	f, src := noveltyFrame(texts...)
	f.Source = twins{src, 1}
	run(t, stage(t, Novelty, NoveltyParams{MinCosine: 0.97, Keep: 3}), f)
	wantOrder(t, f, 0, 500, 501, 502, 503, 504)
}

// TestNoveltyReadsNoMoreThanItMust: rows that are not alike are never read.
func TestNoveltyReadsNoMoreThanItMust(t *testing.T) {
	f, src := noveltyFrame("tea with milk", "tea with much honey")
	f.Source = mute{twins{src, 0.9}}
	run(t, stage(t, Novelty, Novelty.NewParams()), f)
	wantOrder(t, f, 0, 1)
	f.Source = mute{twins{src, 0.98}}
	if err := stage(t, Novelty, Novelty.NewParams()).Run(t.Context(), f); err == nil {
		t.Error("texts that cannot be read are no error")
	}
	f.Source = nil
	run(t, stage(t, Novelty, Novelty.NewParams()), f)
	wantOrder(t, f, 0, 1)
}

func BenchmarkNovelty(b *testing.B) { bench(b, Novelty) }

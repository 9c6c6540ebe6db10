package pack

import (
	"fmt"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed/wordpiece"
)

// usual is what a recall in a space of some age finds.
func usual() *Input {
	in := &Input{Today: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)}
	for i := range 4 {
		in.Rules = append(in.Rules, &core.State{ID: core.ID(i + 1), Subject: core.SubjectUser, Attribute: "forbidden_rule", Value: fmt.Sprintf("pushing to release branch %d on a Friday", i)})
	}
	for i := range 40 {
		in.States = append(in.States, State{&core.State{ID: core.ID(i + 10), Subject: core.SubjectUser, Attribute: fmt.Sprintf("favourite_thing_%d", i), Value: "a walk along the river in the evening", ValidFrom: "2026-10-01", Stated: true}, float32(i)})
	}
	for i := range 8 {
		in.Events = append(in.Events, Event{core.Event{ID: core.ID(i + 100), Subject: core.SubjectUser, Text: "went for a swim with the neighbours", Start: "2026-10-12"}, float32(i)})
	}
	for i := range 60 {
		in.Passages = append(in.Passages, Passage{
			Source: core.Source{Passage: core.ID(i + 1000)}, Score: float32(i % 17), At: in.Today.AddDate(0, 0, -i), Role: core.RoleUser, Kind: core.KindTurn,
			Text: "Yesterday we took the late train to the coast, and Asha said that the café near the harbour is still open on Sundays.",
		})
	}
	return in
}

// BenchmarkPack is what a recall pays for its block. Counting alone is
// BenchmarkCount.
func BenchmarkPack(b *testing.B) {
	c := wordPiece{wordpiece.English()}
	for _, f := range Formats() {
		b.Run(string(f), func(b *testing.B) {
			in, p := usual(), Defaults()
			in.Format = f
			b.ReportAllocs()
			for b.Loop() {
				Pack(in, p, c)
			}
			b.ReportMetric(float64(Pack(in, p, c).Tokens), "tokens")
		})
	}
}

func BenchmarkCount(b *testing.B) {
	count, block := wordpiece.English().Count, Pack(usual(), Defaults(), wordPiece{wordpiece.English()}).Block
	b.ReportAllocs()
	for b.Loop() {
		count(block)
	}
	b.ReportMetric(float64(count(block)), "tokens")
}

func BenchmarkCleanOrdinary(b *testing.B) {
	s := usual().Passages[0].Text
	b.ReportAllocs()
	for b.Loop() {
		(cleaner{}).text(s)
	}
}

// wordPiece counts as the default tokenizer of a configuration does.
type wordPiece struct{ *wordpiece.Vocab }

func (wordPiece) Name() string { return TokenizerWordPiece }

package sleep_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/text/sentence"
)

// crowd makes statements about n people: where each lives and works, and who of them
// moved since.
func crowd(n int, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	syllable := func() string { return pick("ba", "de", "ki", "lo", "mu", "na", "ri", "so", "te", "vu") }
	city := func() string { return pick("Porto", "Utrecht", "Pune", "Zadar", "Trieste", "Lyon", "Oslo", "Riga") }
	var names, out []string
	for i := range n {
		// Families share a name, and so do many of those called Anna.
		name := pick("Anna", "Dora", "Elif", "Greta", "Hana", "Kofi", "Liam", "Marta", "Nuno", "Otto", "Sven", "Tara") +
			fmt.Sprintf(" %s%s%s%s", pick("B", "D", "G", "K", "L", "P", "R", "S"), syllable(), syllable(), syllable())
		names = append(names, name)
		out = append(out, name+" lives in "+city()+".")
		if i%2 == 0 {
			out = append(out, name+" works at "+pick("Acme", "Globex", "Initech", "Umbra", "Vela", "Tidal")+".")
		}
		if i%5 == 0 {
			out = append(out, names[r.IntN(len(names))]+" moved to "+city()+".")
		}
	}
	return out
}

// tell appends texts as notes of the user, a minute apart.
func (w *world) tell(texts []string, from time.Time) {
	w.t.Helper()
	var drafts []core.Draft
	for i, text := range texts {
		h := sha256.Sum256([]byte(text))
		d := core.Draft{NormHash: [16]byte(h[:]), Episode: core.Episode{
			Kind: core.KindNote, Role: core.RoleUser, Trust: core.TrustNote, Text: text, At: from.Add(time.Duration(i) * time.Minute), Session: fmt.Sprint(i / 50),
		}}
		for _, s := range sentence.Split(text, nil) {
			d.Passages = append(d.Passages, core.DraftPassage{Start: s.Start, End: s.End, Terms: "x"})
		}
		if drafts = append(drafts, d); len(drafts) == 1000 || i == len(texts)-1 {
			if _, err := w.store.Append(context.Background(), "p", drafts); err != nil {
				w.t.Fatal(err)
			}
			drafts = nil
		}
	}
}

// BenchmarkPeople is what a sleep costs over a space that knows many people: of a first
// sleep over all that was said of them, for each line, and of one more over 20 lines.
func BenchmarkPeople(b *testing.B) {
	for _, n := range []int{1000, 5000, 20_000} {
		if n > 1000 && testing.Short() {
			break
		}
		start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		b.Run(fmt.Sprint("first/", n), func(b *testing.B) {
			lines := 0
			for b.Loop() {
				b.StopTimer()
				w := newWorld(b, nil)
				w.tell(crowd(n, 1), start)
				b.StartTimer()
				rep, err := w.consolidate("p", "rules", w.now)
				if err != nil {
					b.Fatal(err)
				}
				lines += rep.Lines
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(lines), "ns/line")
		})
		b.Run(fmt.Sprint("more/", n), func(b *testing.B) {
			w := newWorld(b, nil)
			w.tell(crowd(n, 1), start)
			if _, err := w.consolidate("p", "rules", w.now); err != nil {
				b.Fatal(err)
			}
			more := crowd(20*1000, 2)
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				w.tell(more[i*20%20_000:][:20], start.AddDate(1, 0, i))
				b.StartTimer()
				if _, err := w.consolidate("p", "rules", w.now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

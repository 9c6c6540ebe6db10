package sleep_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
)

// backdated is a history that tells late, and of earlier days, what changed and ended.
func backdated(r *rand.Rand, n int) []core.Episode {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var out []core.Episode
	day := time.Date(2024, 6, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		day = day.AddDate(0, 0, r.IntN(9))
		when := pick("", " yesterday", " last week", " two months ago", " in March", " on 3 May 2024", " on 2 February", " last Friday")
		s := pick(
			"I live in "+pick("Porto", "Leuven", "Graz")+".", "I moved to "+pick("Porto", "Malmö", "Graz")+when+".", "I left "+pick("Porto", "Graz")+when+".",
			"I work at "+pick("Corvid Group", "Halden Glass")+".", "I quit my job"+when+".", "I joined "+pick("Corvid Group", "Halden Glass")+when+".",
			"I've lived in Leuven since "+pick("May 2023", "last week")+".", "I lived in Porto until "+pick("2019", "last month")+".",
			"I'm married to Ingvild.", "We got divorced"+when+".", "Never book flight "+pick("1", "2")+".", "You can book flight 1 again.",
			"My rent went up to "+pick("700", "750")+" euros"+when+".", "My rent is 720 euros.",
		)
		out = append(out, core.Episode{Text: s, Session: fmt.Sprint("s", i/6), At: day})
	}
	return out
}

// Whatever is told when, and in whatever order it arrives, no state ends before it
// begins.
func TestNothingEndsBeforeItBegins(t *testing.T) {
	w := newWorld(t, nil)
	for seed := range uint64(24) {
		space := fmt.Sprint("backdated", seed)
		r := rand.New(rand.NewPCG(seed, 5))
		groups := split(backdated(r, 40), 5)
		if seed%2 == 1 {
			r.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		}
		check := func(when string) {
			t.Helper()
			for _, s := range w.states(space) {
				if s.ValidTo != "" && s.ValidTo < s.ValidFrom {
					t.Errorf("seed %d, %s: %s %q from %s to %s", seed, when, s.Attribute, s.Value, s.ValidFrom, s.ValidTo)
				}
			}
		}
		for i, g := range groups {
			for _, e := range g {
				w.say(space, e)
			}
			w.mustSleep(t, sl.Run{Space: space, Now: w.now})
			check(fmt.Sprint("group ", i))
		}
		w.mustSleep(t, sl.Run{Space: space, Now: w.now, Rebuild: true})
		check("rebuilt")
	}
}

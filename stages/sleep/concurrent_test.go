package sleep_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
)

// Eight writers and readers work while sleep runs at full speed: nobody gets an
// error, nothing is lost, and at the end every line was read.
func TestSleepBesideWritersAndReaders(t *testing.T) {
	const workers, each = 8, 15
	w := newWorld(t, nil)
	for i := range 100 {
		w.say("a", core.Episode{Text: fmt.Sprintf("I like recipe number %d.", i), At: monday.AddDate(0, 0, i)})
	}
	ctx := context.Background()
	var wg, sleeper sync.WaitGroup
	stop := make(chan struct{})
	sleeper.Go(func() {
		for {
			if _, err := w.sleep.Sleep(ctx, sl.Run{Space: "a", Backend: "rules", Now: w.now}); err != nil {
				t.Errorf("sleep: %v", err)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for k := range workers {
		wg.Go(func() {
			for i := range each {
				if k%2 == 0 {
					if _, err := w.store.States(ctx, "a", core.StateFilter{Open: true}); err != nil {
						t.Errorf("read: %v", err)
					}
					if _, err := w.store.Recent(ctx, "a", 1<<30, 5); err != nil {
						t.Errorf("recent: %v", err)
					}
				}
				e := core.Episode{Text: fmt.Sprintf("I like soup number %d of cook %d.", i, k), At: monday.AddDate(1, 0, i)}
				if err := w.append("a", e); err != nil {
					t.Errorf("write: %v", err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	sleeper.Wait()
	w.mustSleep(t, sl.Run{Space: "a", Now: w.now})
	if n := len(w.pending(t, "a")); n != 0 {
		t.Errorf("%d episodes wait", n)
	}
	if n := len(w.states("a")); n != 100+workers*each {
		t.Errorf("%d states, want %d", n, 100+workers*each)
	}
}

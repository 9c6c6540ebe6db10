package sleep

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/orma-memory/orma/core"
)

// queue is what the scheduler sees of a store, and a sleep that empties it.
type queue struct {
	mu     sync.Mutex
	spaces map[string]core.DueSpace
	log    []string
	most   []int // batches that each turn may take
	fail   func(space string) error
	took   time.Duration
	each   int // episodes that one turn finishes
}

// turns returns the spaces that had a turn, in order.
func (q *queue) turns() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.log)
}

func (q *queue) due(context.Context) ([]core.DueSpace, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []core.DueSpace
	for _, d := range q.spaces {
		if d.Pending > 0 {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b core.DueSpace) int { return strings.Compare(a.Space, b.Space) })
	return out, nil
}

func (q *queue) sleep(ctx context.Context, r Run) (*Report, error) {
	q.mu.Lock()
	q.log = append(q.log, r.Space)
	q.most = append(q.most, r.Batches)
	q.mu.Unlock()
	select {
	case <-ctx.Done():
		return &Report{}, ctx.Err()
	case <-time.After(q.took):
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fail != nil {
		if err := q.fail(r.Space); err != nil {
			return &Report{}, err
		}
	}
	d := q.spaces[r.Space]
	n := d.Pending
	if q.each > 0 {
		n = min(n, q.each)
	}
	d.Pending -= n
	q.spaces[r.Space] = d
	return &Report{Episodes: n, More: d.Pending > 0}, nil
}

func (q *queue) pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for _, d := range q.spaces {
		n += d.Pending
	}
	return n
}

func (q *queue) add(space string, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	d := q.spaces[space]
	q.spaces[space] = core.DueSpace{Space: space, Pending: d.Pending + n, Last: time.Now()}
}

// scheduled runs test with a scheduler on q in a bubble with its own time.
func scheduled(t *testing.T, q *queue, test func(*Scheduler)) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		q.spaces = map[string]core.DueSpace{}
		ctx, cancel := context.WithCancel(context.Background())
		s := newScheduler(q.sleep, q.due, time.Now, slog.New(slog.DiscardHandler), ScheduleOptions{})
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		test(s)
		cancel()
		<-done // the bubble fails if a goroutine is left
	})
}

// A space takes more batches at a time while no other is ready.
func TestSchedulerTurns(t *testing.T) {
	q := &queue{each: 100}
	scheduled(t, q, func(s *Scheduler) {
		q.add("a", 200)
		q.add("b", 100)
		s.Wake()
		time.Sleep(time.Second)
		if got, want := q.turns(), []string{"a", "b", "a"}; !slices.Equal(got, want) {
			t.Fatalf("turns of %v, want %v", got, want)
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		if want := []int{8, 8, 32}; !slices.Equal(q.most, want) {
			t.Errorf("turns of at most %v batches, want %v", q.most, want)
		}
	})
}

func TestSchedulerWaitsUntilItIsQuiet(t *testing.T) {
	q := &queue{}
	scheduled(t, q, func(*Scheduler) {
		q.add("a", 1)
		time.Sleep(110 * time.Second)
		if len(q.turns()) != 0 {
			t.Errorf("slept after %v, before two quiet minutes", 110*time.Second)
		}
		q.add("a", 1) // a further line begins the wait anew
		time.Sleep(110 * time.Second)
		if len(q.turns()) != 0 {
			t.Error("slept although the conversation went on")
		}
		time.Sleep(30 * time.Second)
		if len(q.turns()) != 1 {
			t.Errorf("%d turns after the quiet time, want 1", len(q.turns()))
		}
	})
}

func TestSchedulerDoesNotWaitForManyEpisodes(t *testing.T) {
	q := &queue{}
	scheduled(t, q, func(s *Scheduler) {
		q.add("a", 20)
		s.Wake()
		time.Sleep(time.Millisecond)
		if len(q.turns()) != 1 {
			t.Errorf("%d turns, want 1", len(q.turns()))
		}
	})
}

func TestSchedulerIsFair(t *testing.T) {
	q := &queue{each: 10, took: time.Second}
	scheduled(t, q, func(s *Scheduler) {
		q.add("large", 60)
		s.Wake()
		time.Sleep(1500 * time.Millisecond)
		q.add("small", 20)
		time.Sleep(10 * time.Second)
		if i := slices.Index(q.turns(), "small"); i < 0 || i > 2 {
			t.Errorf("small waited for all of large: %v", q.turns())
		}
	})
}

func TestSchedulerRestsWhenTheModelIsAway(t *testing.T) {
	q := &queue{fail: func(string) error { return core.Errorf(core.CodeUnavailable, "away") }}
	scheduled(t, q, func(s *Scheduler) {
		q.add("a", 30)
		q.add("b", 30)
		s.Wake()
		time.Sleep(30 * time.Second)
		if len(q.turns()) != 1 {
			t.Errorf("asked %d times in half a minute, want once", len(q.turns()))
		}
		time.Sleep(24 * time.Hour)
		if n := len(q.turns()); n < 10 || n > 80 {
			t.Errorf("asked %d times in a day", n)
		}
		q.mu.Lock()
		q.fail = nil
		q.mu.Unlock()
		time.Sleep(time.Hour)
		if q.pending() != 0 {
			t.Error("did not go on when the model was back")
		}
	})
}

func TestSchedulerLeavesWhatFailsAlone(t *testing.T) {
	q := &queue{fail: func(s string) error {
		if s == "bad" {
			return errors.New("broken")
		}
		return nil
	}}
	scheduled(t, q, func(s *Scheduler) {
		q.add("bad", 20)
		q.add("good", 20)
		s.Wake()
		time.Sleep(time.Minute)
		if got := strings.Join(q.turns(), " "); got != "bad good" {
			t.Errorf("turns %q, want each once", got)
		}
		q.add("bad", 1) // news is a reason to try again
		time.Sleep(time.Minute)
		if len(q.turns()) != 3 {
			t.Errorf("turns %v, want bad again", q.turns())
		}
	})
}

func TestSchedulerStopsAtOnce(t *testing.T) {
	q := &queue{took: time.Hour}
	scheduled(t, q, func(s *Scheduler) {
		q.add("a", 20)
		s.Wake()
		time.Sleep(time.Second) // in the middle of a turn; the helper stops it now
	})
	if q.pending() != 20 {
		t.Error("an interrupted turn lost what waits")
	}
}

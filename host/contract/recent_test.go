package contract

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestRecentKeepsTheLastUsed asks for parameters in turn: what is kept is made once, and
// what falls out is ended once.
func TestRecentKeepsTheLastUsed(t *testing.T) {
	for _, c := range []struct{ name, asked, made, ended, kept string }{
		{"fits", "a b a b", "a b", "", "b a"},
		{"the oldest falls out", "a b c d", "a b c d", "a", "d c b"},
		{"used again is young again", "a b c a d", "a b c d", "b", "d a c"},
		{"fell out and is made again", "a b c d a", "a b c d a", "a b", "a d c"},
		{"the last of all is used", "a b c b a c", "a b c", "", "c a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var made, ended, kept []string
			r := NewRecent(3, func(p string) string {
				made = append(made, p)
				return "of " + p
			}, func(s string) { ended = append(ended, strings.TrimPrefix(s, "of ")) })
			for _, p := range strings.Fields(c.asked) {
				if got, ok := r.Get(p); !ok || got != "of "+p {
					t.Fatalf("Get(%q) = %q, %v", p, got, ok)
				}
			}
			r.Each(func(s string) { kept = append(kept, strings.TrimPrefix(s, "of ")) })
			for _, x := range []struct {
				what, want string
				got        []string
			}{{"made", c.made, made}, {"ended", c.ended, ended}, {"kept", c.kept, kept}} {
				if got := strings.Join(x.got, " "); got != x.want {
					t.Errorf("%s %q, want %q", x.what, got, x.want)
				}
			}
		})
	}
}

func TestRecentEndsAllWhenItCloses(t *testing.T) {
	var mu sync.Mutex
	var ended []string
	r := NewRecent(3, func(p string) string { return p }, func(s string) {
		mu.Lock()
		ended = append(ended, s)
		mu.Unlock()
	})
	r.Get("a")
	r.Get("b")
	r.Close()
	r.Close()
	if got, ok := r.Get("a"); ok || got != "" {
		t.Errorf("Get after Close = %q, %v", got, ok)
	}
	if slices.Sort(ended); fmt.Sprint(ended) != "[a b]" {
		t.Errorf("ended %v, want a and b once", ended)
	}
}

// TestRecentUnderMany asks from many sides at once, while it closes: all that was made is
// ended, and nothing twice.
func TestRecentUnderMany(t *testing.T) {
	var mu sync.Mutex
	alive := map[int]bool{}
	made := 0
	r := NewRecent(3, func(string) int {
		mu.Lock()
		defer mu.Unlock()
		made++
		alive[made] = true
		return made
	}, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if !alive[n] {
			t.Errorf("%d was ended twice", n)
		}
		delete(alive, n)
	})
	var askers sync.WaitGroup
	for i := range 8 {
		askers.Go(func() {
			for j := range 200 {
				r.Get(fmt.Sprint((i + j) % 7))
			}
		})
	}
	askers.Wait()
	r.Close()
	if len(alive) != 0 {
		t.Errorf("%d of %d were never ended", len(alive), made)
	}
}

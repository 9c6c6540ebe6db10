package proxy

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestManyStreamsAtOnce runs 200 streams side by side: each gets its own bytes, every
// turn is recorded, and nothing is left running.
func TestManyStreamsAtOnce(t *testing.T) {
	const n = 200
	all := make(chan struct{})
	var arrived sync.WaitGroup
	arrived.Add(n)
	g := newRig(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, name, _ := strings.Cut(string(body), "stream number ")
		name, _, _ = strings.Cut(name, `"`)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, delta("I am "))
		_ = http.NewResponseController(w).Flush()
		arrived.Done()
		<-all // none ends before all have begun
		_, _ = io.WriteString(w, delta(name)+event("[DONE]"))
	})
	before := runtime.NumGoroutine()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			resp, err := client.Post(g.url+"/v1/chat/completions", "application/json", strings.NewReader(conversation(fmt.Sprintf("I am stream number %d", i))))
			if err != nil {
				t.Error(err)
				arrived.Done()
				return
			}
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			if want := delta("I am ") + delta(fmt.Sprint(i)) + event("[DONE]"); err != nil || string(got) != want {
				t.Errorf("stream %d: %q, %v", i, got, err)
			}
		})
	}
	arrived.Wait()
	close(all)
	wait.Wait()
	client.CloseIdleConnections()
	got := g.recorded("default")
	if len(got) != 2*n {
		t.Errorf("%d turns recorded, want %d", len(got), 2*n)
	}
	g.up.CloseClientConnections()
	for range 1_000_000 { // connections end behind the calls that close them
		if runtime.NumGoroutine() <= before+8 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestMemoryStaysFlat sends many requests and compares the heap after some with the
// heap after all.
func TestMemoryStaysFlat(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	g := newRig(t, says("Yes."))
	g.remember("default", "The spare fuse is in the drawer.")
	client := &http.Client{}
	body := conversation("Is the fuse in the drawer?")
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first uint64
	for i := range n {
		if i == n/10 {
			first = heap()
		}
		resp, err := client.Post(g.url+"/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		g.up.mu.Lock()
		g.up.seen = g.up.seen[:0]
		g.up.mu.Unlock()
	}
	client.CloseIdleConnections()
	g.settle()
	if last := heap(); last > first+first/2+4<<20 {
		t.Errorf("heap grew from %d to %d KB", first>>10, last>>10)
	} else {
		t.Logf("heap %d KB after %d requests, %d KB after %d; %d goroutines", first>>10, n/10, last>>10, n, runtime.NumGoroutine())
	}
}

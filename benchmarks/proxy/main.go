// Command proxy measures what memory costs a chat: the time to the first token through
// `orma serve`, side by side with the same call to the model's server itself, over a
// database of generated notes. The server is a stub that answers at once, so that
// nothing hides the difference. It also watches what many requests leave behind in the
// server's memory, and opens many streams at once.
//
//	go run ./benchmarks/proxy -orma bin/orma -notes 10000
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// options of a run.
type options struct {
	orma     string
	notes    int
	requests int
	streams  int
	soak     int
}

// result is what was measured, in milliseconds.
type result struct {
	Notes    int     `json:"notes"`
	Requests int     `json:"requests"`
	Direct   spread  `json:"direct"`
	Through  spread  `json:"through"`
	Overhead spread  `json:"overhead"` // of pairs of calls, one after the other
	On       int     `json:"with_memory"`
	Streams  int     `json:"streams"`
	StreamS  float64 `json:"streams_seconds"`
	Failed   int     `json:"streams_failed"`
	CPU      float64 `json:"server_cpu_ms_per_request"`
	Resident int64   `json:"server_resident_mb"`
	Soak     soak    `json:"soak"`
}

// soak is what many requests leave behind in the server. The counts at the start are
// those after a tenth of them.
type soak struct {
	Requests   int      `json:"requests"`
	Failed     int      `json:"failed"`
	ResidentMB [2]int64 `json:"resident_mb"` // at the start and the end
	HeapMB     [2]int64 `json:"heap_mb"`
	Goroutines [2]int64 `json:"goroutines"` // with no request under way
}

type spread struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

func main() {
	var o options
	flag.StringVar(&o.orma, "orma", "bin/orma", "the program")
	flag.IntVar(&o.notes, "notes", 10_000, "notes in the database")
	flag.IntVar(&o.requests, "requests", 500, "pairs of calls")
	flag.IntVar(&o.streams, "streams", 200, "streams at once")
	flag.IntVar(&o.soak, "soak", 10_000, "requests, eight at a time, over which memory is watched")
	flag.Parse()
	r, err := run(context.Background(), o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "proxy:", err)
		os.Exit(1)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (r result, err error) {
	home, err := os.MkdirTemp("", "orma-proxy")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(home)
	notes := latency.NewNotes(1)
	if err := fill(ctx, home, notes, o.notes); err != nil {
		return r, err
	}
	up := httptest.NewServer(http.HandlerFunc(answer))
	defer up.Close()
	s, err := start(ctx, o.orma, home, up.URL)
	if err != nil {
		return r, err
	}
	defer s.stop()
	r.Notes, r.Requests, r.Streams = o.notes, o.requests, o.streams
	for range 20 { // until the index is loaded and connections are open
		if _, _, err := s.first(s.address, notes.Query()); err != nil {
			return r, err
		}
	}
	if err := s.pairs(&r, up.URL, notes); err != nil {
		return r, err
	}
	// Before the streams: an idle connection to the model's server has two goroutines.
	if err := s.soak(&r.Soak, o.soak, notes); err != nil {
		return r, err
	}
	s.many(&r, notes)
	return r, nil
}

// fill makes the database.
func fill(ctx context.Context, home string, g *latency.Notes, n int) error {
	m, err := local.Open(ctx, local.Options{Home: home, Now: g.Now})
	if err != nil {
		return err
	}
	defer m.Close()
	for n > 0 {
		batch := make([]engine.Input, min(n, 500))
		for i := range batch {
			batch[i] = g.Next()
		}
		if _, err := m.Add(ctx, "", batch...); err != nil {
			return err
		}
		n -= len(batch)
	}
	return nil
}

// answer streams a few tokens, the first at once.
func answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	for _, t := range []string{"All", " is", " well", "."} {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", t)
		_ = http.NewResponseController(w).Flush()
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// server is a running `orma serve`.
type server struct {
	cmd     *exec.Cmd
	address string
	client  *http.Client
}

func start(ctx context.Context, program, home, upstream string) (*server, error) {
	path, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, "serve", "--port", "0", "--json", "--upstream", upstream)
	cmd.Env = append(os.Environ(), "ORMA_HOME="+home)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var at struct {
		Address string `json:"address"`
	}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&at); err != nil {
		return nil, fmt.Errorf("%s did not start: %w", program, err)
	}
	return &server{cmd, at.Address, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}}, nil
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait()
}

// first asks a question and returns the time to the first byte of the answer, and
// whether memory was in the request.
func (s *server) first(root, query string) (ms float64, on bool, err error) {
	q, err := json.Marshal(query)
	if err != nil {
		return 0, false, err
	}
	body := `{"model":"m","stream":true,"messages":[{"role":"system","content":"You are a careful assistant."},{"role":"user","content":` + string(q) + `}]}`
	began := time.Now()
	resp, err := s.client.Post(root+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
		return 0, false, err
	}
	ms = float64(time.Since(began).Nanoseconds()) / 1e6
	rest, err := io.ReadAll(resp.Body)
	if err == nil && !strings.HasSuffix(string(rest), "[DONE]\n\n") {
		err = fmt.Errorf("the stream was cut: %q", rest)
	}
	return ms, resp.Header.Get("X-Orma-Memory") == "on", err
}

// pairs asks each question twice: of the model's server, and through memory.
func (s *server) pairs(r *result, upstream string, g *latency.Notes) error {
	var direct, through, over []float64
	before := cpu(s.cmd.Process.Pid)
	for range r.Requests {
		q := g.Query()
		a, _, err := s.first(upstream, q)
		if err != nil {
			return err
		}
		b, on, err := s.first(s.address, q)
		if err != nil {
			return err
		}
		if on {
			r.On++
		}
		direct, through, over = append(direct, a), append(through, b), append(over, b-a)
	}
	r.Direct, r.Through, r.Overhead = spreadOf(direct), spreadOf(through), spreadOf(over)
	r.CPU = (cpu(s.cmd.Process.Pid) - before) / float64(r.Requests)
	r.Resident = resident(s.cmd.Process.Pid)
	return nil
}

// many opens streams side by side.
func (s *server) many(r *result, g *latency.Notes) {
	queries := make([]string, r.Streams)
	for i := range queries {
		queries[i] = g.Query()
	}
	failed := make([]bool, r.Streams)
	began := time.Now()
	var wait sync.WaitGroup
	for i := range failed {
		wait.Go(func() {
			_, _, err := s.first(s.address, queries[i])
			failed[i] = err != nil
		})
	}
	wait.Wait()
	r.StreamS = time.Since(began).Seconds()
	for _, f := range failed {
		if f {
			r.Failed++
		}
	}
}

// soak sends many requests and looks at what they leave behind.
func (s *server) soak(r *soak, n int, g *latency.Notes) error {
	queries := make([]string, 256)
	for i := range queries {
		queries[i] = g.Query()
	}
	var failed atomic.Int64
	send := func(n int) {
		var next atomic.Int64
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					if _, _, err := s.first(s.address, queries[i%int64(len(queries))]); err != nil {
						failed.Add(1)
					}
				}
			})
		}
		wait.Wait()
		s.client.CloseIdleConnections()
	}
	look := func(at int) error {
		for end := time.Now().Add(time.Minute); ; time.Sleep(time.Second) { // what was said is recorded behind the answers
			m, err := s.metrics("go_goroutines", "go_memstats_heap_inuse_bytes", "orma_proxy_queue")
			if err != nil {
				return err
			}
			r.Goroutines[at], r.HeapMB[at], r.ResidentMB[at] = int64(m[0]), int64(m[1])>>20, resident(s.cmd.Process.Pid)
			if m[2] == 0 || time.Now().After(end) {
				return nil
			}
		}
	}
	send(n / 10)
	if err := look(0); err != nil {
		return err
	}
	send(n - n/10)
	r.Requests, r.Failed = n, int(failed.Load())
	return look(1)
}

// metrics reads values that the server counts.
func (s *server) metrics(names ...string) ([]float64, error) {
	resp, err := s.client.Get(s.address + "/metrics")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(names))
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if i := slices.Index(names, name); i >= 0 {
			if out[i], err = strconv.ParseFloat(value, 64); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func spreadOf(times []float64) spread {
	slices.Sort(times)
	at := func(p float64) float64 { return times[min(len(times)-1, int(p*float64(len(times))))] }
	return spread{at(.5), at(.95), at(.99)}
}

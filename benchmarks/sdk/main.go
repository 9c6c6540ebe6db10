// Command sdk measures the Python and TypeScript clients as their programs see them, over a
// database of generated notes: the first search from the import on, without a server and
// with one that runs; later searches, beside the same ones in process; and 1,000 turns
// observed one by one. Processor time of the client alone stands beside each, which
// compares on a busy machine too.
//
//	go run ./benchmarks/sdk -orma bin/orma -python python3 -module sdk/typescript/dist/esm/index.js
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// What issues and documents promise, in ms.
const (
	firstMark   = 300
	laterMark   = 3 // over the engine's own time
	observeMark = 3000
)

type options struct {
	orma, python, module  string
	notes, queries, times int
}

// job is what a client is asked to do.
type job struct {
	Queries []string `json:"queries"`
	Warm    int      `json:"warm"`    // queries of which the first ones are asked before the clock runs
	Observe int      `json:"observe"` // turns
}

// answer is what a client has measured, in ms.
type answer struct {
	First      float64   `json:"first"`
	FirstCPU   float64   `json:"first_cpu"`
	Later      []float64 `json:"later"`
	LaterCPU   float64   `json:"later_cpu"` // of one search
	Observe    float64   `json:"observe"`
	ObserveCPU float64   `json:"observe_cpu"`
}

func main() {
	var o options
	flag.StringVar(&o.orma, "orma", "bin/orma", "the program")
	flag.StringVar(&o.python, "python", "python3", "a Python that has the client; empty for none")
	flag.StringVar(&o.module, "module", "sdk/typescript/dist/esm/index.js", "the client for Node; empty for none")
	flag.IntVar(&o.notes, "notes", 10_000, "notes in the database")
	flag.IntVar(&o.queries, "queries", 300, "later searches")
	flag.IntVar(&o.times, "times", 5, "starts of each kind; the median counts")
	flag.Parse()
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sdk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) (err error) {
	home, err := os.MkdirTemp("", "orma-sdk-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	g := latency.NewNotes(7)
	path := filepath.Join(home, "memory.db")
	queries, own, err := inProcess(ctx, o, home, path, g)
	if err != nil {
		return err
	}
	clients, err := o.clients(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %d notes, %d searches, median of %d starts; a client's own processor time in brackets\n", latency.Machine(), o.notes, o.queries, o.times)
	fmt.Fprintf(out, "engine in process: search p50 %.2f ms, p95 %.2f ms\n", at(own, 0.5), at(own, 0.95))
	for _, c := range clients {
		if err := c.measure(home, o, queries, own, out); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// inProcess fills the database and returns queries, with how long the engine takes for them.
func inProcess(ctx context.Context, o options, home, path string, g *latency.Notes) (queries []string, own []float64, err error) {
	m, err := local.Open(ctx, local.Options{Home: home, Path: path})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	for left := o.notes; left > 0; {
		batch := make([]engine.Input, min(left, 500))
		for i := range batch {
			batch[i] = g.Next()
		}
		if _, err := m.Add(ctx, "", batch...); err != nil {
			return nil, nil, err
		}
		left -= len(batch)
	}
	for range o.queries {
		queries = append(queries, g.Query())
	}
	for i := range 2 { // the first round warms the index
		for _, q := range queries {
			begun := time.Now()
			if _, err := m.Search(ctx, engine.Request{Query: q}); err != nil {
				return nil, nil, err
			}
			if i == 1 {
				own = append(own, ms(begun))
			}
		}
	}
	return queries, own, nil
}

// client is a language's program and the command that runs it.
type client struct {
	name    string
	command []string
}

func (o *options) clients(path string) (cs []client, err error) {
	if o.python != "" {
		cs = append(cs, client{"Python", []string{o.python, filepath.Join("benchmarks", "sdk", "client.py"), path}})
	}
	if o.module != "" {
		module, err := filepath.Abs(o.module)
		if err != nil {
			return nil, err
		}
		cs = append(cs, client{"Node", []string{"node", filepath.Join("benchmarks", "sdk", "client.mjs"), module, path}})
	}
	return cs, nil
}

func (c *client) measure(home string, o options, queries []string, own []float64, out io.Writer) error {
	fmt.Fprintf(out, "%s\n", c.name)
	line := func(what string, took, cpu, mark float64) {
		word := "ok"
		if took > mark {
			word = "OVER"
		}
		fmt.Fprintf(out, "  %-34s %8.2f ms (%.2f)  mark %.0f ms  %s\n", what, took, cpu, mark, word)
	}
	for _, start := range []struct {
		what string
		wait func(home string) error
	}{{"first search, no server runs", quiet}, {"first search, a server runs", func(string) error { return nil }}} {
		var took, cpu []float64
		for range o.times {
			if err := start.wait(home); err != nil {
				return err
			}
			a, err := c.ask(home, o, job{Queries: queries[:1]})
			if err != nil {
				return err
			}
			took, cpu = append(took, a.First), append(cpu, a.FirstCPU)
		}
		line(start.what, at(took, 0.5), at(cpu, 0.5), firstMark)
	}
	a, err := c.ask(home, o, job{Queries: queries, Warm: len(queries)})
	if err != nil {
		return err
	}
	line("later search p50, over the engine's", at(a.Later, 0.5)-at(own, 0.5), a.LaterCPU, laterMark)
	line("later search p95, over the engine's", at(a.Later, 0.95)-at(own, 0.95), a.LaterCPU, laterMark)
	// Into a file of its own: turns would change what the next language finds.
	b, err := c.elsewhere(home).ask(home, o, job{Queries: queries[:1], Observe: 1000})
	if err != nil {
		return err
	}
	line("1,000 observe", b.Observe, b.ObserveCPU, observeMark)
	return nil
}

// elsewhere is the same client on another database.
func (c *client) elsewhere(home string) *client {
	command := slices.Clone(c.command)
	command[len(command)-1] = filepath.Join(home, c.name+".db")
	return &client{c.name, command}
}

func (c *client) ask(home string, o options, j job) (a answer, err error) {
	in, err := json.Marshal(j)
	if err != nil {
		return a, err
	}
	orma, err := filepath.Abs(o.orma)
	if err != nil {
		return a, err
	}
	cmd := exec.Command(c.command[0], c.command[1:]...)
	cmd.Env = append(os.Environ(), "ORMA_HOME="+home, "ORMA_BIN="+orma, "XDG_RUNTIME_DIR=")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	data, err := cmd.Output()
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(data, &a)
}

// quiet waits until no server serves out of a home: it takes its socket with it.
func quiet(home string) error {
	for range 1000 {
		left, err := filepath.Glob(filepath.Join(home, "run", "*.json"))
		if err != nil || len(left) == 0 {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("a server does not end")
}

func ms(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / 1e6 }

func at(times []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

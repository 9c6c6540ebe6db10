// Command view makes memories of so many nodes and measures what the view asks of the
// server: the time and the bytes of GET graph for the first picture, for everything it may
// send at once, and for the neighbours of the largest hub.
//
//	make build && go run ./benchmarks/view -nodes 10000,100000
//	go run ./benchmarks/view -nodes 100000 -keep big.db    # and serve it: orma viz --db big.db
//
// With -keep the database stays, to be looked at in a browser.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// result is what was measured of one request.
type result struct {
	Nodes  int     `json:"nodes"` // of the memory
	Ask    string  `json:"ask"`
	Sent   int     `json:"sent"`
	Links  int     `json:"links"`
	Bytes  int     `json:"bytes"`
	P50    float64 `json:"p50_ms"`
	Worst  float64 `json:"worst_ms"`
	Rounds int     `json:"rounds"`
}

func main() {
	sizes := flag.String("nodes", "10000,100000", "sizes of the memories, with commas between them")
	orma := flag.String("orma", "bin/orma", "the built program")
	keep := flag.String("keep", "", "`FILE` for the database of the last size, which must not be there")
	rounds := flag.Int("rounds", 20, "times that each request is made")
	flag.Parse()
	if err := run(context.Background(), options{*orma, *keep, *rounds}, *sizes); err != nil {
		fmt.Fprintln(os.Stderr, "view:", err)
		os.Exit(1)
	}
}

// options of a run.
type options struct {
	orma, keep string
	rounds     int
}

func run(ctx context.Context, o options, sizes string) error {
	list := strings.Split(sizes, ",")
	out := json.NewEncoder(os.Stdout)
	for i, s := range list {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 100 {
			return fmt.Errorf("%q is not a number of nodes, 100 or more", s)
		}
		dir, err := os.MkdirTemp("", "orma-view-")
		if err != nil {
			return err
		}
		path := filepath.Join(dir, "memory.db")
		if o.keep != "" && i == len(list)-1 {
			if _, err := os.Lstat(o.keep); err == nil {
				return fmt.Errorf("%s is there already", o.keep)
			}
			path = o.keep
		}
		err = measure(ctx, o, path, dir, n, func(r result) error { return out.Encode(r) })
		if rerr := os.RemoveAll(dir); err == nil {
			err = rerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measure makes a memory and asks the server of the built program for its graph.
func measure(ctx context.Context, o options, path, home string, n int, tell func(result) error) error {
	began := time.Now()
	if err := create(ctx, path, home, n); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "made %d nodes in %s\n", n, time.Since(began).Round(time.Millisecond))
	srv, err := start(ctx, o.orma, path, home)
	if err != nil {
		return err
	}
	defer srv.stop()
	hub := ""
	for _, c := range []struct{ name, query string }{
		{"first picture, server just started", ""},
		{"first picture", ""},
		{"largest page", "?limit=10000"},
		{"largest page with lines", "?limit=10000&kinds=entity,state,rule,conditional,event,passage"},
		{"a past day", "?as_of=" + time.Now().AddDate(0, 0, -30).Format(time.DateOnly)},
		{"neighbours of the largest hub", "?limit=200&of="},
	} {
		if strings.HasSuffix(c.query, "of=") {
			c.query += hub
		}
		r := result{Nodes: n, Ask: c.name, Rounds: o.rounds}
		if strings.HasSuffix(c.name, "started") {
			r.Rounds = 1
		}
		var took []time.Duration
		for range r.Rounds {
			at := time.Now()
			body, err := srv.get(ctx, "/_orma/v1/graph"+c.query)
			took = append(took, time.Since(at))
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			var g engine.Graph
			if err := json.Unmarshal(body, &g); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			r.Sent, r.Links, r.Bytes = len(g.Nodes), len(g.Links), len(body)
			if hub == "" && len(g.Nodes) > 0 {
				hub = largest(g.Nodes)
			}
		}
		slices.Sort(took)
		r.P50, r.Worst = ms(took[len(took)/2]), ms(took[len(took)-1])
		if err := tell(r); err != nil {
			return err
		}
	}
	return nil
}

// create fills a new database.
func create(ctx context.Context, path, home string, n int) error {
	m, err := local.Open(ctx, local.Options{Path: path, Home: home})
	if err != nil {
		return err
	}
	return errors.Join(fill(ctx, m, n), m.Close())
}

func largest(nodes []engine.GraphNode) string {
	best := nodes[0]
	for _, n := range nodes {
		if n.Kind == engine.NodeEntity && n.Degree > best.Degree {
			best = n
		}
	}
	return best.ID
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

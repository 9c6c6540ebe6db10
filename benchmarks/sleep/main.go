// Command sleep measures what consolidation costs those who use the memory meanwhile:
// the latency of recall under a steady load of writers and readers, each through a
// handle of its own on one database, with and without a sleep at full speed beside
// them.
//
//	go run ./benchmarks/sleep -notes 10000 -backlog 40000 -workers 8 -phase 3s -rounds 11
//
// Each phase begins with a fresh copy of one prepared database, so that all do the same
// work and the backlog cannot run dry over time. A round is a phase with and one without
// sleep; which comes first alternates. The figure of a round is the ratio of the two, and
// the result is the median of the rounds with their spread: a machine that is disturbed
// for a while, or grows slower, counts for neither side.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

// options of a run.
type options struct {
	notes   int
	backlog int
	workers int
	rounds  int
	phase   time.Duration
	settle  time.Duration
	every   time.Duration
}

func main() {
	var o options
	flag.IntVar(&o.notes, "notes", 10_000, "notes in the database, consolidated")
	flag.IntVar(&o.backlog, "backlog", 40_000, "further notes, which wait for sleep: more than it reads in a phase")
	flag.IntVar(&o.workers, "workers", 8, "handles that write and recall at once")
	flag.IntVar(&o.rounds, "rounds", 11, "pairs of phases")
	flag.DurationVar(&o.phase, "phase", 3*time.Second, "how long a phase lasts")
	flag.DurationVar(&o.settle, "settle", time.Second, "how much of a phase's beginning is not counted")
	flag.DurationVar(&o.every, "every", 100*time.Millisecond, "how often each handle does something; every fifth time it writes")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the whole run")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "sleep:", err)
			os.Exit(1)
		}
	}
	r, err := run(context.Background(), o)
	pprof.StopCPUProfile()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sleep:", err)
		os.Exit(1)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil || r.Locks > 0 || len(r.Errors) > 0 || r.Dry {
		os.Exit(1)
	}
}

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/text/sentence"
)

func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench latency",
		Short: "Measure how long memory takes on this machine",
	}
	return family(c, a.benchLatencyCommand())
}

type benchFlags struct {
	sizes   []int
	spaces  int
	queries int
	own     bool
}

func (a *app) benchLatencyCommand() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "latency",
		Short: "Time opens, recalls and appends on generated notes, or on your own database",
		Long: `Generates notes of about 25 words from a vocabulary that follows Zipf's law, with a
fixed seed, into a temporary database of each size, and measures a cold open, the first
recall, warm recalls with their embedding, single appends, bulk import, memory and
disk. With --spaces one space is measured alone in its file and among that many as large
in another, with the same queries in turn. With --own it asks your own database about its own lines, and writes nothing.`,
		Example: `  orma bench latency --sizes 2000,10000,100000
  orma bench latency --own`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.queries < 1 {
				return usagef("--queries must be 1 or more")
			}
			if f.spaces < 1 {
				return usagef("--spaces must be 1 or more")
			}
			for _, n := range f.sizes {
				if n < 1 {
					return usagef("--sizes must be 1 or more, not %d", n)
				}
			}
			return a.benchLatency(cmd.Context(), &f)
		},
	}
	c.Flags().IntSliceVar(&f.sizes, "sizes", []int{2000, 10000}, "`NUMBERS` of notes")
	c.Flags().IntVar(&f.spaces, "spaces", 1, "`NUMBER` of spaces in the file")
	c.Flags().IntVar(&f.queries, "queries", 500, "`NUMBER` of warm recalls")
	c.Flags().BoolVar(&f.own, "own", false, "measure your own database, reading only")
	return c
}

// benchReport is what --json shows.
type benchReport struct {
	Machine string           `json:"machine"`
	Results []latency.Result `json:"results"`
}

func (a *app) benchLatency(ctx context.Context, f *benchFlags) error {
	o, err := a.options()
	if err != nil {
		return err
	}
	rep := benchReport{Machine: latency.Machine(), Results: []latency.Result{}}
	if f.own {
		r, err := a.benchOwn(ctx, o, f)
		if err != nil {
			return err
		}
		rep.Results = append(rep.Results, r)
		return a.printBench(&rep)
	}
	for _, n := range f.sizes {
		bar := a.newBar(fmt.Sprintf("%d notes in each of %d spaces", n, f.spaces), int64(n*f.spaces))
		rs, err := latency.Run(ctx, latency.Options{
			Memory: o, Notes: n, Spaces: f.spaces, Queries: f.queries, Cold: a.coldRecall(),
			Progress: func(done, _ int) { bar.set(int64(done)) },
		})
		bar.clear()
		if err != nil {
			return err
		}
		rep.Results = append(rep.Results, rs...)
	}
	return a.printBench(&rep)
}

// coldRecall starts this program for one recall. Under a test it is another program:
// then there is no such figure.
func (a *app) coldRecall() func(context.Context, string, string) error {
	self, err := os.Executable()
	if err != nil || strings.HasSuffix(strings.TrimSuffix(self, ".exe"), ".test") {
		return nil
	}
	return func(ctx context.Context, db, query string) error {
		args := []string{"--db", db}
		for _, c := range a.config {
			args = append(args, "--config", c)
		}
		cmd := exec.CommandContext(ctx, self, append(args, "recall", query)...)
		cmd.Env = a.proc.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			return core.Errorf(core.CodeInternal, "a cold recall failed: %w: %s", err, line(string(out), 200))
		}
		return nil
	}
}

// benchOwn asks a database about pieces of its own newest lines.
func (a *app) benchOwn(ctx context.Context, o local.Options, f *benchFlags) (latency.Result, error) {
	o.ReadOnly = true
	m, err := local.Open(ctx, o)
	if err != nil {
		return latency.Result{}, err
	}
	recent, err := m.Store.Recent(ctx, a.space, 0, f.queries)
	if cerr := m.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return latency.Result{}, err
	}
	var queries []string
	for _, ep := range recent {
		queries = append(queries, sentence.Truncate(ep.Text, 80))
	}
	return latency.Own(ctx, latency.Options{Memory: o, Queries: f.queries}, a.space, queries)
}

func (a *app) printBench(rep *benchReport) error {
	if a.json {
		return a.printJSON(rep)
	}
	a.print("%s\n", rep.Machine)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "spaces\tnotes\timport/s\topen ms\tfirst ms\tcold process ms\twarm p50\tp95\tp99\tappend p50\tp95\tMB in memory\tB a note\t")
	for i := range rep.Results {
		r := &rep.Results[i]
		cold, ap50, ap95 := "-", "-", "-"
		if r.ColdProcess != nil {
			cold = fmt.Sprintf("%.0f", r.ColdProcess.P50)
		}
		if r.Append != nil {
			ap50, ap95 = fmt.Sprintf("%.2f", r.Append.P50), fmt.Sprintf("%.2f", r.Append.P95)
		}
		fmt.Fprintf(w, "%d\t%d\t%.0f\t%.1f\t%.1f\t%s\t%.2f\t%.2f\t%.2f\t%s\t%s\t%.0f\t%.0f\t\n", max(1, r.Spaces), r.Notes, r.ImportRate, r.ColdOpen, r.FirstRecall,
			cold, r.Warm.P50, r.Warm.P95, r.Warm.P99, ap50, ap95, float64(r.RSS)/(1<<20), r.BytesPer)
	}
	return w.Flush()
}

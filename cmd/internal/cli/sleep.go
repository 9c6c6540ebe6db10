package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// sleepFlags are shared by sleep and rebuild.
type sleepFlags struct{ backend, upstream, model string }

func (f *sleepFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.backend, "backend", "", "`NAME` of what reads: rules, llm, wasm:NAME, process:NAME (default auto: llm where a model answers)")
	c.Flags().StringVar(&f.upstream, "upstream", "", "`URL` of an OpenAI-compatible server, with or without /v1")
	c.Flags().StringVar(&f.model, "model", "", "`NAME` of the model (default the first that the server lists)")
}

func (a *app) sleepCommand() *cobra.Command {
	var f sleepFlags
	var dry bool
	c := &cobra.Command{
		Use:   "sleep",
		Short: "Turn what was said since into checked, cited facts",
		Long: `Reads the episodes that wait, in the order they were said, and keeps what can be checked
against the line it cites. Without a model it goes by rules. A model that does not
answer costs nothing: the episodes wait on, and the exit code is 1.`,
		Example: `  orma sleep
  orma sleep --backend llm --upstream http://127.0.0.1:11434 --model llama3.2:3b
  orma sleep --dry-run`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				return a.sleep(cmd.Context(), m, f, sleep.Run{DryRun: dry})
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&dry, "dry-run", false, "print the report and write nothing")
	return c
}

func (a *app) rebuildCommand() *cobra.Command {
	var f sleepFlags
	c := &cobra.Command{
		Use:   "rebuild",
		Short: "Make all facts of a space again from its episodes",
		Long: `Drops the facts that sleep made and reads every episode again, for instance with another
model. What was commanded stays: rules, corrections, and what was forgotten.`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				return a.sleep(cmd.Context(), m, f, sleep.Run{Rebuild: true})
			})
		},
	}
	f.add(c)
	return c
}

func (a *app) sleep(ctx context.Context, m *local.Memory, f sleepFlags, r sleep.Run) error {
	s, err := m.Sleeper(local.SleepOptions{Upstream: f.upstream, Model: f.model})
	if err != nil {
		return err
	}
	if f.backend == "llm" && f.upstream == "" && m.Config.Settings.Sleep.Upstream == "" && m.Config.Settings.Proxy.Upstream == "" {
		return core.Errorf(core.CodeConfig, "no model server is known").Hinted("give --upstream, or set [sleep] upstream")
	}
	r.Space, r.Backend = a.space, f.backend
	rep, err := s.Sleep(ctx, r)
	if a.json && rep != nil {
		if perr := a.printJSON(rep); perr != nil {
			return perr
		}
	} else if rep != nil && (err == nil || rep.Episodes > 0 || len(rep.Failed) > 0) { // else it says that nothing waits
		a.printReport(rep)
	}
	return err
}

func (a *app) printReport(r *sleep.Report) {
	if r.Episodes == 0 && len(r.Failed) == 0 {
		a.print("nothing waits")
		return
	}
	verb := "read"
	if r.DryRun {
		verb = "would read"
	}
	a.print("%s %s in %s with %s: %d accepted, %d rejected", verb, count(r.Episodes, "episode", "episodes"),
		count(r.Batches, "batch", "batches"), r.Backend, len(r.Accepted), len(r.Rejected))
	for _, it := range r.Accepted {
		a.print("  %-10s %s", it.Outcome, reportLine(&it))
	}
	for _, it := range r.Rejected {
		a.print("  rejected   %s (%s)", reportLine(&it), it.Reason)
	}
	for _, f := range r.Failed {
		state := "waits on"
		if f.Retired {
			state = "set aside"
		}
		a.print("  failed     %s, %s: %s", count(len(f.Episodes), "episode", "episodes"), state, f.Error)
	}
}

func reportLine(it *sleep.ReportItem) string {
	if it.Kind == "event" {
		return it.Subject + ": " + it.Value
	}
	s := it.Subject + " · " + it.Attribute + ": " + it.Value
	if it.Condition != "" {
		s += " (when " + it.Condition + ")"
	}
	return s
}

package cli

import (
	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) quarantineCommand() *cobra.Command {
	var source, since string
	var release bool
	c := &cobra.Command{
		Use:   "quarantine --source NAME",
		Short: "Take what a source said out of recall, or put it back",
		Long: `Takes everything that came from a source out of recall, with what was made of it, and
shows which facts go and which hold again. Nothing is removed: --release puts all of
it back.`,
		Example: `  orma quarantine --source web --since 2026-05-01
  orma quarantine --source web --release`,
		Args: wants(0, 0, "no arguments but --source"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if source == "" {
				return usagef("quarantine needs --source").Hinted("search --json shows the source of each line")
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				from, err := parseAt(m, "since", since)
				if err != nil {
					return err
				}
				q, err := m.Quarantine(cmd.Context(), a.space, source, from, !release)
				if err != nil {
					return err
				}
				return a.printQuarantined(&q, source, release)
			})
		},
	}
	c.Flags().StringVar(&source, "source", "", "`NAME` of the source")
	c.Flags().StringVar(&since, "since", "", "only what was said from this `TIME` on")
	c.Flags().BoolVar(&release, "release", false, "put it back")
	return c
}

func (a *app) printQuarantined(q *engine.Quarantined, source string, release bool) error {
	if a.json {
		return a.printJSON(q)
	}
	what := "out of recall"
	if release {
		what = "back in recall"
	}
	if len(q.Episodes) == 0 {
		a.print("nothing to do: no episode of source %s would change", clean(source))
		return nil
	}
	a.print("%s of source %s %s", count(len(q.Episodes), "episode", "episodes"), clean(source), what)
	for i := range q.Gone {
		a.print("- %d  %s", q.Gone[i].ID, factLine(&q.Gone[i]))
	}
	for i := range q.Back {
		a.print("+ %d  %s", q.Back[i].ID, factLine(&q.Back[i]))
	}
	return nil
}

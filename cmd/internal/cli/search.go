package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// lineWidth is the longest text of an item in a list.
const lineWidth = 160

func (a *app) searchCommand() *cobra.Command {
	var q ask
	var limit int
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "List what a query finds, best first",
		Long: `Lists facts, lines and events: the id that other commands take, the score as a share of
the best one's, and the text. Lines that no longer hold are marked. It calls no model
and changes nothing.`,
		Example: `  orma search "dentist" --limit 5
  orma search "C++ vs C#" --explain`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				req := a.request(&q, args)
				req.Limit = limit
				f, err := m.Search(cmd.Context(), req)
				if err != nil {
					return err
				}
				return a.printFound(f, m.Zone())
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 0, "most `LINES` (default 10)")
	q.flags(c)
	return takesText(c)
}

func (a *app) printFound(f *engine.Found, zone *time.Location) error {
	if a.json {
		return a.printJSON(f)
	}
	a.notes(f.Notes)
	a.explain(f.Trace)
	if f.Approximate {
		a.say("note: so many vectors that a sketch chose which to compare")
	}
	if len(f.States)+len(f.Passages)+len(f.Events) == 0 {
		a.say("nothing found")
		return nil
	}
	share := shares(f)
	for _, s := range f.States {
		a.print("%6d  %-7s %.3f  %s", s.ID, s.Kind, share(s.Score), line(s.Text, lineWidth))
	}
	for _, e := range f.Events {
		a.print("%6d  %-7s %.3f  %s %s", e.ID, e.Kind, share(e.Score), e.Event.Start, line(e.Text, lineWidth))
	}
	for _, p := range f.Passages {
		who := p.Speaker
		if who == "" {
			who = string(p.Role)
		}
		a.print("%6d  %-7s %.3f  %s %s: %s%s", p.Episode, "line", share(p.Score), day(p.At, zone), line(who, 40), line(p.Text, lineWidth), outdated(p.Outdated))
	}
	return nil
}

// shares returns a function that shows a score as its share of the best one: scores of
// different queries do not compare.
func shares(f *engine.Found) func(float32) float32 {
	best := float32(0)
	for _, list := range [][]engine.Item{f.States, f.Events, f.Passages} {
		for _, it := range list {
			best = max(best, it.Score)
		}
	}
	return func(score float32) float32 {
		if best <= 0 {
			return 0
		}
		return max(0, score/best)
	}
}

// outdated says what of a line no longer holds.
func outdated(list []engine.Outdated) string {
	if len(list) == 0 {
		return ""
	}
	if list[0].Now != "" {
		return " [outdated: now " + line(list[0].Now, 80) + "]"
	}
	return " [outdated]"
}

package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count what is stored, by space",
		Long: `Counts every space of the database, or with --space that one, and says where the
database is, how large it is, and what makes its vectors.`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				s, err := m.Stats(cmd.Context())
				if err != nil {
					return err
				}
				if cmd.Flag("space").Changed {
					s.Spaces = slices.DeleteFunc(s.Spaces, func(sp core.SpaceStats) bool { return sp.Space != a.space })
					if len(s.Spaces) == 0 {
						return core.Errorf(core.CodeNotFound, "there is no space %q", a.space).Hinted("stats without --space lists them")
					}
				}
				if a.json {
					return a.printJSON(s)
				}
				a.printStats(&s)
				return nil
			})
		},
	}
}

func (a *app) printStats(s *engine.Stats) {
	a.print("database  %s  %s", clean(s.Store.Path), byteCount(s.Store.Bytes+s.Store.WALBytes))
	switch {
	case s.Embedder == "" && s.EmbedderError != "":
		a.print("vectors   none, so recall goes by text alone: %s", clean(s.EmbedderError))
	case s.Embedder == "":
		a.print("vectors   none: recall goes by text alone")
	case s.EmbedderError != "":
		a.print("vectors   %d by %s, and no more: %s", s.Vectors[s.Embedder], s.Embedder, clean(s.EmbedderError))
	default:
		a.print("vectors   %d by %s", s.Vectors[s.Embedder], s.Embedder)
	}
	if len(s.Spaces) == 0 {
		a.print("spaces    none yet: add or import something")
	}
	for _, sp := range s.Spaces {
		a.print("space     %s", clean(sp.Space))
		a.print("          %s (%s), %s, %s, %s, %s", count(sp.Episodes, "episode", "episodes"), count(sp.Repeats, "repeat", "repeats"),
			count(sp.States, "fact", "facts"), count(sp.Rules, "rule", "rules"), count(sp.Events, "event", "events"), count(sp.Closed, "ended", "ended"))
		if sp.Pending > 0 {
			a.print("          %s for sleep", count(sp.Pending, "waits", "wait"))
		}
		if sp.Retired > 0 {
			a.print("          sleep gave up on %d, after errors", sp.Retired)
		}
		if !sp.First.IsZero() {
			a.print("          %s to %s", day(sp.First, sp.First.Location()), day(sp.Last, sp.Last.Location()))
		}
	}
}

// byteCount shows a size.
func byteCount(n int64) string {
	const unit = 1024
	f, names := float64(n), []string{"B", "KB", "MB", "GB", "TB"}
	for f >= unit && len(names) > 1 {
		f, names = f/unit, names[1:]
	}
	if f == float64(int64(f)) || f >= 100 {
		return fmt.Sprintf("%.0f %s", f, names[0])
	}
	return fmt.Sprintf("%.1f %s", f, names[0])
}

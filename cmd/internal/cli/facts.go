package cli

import (
	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) factsCommand() *cobra.Command {
	var req engine.FactsRequest
	var asOf string
	c := &cobra.Command{
		Use:   "facts",
		Short: "List what holds: rules and facts with their ids",
		Long: `Lists rules and facts, oldest first. With --history also those that ended, with what
replaced them; with --as-of those that were true at that time.`,
		Example: `  orma facts
  orma facts --history --json
  orma facts --as-of 2025-12-31`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) (err error) {
				req.Space = a.space
				if req.AsOf, err = parseAt(m, "as-of", asOf); err != nil {
					return err
				}
				facts, err := m.Facts(cmd.Context(), req)
				if err != nil {
					return err
				}
				return a.printFacts(facts)
			})
		},
	}
	c.Flags().BoolVar(&req.History, "history", false, "those that ended too")
	c.Flags().StringVar(&asOf, "as-of", "", "those true at this `TIME`")
	c.Flags().StringVar(&req.Subject, "subject", "", "only those about this `NAME`; the speaker is user")
	return c
}

func (a *app) printFacts(facts []engine.Fact) error {
	if a.json {
		return a.printJSON(facts)
	}
	if len(facts) == 0 {
		a.say("no facts yet: sleep makes them of what was said, forbid makes rules")
		return nil
	}
	for i := range facts {
		a.print("%6d  %s%s", facts[i].ID, factLine(&facts[i]), span(&facts[i]))
	}
	return nil
}

// factLine is a fact as it reads; a rule in its own words.
func factLine(f *engine.Fact) string {
	if f.Forbidden {
		return "rule: " + line(f.Value, lineWidth)
	}
	return line(f.Text, lineWidth)
}

// span says since and until when a fact holds, and why it ended.
func span(f *engine.Fact) string {
	s := ""
	if f.ValidFrom != "" {
		s = "since " + f.ValidFrom
	}
	switch {
	case f.Active:
	case f.Forgotten:
		s += ", forgotten " + f.ValidTo
	case f.ValidTo != "":
		s += ", until " + f.ValidTo
	default:
		s += ", ended"
	}
	if s == "" {
		return ""
	}
	if s[0] == ',' {
		s = s[2:]
	}
	return "  (" + s + ")"
}

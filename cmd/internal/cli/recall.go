package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/pack"
)

// ask are the flags of a question.
type ask struct {
	session string
	explain bool
}

func (q *ask) flags(c *cobra.Command) {
	c.Flags().StringVar(&q.session, "session", "", "`NAME` of the conversation being held")
	c.Flags().BoolVar(&q.explain, "explain", false, "say what each stage did")
}

// request makes the question that words ask. The stages are those of the open
// memory, so that the flags --off and --set are in them already.
func (a *app) request(q *ask, args []string) engine.Request {
	return engine.Request{Space: a.space, Query: strings.Join(args, " "), Session: q.session, Explain: q.explain}
}

func (a *app) recallCommand() *cobra.Command {
	var q ask
	var budget int
	var format string
	c := &cobra.Command{
		Use:   "recall QUERY",
		Short: "Print the block of memory for a query",
		Long: `Prints the block that goes into a prompt: rules, current facts, and what was said
and what happened that bears on the query, within a budget of tokens. It calls no
model and changes nothing. Without words to search for, the block holds the rules
and the current facts.`,
		Example: `  orma recall "Where do I live?"
  orma recall "deploy steps" --budget 500 --format sutra`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				req := a.request(&q, args)
				req.Budget, req.Format = budget, format
				r, err := m.Recall(cmd.Context(), req)
				if err != nil {
					return err
				}
				return a.printRecall(r)
			})
		},
	}
	c.Flags().IntVar(&budget, "budget", 0, "most `TOKENS` of the block (default stage.pack.budget_tokens)")
	c.Flags().Var(newChoice(&format, words(pack.Formats())...), "format", "how the block is written: classic, sutra, grouped or json (default stage.pack.format)")
	q.flags(c)
	return takesText(c)
}

func (a *app) printRecall(r *engine.Recalled) error {
	if a.json {
		return a.printJSON(r)
	}
	a.notes(r.Notes)
	a.explain(r.Trace)
	if r.Block == "" {
		a.say("nothing found")
		return nil
	}
	a.print("%s", strings.TrimRight(clean(r.Block), "\n"))
	if r.OverBudget {
		a.say("note: the rules alone are over the budget: %d tokens", r.Tokens)
	}
	return nil
}

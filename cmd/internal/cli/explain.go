package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/orma-memory/orma/core/engine"
)

// explained is how many rows of a trace are shown as text; --json shows all.
const explained = 10

// explain prints a trace: what each stage did, then how the best rows fared in each.
func (a *app) explain(t *engine.Trace) {
	if t == nil {
		return
	}
	w := tabwriter.NewWriter(a.err, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "stage\tµs\trows in\trows out\t\n")
	for _, s := range t.Steps {
		fmt.Fprintf(w, "%s\t%.0f\t%d\t%d\t%s\n", s.Stage, s.Micros, s.In, s.Out, clean(s.Error))
	}
	fmt.Fprintf(w, "\t\t\t\t\nid")
	for _, s := range t.Steps {
		fmt.Fprintf(w, "\t%s", s.Stage)
	}
	fmt.Fprintf(w, "\t\n")
	for i, c := range t.Candidates {
		if i == explained || c.Rank == 0 {
			break
		}
		fmt.Fprintf(w, "%d", c.ID)
		for _, s := range c.Scores {
			fmt.Fprintf(w, "\t%.3f", s)
		}
		fmt.Fprintf(w, "\t\n")
	}
	_ = w.Flush() // to standard error, where nothing could be done about it
}

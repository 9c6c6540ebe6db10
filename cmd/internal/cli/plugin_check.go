package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/plugin"
	"github.com/orma-memory/orma/core"
)

// pluginCheck is a report as --json shows it.
type pluginCheck struct {
	Plugin     pluginInfo    `json:"plugin"`
	OK         bool          `json:"ok"`
	CallMicros float64       `json:"call_micros,omitempty"` // median at 200 candidates
	Checks     []checkResult `json:"checks"`
}

type checkResult struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	OK     bool     `json:"ok"`
	Errors []string `json:"errors,omitempty"`
	Notes  []string `json:"notes,omitempty"`
	Micros float64  `json:"micros"`
}

func (a *app) pluginCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR|FILE",
		Short: "Hold a plugin to the conformance suite of its contract",
		Long: `Runs the plugin over made-up candidates, ordinary and hostile ones, from none to 10,000,
and looks at what it does to them: that it changes only what its manifest says, that
equal input gives equal output, that all values are finite, that it ends when it is
told to, and what a call costs. Built-in stages pass the same suite. A process is killed
between calls and during them, too. It runs with your rights: check only what you would
run anyway.`,
		Args: wants(1, 1, "the DIR or FILE of a plugin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cache, err := pluginCache()
			if err != nil {
				return err
			}
			rep, err := plugin.Check(cmd.Context(), args[0], cache)
			if err != nil {
				return core.Errorf(core.CodeInvalid, "%w", err)
			}
			failed := a.reportCheck(rep)
			if a.json {
				err = a.printJSON(checkJSON(rep))
			}
			if failed > 0 {
				return core.Errorf(core.CodeInvalid, "%s failed %s", rep.Info.Name, count(failed, "check", "checks"))
			}
			return err
		},
	}
}

// reportCheck prints the table and returns how many checks failed.
func (a *app) reportCheck(rep *plugin.Report) int {
	failed := 0
	for _, r := range rep.Results {
		mark, said := "ok  ", append(r.Notes[:len(r.Notes):len(r.Notes)], r.Errors...)
		if len(r.Errors) > 0 {
			mark = "FAIL"
			failed++
		}
		if a.json {
			continue
		}
		a.print("%s  %-14s %s", mark, r.Name, r.Doc)
		for _, s := range said {
			a.print("      %s", line(s, 160))
		}
	}
	if !a.json && failed == 0 {
		a.print("%s %s passes", rep.Info.Name, rep.Info.Version)
	}
	return failed
}

func checkJSON(rep *plugin.Report) pluginCheck {
	out := pluginCheck{Plugin: pluginInfoOf(rep.Info), OK: rep.OK(), CallMicros: float64(rep.Call.Nanoseconds()) / 1000}
	for _, r := range rep.Results {
		out.Checks = append(out.Checks, checkResult{
			r.Name, r.Doc, len(r.Errors) == 0, r.Errors, r.Notes, float64(r.Took.Nanoseconds()) / 1000,
		})
	}
	return out
}

// indent puts spaces before every line.
func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ")
}

package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) pluginListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the plugins that the configuration names",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			o, err := a.options()
			if err != nil {
				return err
			}
			plugins, err := local.OpenPlugins(cmd.Context(), o)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, plugins.Close()) }()
			out := []pluginInfo{}
			for _, p := range plugins.All {
				out = append(out, pluginInfoOf(p.Info))
			}
			if a.json {
				return a.printJSON(out)
			}
			for _, p := range out {
				pinned := "not pinned"
				if p.Trusted {
					pinned = "trusted, not pinned"
				}
				for _, q := range plugins.All {
					if q.Info.Path == p.Path && q.Plugin.SHA256 != "" {
						pinned = "pinned"
					}
				}
				a.print("%-20s %-8s %-8s %8d bytes  %-10s %s", p.Name, p.Version, p.Contract, p.Bytes, pinned, clean(p.Path))
			}
			if len(out) == 0 {
				a.say("no [plugin.NAME] table; orma plugin new makes a plugin")
			}
			return nil
		},
	}
}

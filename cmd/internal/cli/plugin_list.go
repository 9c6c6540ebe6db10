package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

// withPlugins opens the plugins that the configuration names and runs f with them.
func (a *app) withPlugins(ctx context.Context, f func(local.Options, *local.Plugins) error) (err error) {
	o, err := a.options()
	if err != nil {
		return err
	}
	plugins, err := local.OpenPlugins(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plugins.Close()) }()
	return f(o, plugins)
}

func (a *app) pluginListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the plugins that the configuration names",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withPlugins(cmd.Context(), func(_ local.Options, plugins *local.Plugins) error {
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
					a.print("%-20s %-8s %-8s %-8s %8d bytes  %-10s %s", p.Name, p.Version, p.Contract, p.Runtime, p.Bytes, pinned, clean(p.Path))
				}
				if len(out) == 0 {
					a.say("no [plugin.NAME] table; orma plugin new makes a plugin")
				}
				return nil
			})
		},
	}
}

package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/stages"
)

func (a *app) pluginInspectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "inspect DIR|FILE",
		Short: "Say what a plugin is, and how to switch it on",
		Long: `Opens the plugin in the sandbox and prints what it says about itself, its parameters
with kind, default and range, and the lines of TOML that switch it on, with the
digest of the file as it is now.`,
		Args: wants(1, 1, "the DIR or FILE of a plugin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := args[0]
			if st, err := os.Stat(file); err == nil && st.IsDir() {
				abs, err := filepath.Abs(file)
				if err != nil {
					return err
				}
				file = filepath.Join(file, filepath.Base(abs)+".wasm")
			}
			info, page, err := openPlugin(cmd.Context(), file)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(pluginInfoOf(info))
			}
			a.print("%s %s: %s, %s, %d bytes\nsha256 %s\n", info.Name, info.Version, info.Contract, info.Runtime, info.Bytes, info.SHA256)
			for _, p := range info.Params {
				a.print("  %-16s %-7s default %s %s\n  %-16s %s", p.Name, p.Kind, p.Default, p.Range, "", p.Doc)
			}
			if page != "" {
				a.print("\n%s", indent(page))
			}
			abs, err := filepath.Abs(file)
			if err != nil {
				return err
			}
			a.print("\n[plugin.%s]\npath   = %q\nsha256 = %q", info.Name, abs, info.SHA256)
			return nil
		},
	}
}

// openPlugin opens a plugin and returns what it is and, for a ranker, its page.
func openPlugin(ctx context.Context, file string) (info host.Info, page string, err error) {
	cache, err := pluginCache()
	if err != nil {
		return info, "", err
	}
	h := wasmhost.New(wasmhost.Options{Cache: cache})
	defer func() { err = errors.Join(err, h.Close()) }()
	p, err := h.Open(ctx, host.Source{Path: file})
	if err != nil {
		return info, "", core.Errorf(core.CodeInvalid, "%w", err)
	}
	for _, s := range p.Stages {
		page = stages.Page(s)
	}
	return p.Info, page, nil
}

func inspectPlugin(ctx context.Context, file string) (host.Info, error) {
	info, _, err := openPlugin(ctx, file)
	return info, err
}

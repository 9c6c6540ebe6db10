package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/either"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/stages"
)

func (a *app) pluginInspectCommand() *cobra.Command {
	trusted := false
	c := &cobra.Command{
		Use:   "inspect DIR|FILE",
		Short: "Say what a plugin is, and how to switch it on",
		Long: `Opens the plugin in the sandbox and prints what it says about itself, its parameters
with kind, default and range, and the lines of TOML that switch it on, with the
digest of the file as it is now. A program has no sandbox: it is run only with
--trusted.`,
		Args: wants(1, 1, "the DIR or FILE of a plugin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := local.PluginFile(args[0])
			info, page, err := openPlugin(cmd.Context(), file, trusted)
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
			a.print("\n[plugin.%s]\npath    = %q\nsha256  = %q", info.Name, abs, info.SHA256)
			if info.Runtime == "process" {
				a.print("trusted = true")
			}
			a.print("%s", use(info))
			return nil
		},
	}
	c.Flags().BoolVar(&trusted, "trusted", false, "run a program, with your own rights, to ask it")
	return c
}

// use is the TOML that puts a plugin to work, behind its table.
func use(i host.Info) string {
	switch i.Contract {
	case abi.Extract, abi.Sleep:
		return fmt.Sprintf("\n[stage.extract]\nbackend = %q", i.Runtime+":"+i.Name)
	case abi.Embed:
		return fmt.Sprintf("\n[embedder.default]\nuse = %q", i.Name)
	}
	return `after   = "blend"   # or another stage behind which it is to run`
}

// openPlugin opens a plugin and returns what it is and, for a ranker, its page. A program
// must be trusted.
func openPlugin(ctx context.Context, file string, trusted bool) (info host.Info, page string, err error) {
	cache, err := pluginCache()
	if err != nil {
		return info, "", err
	}
	h := either.New(wasmhost.Options{Cache: cache}, prochost.Options{})
	defer func() { err = errors.Join(err, h.Close()) }()
	p, err := h.Open(ctx, host.Source{Path: file, Trusted: trusted && !either.IsModule(file)})
	if errors.As(err, new(*host.UntrustedError)) {
		return info, "", core.Errorf(core.CodeInvalid, "%s is a program: unlike a .wasm module it runs with your own rights", file).
			Hinted("orma plugin inspect --trusted runs it to ask what it is")
	}
	if err != nil {
		return info, "", core.Errorf(core.CodeInvalid, "%w", err)
	}
	for _, s := range p.Stages {
		page = stages.Page(s)
	}
	return p.Info, page, nil
}

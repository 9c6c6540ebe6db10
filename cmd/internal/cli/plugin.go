package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/plugin"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/host"
)

func (a *app) pluginCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin new|build|check|list|inspect",
		Short: "Make, build, check and list plugins",
		Long: `A plugin is a ranking stage, an extractor, a backend of sleep or an embedder. Most are
one WebAssembly file, written in Go, Rust, AssemblyScript or C, that sees nothing of
this machine but what it is given. One that needs more, such as a model in Python or a
service, is a program that runs with your rights.
docs/plugins/tutorial.md leads from an empty folder to a ranker in the pipeline.`,
	}
	return family(c, a.pluginNewCommand(), a.pluginBuildCommand(), a.pluginCheckCommand(), a.pluginListCommand(), a.pluginInspectCommand())
}

// pluginCache is where compiled plugins are kept.
func pluginCache() (string, error) {
	home, err := local.Home()
	return filepath.Join(home, "cache"), err
}

// pluginInfo is a plugin as --json shows it.
type pluginInfo struct {
	Name     string        `json:"name"`
	Version  string        `json:"version"`
	Contract string        `json:"contract"`
	Runtime  string        `json:"runtime"`
	Path     string        `json:"path"`
	SHA256   string        `json:"sha256"`
	Bytes    int64         `json:"bytes"`
	Trusted  bool          `json:"trusted"`
	Params   []pluginParam `json:"params"`
}

type pluginParam struct {
	Key     string `json:"key"`
	Kind    string `json:"kind"`
	Default string `json:"default"`
	Range   string `json:"range,omitempty"`
	Doc     string `json:"doc"`
}

func pluginInfoOf(i host.Info) pluginInfo {
	out := pluginInfo{i.Name, i.Version, i.Contract, i.Runtime, i.Path, i.SHA256, i.Bytes, i.Trusted, []pluginParam{}}
	for _, p := range i.Params {
		out.Params = append(out.Params, pluginParam{p.Name, p.Kind, p.Default, p.Range, p.Doc})
	}
	return out
}

func (a *app) pluginNewCommand() *cobra.Command {
	k := plugin.Kind{}
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a folder with a plugin that builds and passes its check",
		Long: `Writes a folder with a small plugin of a contract and the kit of a language beside it. It
builds and passes its check as it is. There are templates for all contracts in Go and
Python, and for rank in the other languages.`,
		Example: `  orma plugin new young_first --lang go
  orma plugin new blood_types --lang go --contract extract
  orma plugin new young_first --lang python --runtime process`,
		Args: wants(1, 1, "the NAME of the plugin"),
		RunE: func(_ *cobra.Command, args []string) error {
			folder, err := plugin.New(".", args[0], k)
			if err != nil {
				return core.Errorf(core.CodeInvalid, "%w", err)
			}
			if a.json {
				return a.printJSON(map[string]string{"folder": folder})
			}
			a.print("%s", folder)
			a.say("next: orma plugin build %s, then orma plugin check %s", folder, folder)
			return nil
		},
	}
	c.Flags().Var(newChoice(&k.Language, "go", "rust", "assemblyscript", "c", "python"), "lang", "go, rust, assemblyscript or c; for a process go or python")
	c.Flags().Var(newChoice(&k.Runtime, plugin.Runtimes()...), "runtime", "wasm or process (default wasm)")
	c.Flags().Var(newChoice(&k.Contract, plugin.Contracts("go")...), "contract", "what the plugin does: rank, extract, sleep or embed (default rank)")
	k.Contract, k.Runtime = "rank", "wasm"
	if err := c.MarkFlagRequired("lang"); err != nil {
		panic(err) // the flag is two lines above
	}
	return c
}

func (a *app) pluginBuildCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "build DIR",
		Short: "Compile the plugin in a folder",
		Long: `Compiles the plugin in a folder with the compiler of its language, as plugin.toml
names it, to NAME.wasm beside it; a process to the program NAME.`,
		Args: wants(1, 1, "the DIR of the plugin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := plugin.Build(cmd.Context(), args[0], a.err)
			if err != nil {
				return core.Errorf(core.CodeInvalid, "%w", err)
			}
			info, _, err := openPlugin(cmd.Context(), file, true)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(pluginInfoOf(info))
			}
			a.print("%s\n  %d bytes, sha256 %s", clean(file), info.Bytes, info.SHA256)
			return nil
		},
	}
}

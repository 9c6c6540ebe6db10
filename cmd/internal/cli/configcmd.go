package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "config check|show|path",
		Short: "Check, show and find the configuration",
		Long: `The configuration is config.toml in Orma's folder, over a built-in profile. --config
names other files or profiles instead, --set and --off change single values.`,
	}
	return family(c,
		&cobra.Command{
			Use: "check", Short: "Report every mistake with its file and line",
			Args: wants(0, 0, "no arguments"), RunE: a.configCheck,
		},
		&cobra.Command{
			Use: "show", Short: "Print what is in effect, every key with its value",
			Args: wants(0, 0, "no arguments"), RunE: a.configShow,
		},
		&cobra.Command{
			Use: "path", Short: "Print where the configuration and the database are",
			Args: wants(0, 0, "no arguments"), RunE: a.configPath,
		},
	)
}

func (a *app) load() (*config.Config, local.Options, error) {
	o, err := a.options()
	if err != nil {
		return nil, o, err
	}
	cfg, err := local.Load(o)
	return cfg, o, err
}

func (a *app) configCheck(*cobra.Command, []string) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	for _, w := range cfg.Warnings {
		a.say("warning: %s", w)
	}
	if a.json {
		return a.printJSON(map[string]any{"ok": true, "profile": cfg.Profile, "digest": cfg.Digest(), "warnings": append([]string{}, cfg.Warnings...)})
	}
	a.print("ok: profile %s, digest %.12s", cfg.Profile, cfg.Digest())
	return nil
}

func (a *app) configShow(*cobra.Command, []string) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"profile": cfg.Profile, "digest": cfg.Digest(), "toml": cfg.TOML()})
	}
	_, err = a.out.WriteString(cfg.TOML())
	return err
}

// places are where things are, as --json shows them.
type places struct {
	Home     string   `json:"home"`
	Files    []string `json:"files"` // that are read, in order
	Database string   `json:"database"`
	Profiles []string `json:"profiles"`
}

func (a *app) configPath(*cobra.Command, []string) error {
	cfg, o, err := a.load()
	if err != nil {
		return err
	}
	p := places{Home: o.Home, Files: o.Config, Database: o.Database(cfg), Profiles: config.Profiles()}
	usual := filepath.Join(o.Home, "config.toml")
	if len(p.Files) == 0 {
		p.Files = []string{}
		if _, err := os.Stat(usual); err == nil {
			p.Files = append(p.Files, usual)
		}
	}
	if a.json {
		return a.printJSON(p)
	}
	a.print("home      %s", clean(p.Home))
	for _, f := range p.Files {
		a.print("config    %s", clean(f))
	}
	if len(p.Files) == 0 {
		a.print("config    %s (not there, so the profile %s stands alone)", clean(usual), cfg.Profile)
	}
	a.print("database  %s", clean(p.Database))
	return nil
}

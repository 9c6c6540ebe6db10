package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is what the program knows of how it was made.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"` // built from changed sources
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		}
	}
	return b
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  wants(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if a.json {
				return a.printJSON(b)
			}
			a.print("orma %s %s/%s %s", b.Version, b.OS, b.Arch, b.Go)
			return nil
		},
	}
}

package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/stages"
	sleepstages "github.com/orma-memory/orma/stages/sleep"
)

// stageInfo is a stage type as --json shows it.
type stageInfo struct {
	Name     string      `json:"name"`
	Pipeline string      `json:"pipeline"` // recall or sleep
	Folder   string      `json:"folder"`
	Summary  string      `json:"summary"`
	On       bool        `json:"on"` // some stage of this type runs
	Params   []paramInfo `json:"params"`

	page string
}

type paramInfo struct {
	Key     string `json:"key"`
	Default any    `json:"default"`
	Doc     string `json:"doc"`
}

func (a *app) stagesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stages [NAME]",
		Short: "List the stages, or print the reference page of one",
		Long: `Lists every stage type with what it does; a + stands before those that run with the
present configuration. With a NAME it prints that stage's reference page: what it
does, its parameters with their defaults, and the columns that it reads and writes.`,
		Example: `  orma stages
  orma stages bm25`,
		Args: wants(0, 1, "one NAME at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withPlugins(cmd.Context(), func(o local.Options, plugins *local.Plugins) error {
				cfg, err := local.LoadWith(o, plugins)
				if err != nil {
					return err
				}
				all := allStages(cfg, plugins.Stages())
				if len(args) == 1 {
					return a.printStage(all, args[0])
				}
				return a.printStages(all)
			})
		},
	}
}

// allStages lists the stage types, those of plugins among them, and which of them run.
func allStages(cfg *config.Config, plugins []pipeline.Spec) []stageInfo {
	on := map[string]bool{}
	for _, s := range cfg.Recall.Steps() {
		on[s.Spec.Name] = true
	}
	for _, s := range cfg.Sleep {
		on[s.Spec.Name] = true
	}
	var out []stageInfo
	for _, s := range append(stages.All(), plugins...) {
		out = append(out, infoOf(s.About, s.NewParams(), "recall", s.Folder, on[s.Name], stages.Page(s)))
	}
	for _, s := range sleepstages.All() {
		i := infoOf(s.About, s.NewParams(), "sleep", "sleep", on[s.Name], "")
		i.page = sleepPage(&i, s.Doc)
		out = append(out, i)
	}
	return out
}

func infoOf(about component.About, params any, pipeline, folder string, on bool, page string) stageInfo {
	i := stageInfo{Name: about.Name, Pipeline: pipeline, Folder: folder, Summary: about.Summary, On: on, Params: []paramInfo{}, page: page}
	v := reflect.ValueOf(params).Elem()
	for f := range v.NumField() {
		tag := v.Type().Field(f).Tag
		i.Params = append(i.Params, paramInfo{tag.Get("toml"), v.Field(f).Interface(), tag.Get("doc")})
	}
	return i
}

// sleepPage is the reference page of a stage of sleep, which has no columns.
func sleepPage(i *stageInfo, doc string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n%s\n", i.Name, i.Summary, strings.TrimSpace(doc))
	if len(i.Params) == 0 {
		b.WriteString("\nIt has no parameters.\n")
		return b.String()
	}
	b.WriteString("\n## Parameters\n\n| key | default | meaning |\n|---|---|---|\n")
	for _, p := range i.Params {
		fmt.Fprintf(&b, "| %s | %#v | %s |\n", p.Key, p.Default, p.Doc)
	}
	return b.String()
}

func (a *app) printStages(all []stageInfo) error {
	if a.json {
		return a.printJSON(all)
	}
	folder := ""
	for _, s := range all {
		if s.Folder != folder {
			folder = s.Folder
			a.print("%s", folder)
		}
		mark := " "
		if s.On {
			mark = "+"
		}
		a.print("  %s %-16s %s", mark, s.Name, s.Summary)
	}
	return nil
}

func (a *app) printStage(all []stageInfo, name string) error {
	i := slices.IndexFunc(all, func(s stageInfo) bool { return s.Name == name })
	if i < 0 {
		e := core.Errorf(core.CodeNotFound, "there is no stage %q", name)
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].Name
		}
		if best := config.Nearest(name, names); best != "" {
			return e.Hinted("did you mean %s? orma stages lists them", best)
		}
		return e.Hinted("orma stages lists them")
	}
	if a.json {
		return a.printJSON(all[i])
	}
	a.print("%s\n", strings.TrimSpace(all[i].page))
	return nil
}

package stages

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
)

// Pages returns the reference of stages in Markdown, by file name: a page each, and
// README.md as the index. It is made from the specs alone, so it cannot say
// anything that the stages do not.
func Pages(specs []pipeline.Spec, asleep []sleep.Spec) map[string]string {
	pages := map[string]string{"README.md": index(specs, asleep)}
	for _, s := range specs {
		pages[s.Name+".md"] = marked(Page(s))
	}
	for _, s := range asleep {
		pages["sleep/"+s.Name+".md"] = marked(SleepPage(s))
	}
	return pages
}

const generated = "<!-- Written by `go test ./stages -update` from the stage's own description. -->\n\n"

func index(specs []pipeline.Spec, asleep []sleep.Spec) string {
	var b strings.Builder
	b.WriteString("# Stages\n\n" + generated)
	b.WriteString("A pipeline is a list of stages; each is configured by a table `[stage.NAME]`.\n")
	for _, folder := range folders {
		var rows strings.Builder
		for _, s := range specs {
			if s.Folder == folder.name {
				fmt.Fprintf(&rows, "| [%s](%s.md) | %s |\n", s.Name, s.Name, cell(s.Summary))
			}
		}
		if rows.Len() > 0 {
			fmt.Fprintf(&b, indexTable, folder.name, folder.does, &rows)
		}
	}
	var rows strings.Builder
	for _, s := range asleep {
		fmt.Fprintf(&rows, "| [%s](sleep/%s.md) | %s |\n", s.Name, s.Name, cell(s.Summary))
	}
	fmt.Fprintf(&b, indexTable, "sleep", "Turn lines into facts.", &rows)
	return b.String()
}

const indexTable = "\n## %s\n\n%s\n\n| stage | what it does |\n|---|---|\n%s"

var folders = []struct{ name, does string }{
	{"retrieve", "Add rows with a score in a channel."},
	{"filter", "Drop rows, or take away what speaks for them."},
	{"rank", "Change scores."},
	{"pack", "Write the block."},
	{"plugin", "From plugins."},
}

// marked says in a page's file, behind the heading, where it comes from.
func marked(page string) string { return strings.Replace(page, "\n\n", "\n\n"+generated, 1) }

// Page returns the reference page of one stage.
func Page(s pipeline.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n\n%s\n", s.Name, s.Summary, strings.TrimSpace(s.Doc))
	parameters(&b, s.Name, s.NewParams(), s.Neutral)
	b.WriteString("\n## Columns\n\n| column | kind | read | written | what it holds |\n|---|---|---|---|---|\n")
	for _, u := range columnsOf(s) {
		fmt.Fprintf(&b, "| %s | %v | %s | %s | %s |\n", u.Name, u.Kind, u.read, u.write, cell(u.Doc))
	}
	if e := effects(s.Effect); e != "" {
		fmt.Fprintf(&b, "\nIt may %s rows.\n", e)
	}
	return b.String()
}

// SleepPage returns the reference page of one stage of the sleep pipeline.
func SleepPage(s sleep.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s (sleep)\n\n%s.\n\n%s\n", s.Name, s.Summary, strings.TrimSpace(s.Doc))
	parameters(&b, s.Name, s.NewParams(), nil)
	return b.String()
}

func parameters(b *strings.Builder, name string, params, neutralParams any) {
	defaults := reflect.ValueOf(params).Elem()
	if defaults.NumField() == 0 {
		b.WriteString("\nIt has no parameters.\n")
		return
	}
	neutral := reflect.ValueOf(neutralParams)
	fmt.Fprintf(b, "\n## Parameters\n\n```toml\n[stage.%s]\n", name)
	for i := range defaults.NumField() {
		fmt.Fprintf(b, "%s = %s\n", key(defaults, i), toml(defaults.Field(i)))
	}
	b.WriteString("```\n\n| key | default | meaning |\n|---|---|---|\n")
	var off []string
	for i := range defaults.NumField() {
		f := defaults.Type().Field(i)
		fmt.Fprintf(b, "| %s | %s | %s |\n", key(defaults, i), toml(defaults.Field(i)), cell(f.Tag.Get("doc")))
		if neutral.IsValid() && !neutral.Field(i).Equal(defaults.Field(i)) {
			off = append(off, fmt.Sprintf("`%s = %s`", key(defaults, i), toml(neutral.Field(i))))
		}
	}
	if len(off) > 0 {
		fmt.Fprintf(b, "\nWith %s it changes nothing.\n", strings.Join(off, ", "))
	}
}

func key(v reflect.Value, i int) string { return v.Type().Field(i).Tag.Get("toml") }

// toml writes a value as it stands in a configuration file.
func toml(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Float32:
		s := fmt.Sprint(float32(v.Float()))
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return s
	}
	return fmt.Sprint(v.Interface())
}

// usage is a column and what a stage does with it.
type usage struct {
	frame.Column
	read, write string
}

func columnsOf(s pipeline.Spec) []usage {
	var out []usage
	at := map[string]int{}
	note := func(cols []frame.Column, set func(*usage)) {
		for _, c := range cols {
			i, ok := at[c.Name]
			if !ok {
				i = len(out)
				at[c.Name] = i
				out = append(out, usage{Column: c})
			}
			set(&out[i])
		}
	}
	note(s.Reads, func(u *usage) { u.read = "yes" })
	note(s.Any, func(u *usage) { u.read = "if there" })
	note(s.Writes, func(u *usage) { u.write = "yes" })
	return out
}

func effects(e pipeline.Effect) string {
	var does []string
	for _, x := range []struct {
		effect pipeline.Effect
		word   string
	}{{pipeline.Adds, "add"}, {pipeline.Drops, "drop"}, {pipeline.Orders, "reorder"}} {
		if e&x.effect != 0 {
			does = append(does, x.word)
		}
	}
	return strings.Join(does, " and ")
}

// cell makes text safe inside a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

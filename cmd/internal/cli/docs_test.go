package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/eval"
	"github.com/orma-memory/orma/core/history"
)

var update = flag.Bool("update", false, "write generated files anew")

// shapes are what commands print with --json.
var shapes = map[string]any{
	"add": []engine.Added{}, "import": history.Summary{}, "recall": engine.Recalled{}, "search": engine.Found{},
	"facts": []engine.Fact{}, "forbid": engine.Added{}, "forget": engine.Fact{}, "correct": engine.Fact{},
	"erase": core.Receipt{}, "erase-space": core.Receipt{}, "quarantine": engine.Quarantined{}, "stats": engine.Stats{},
	"doctor": core.Health{}, "stages": []stageInfo{}, "config path": places{}, "eval recall": eval.Report{}, "eval fit": fitted{},
	"bench latency": benchReport{}, "model list": []modelInfo{}, "model pull": modelInfo{}, "model pack": modelInfo{}, "version": build{}, "viz": vizAt{}, "token log": []core.AuditEntry{},
}

const head = `# Command line

<!-- Written by go test ./cmd/internal/cli -run Docs -update from the commands themselves. -->

Results go to standard output, everything else to standard error. Exit codes: 0 ok, 1 failed, 2 called wrongly.
Colour and progress appear on a terminal only, and no colour where NO_COLOR is set. An interrupt (Ctrl-C) ends a
command cleanly; what was done until then is kept.

With --json the result is one JSON value with the keys below, which stay; new ones may be added. Times are RFC 3339,
days are YYYY-MM-DD, ids are numbers. A key that is empty may be left out where it is marked with a question mark. An
error is one line on standard error: {"error": {"code", "message", "hint"}}. Codes: not_found, invalid, too_large, limit,
conflict, config, read_only, corrupt, newer, busy, unavailable, denied, unsupported, usage, interrupted, internal.

ORMA_HOME is Orma's folder (default ~/.orma). A setting such as [serve] port can be given as ORMA_SERVE_PORT.
`

// TestDocsCLI holds docs/cli.md to the commands.
func TestDocsCLI(t *testing.T) {
	root := newApp(Process{Now: time.Now}).root()
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("\n## Flags of every command\n\n")
	flagTable(&b, root.PersistentFlags())
	d := &shapeDoc{seen: map[reflect.Type]bool{}}
	documented := map[string]bool{}
	for _, c := range root.Commands() {
		commandDoc(&b, d, c, documented)
	}
	for name := range shapes {
		if !documented[name] {
			t.Errorf("a shape for %q, which is no command", name)
		}
	}
	b.WriteString("\n## JSON\n")
	b.WriteString(d.String())
	path := filepath.Join("..", "..", "..", "docs", "cli.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/cli.md is not what the commands say (%v); run go test ./cmd/internal/cli -run Docs -update", err)
	}
}

func commandDoc(b *strings.Builder, d *shapeDoc, c *cobra.Command, documented map[string]bool) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	path := strings.TrimPrefix(c.CommandPath(), "orma ")
	documented[path] = true
	fmt.Fprintf(b, "\n## orma %s\n\n%s.\n\n", path, c.Short)
	if c.Long != "" {
		b.WriteString(plainMarkdown(c.Long) + "\n\n")
	}
	fmt.Fprintf(b, "    %s\n", strings.TrimSuffix(c.UseLine(), " [flags]"))
	if c.HasLocalFlags() && c.LocalNonPersistentFlags().HasAvailableFlags() {
		b.WriteString("\n")
		flagTable(b, c.LocalNonPersistentFlags())
	}
	if c.Example != "" {
		b.WriteString("\nExamples:\n\n")
		for line := range strings.Lines(c.Example) {
			b.WriteString("    " + strings.TrimSpace(line) + "\n")
		}
	}
	if s, ok := shapes[path]; ok {
		fmt.Fprintf(b, "\nWith --json: %s\n", d.name(reflect.TypeOf(s)))
	}
	for _, sub := range c.Commands() {
		commandDoc(b, d, sub, documented)
	}
}

// plainMarkdown keeps indented lines, such as a JSON example, as they are.
func plainMarkdown(s string) string { return strings.ReplaceAll(s, "\n  {", "\n    {") }

func flagTable(b *strings.Builder, flags *pflag.FlagSet) {
	b.WriteString("| flag | meaning |\n|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if value != "" {
			name += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && !strings.Contains(usage, "(default") {
			usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(usage, "|", `\|`))
	})
}

// shapeDoc describes Go types as the JSON that they become.
type shapeDoc struct {
	strings.Builder
	seen map[reflect.Type]bool
}

var moment = reflect.TypeFor[time.Time]()

// name returns how a type is called, and describes it if it is new.
func (d *shapeDoc) name(t reflect.Type) string {
	switch {
	case t == moment:
		return "time"
	case t.Kind() == reflect.Pointer:
		return d.name(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + d.name(t.Elem())
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("list of %d %s", t.Len(), d.name(t.Elem()))
	case t.Kind() == reflect.Map:
		return "object of " + d.name(t.Elem()) + " by name"
	case t.Kind() == reflect.Struct:
		if !d.seen[t] {
			d.seen[t] = true
			d.describe(t)
		}
		return "[" + title(t) + "](#" + strings.ToLower(title(t)) + ")"
	case t.Kind() == reflect.Interface:
		return "any"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	}
	return "number"
}

func title(t reflect.Type) string { return strings.ToUpper(t.Name()[:1]) + t.Name()[1:] }

func (d *shapeDoc) describe(t reflect.Type) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n| key | value |\n|---|---|\n", title(t))
	d.fields(&b, t)
	d.WriteString(b.String())
}

func (d *shapeDoc) fields(b *strings.Builder, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && key == "" {
			d.fields(b, f.Type)
			continue
		}
		if key == "-" || key == "" {
			continue
		}
		if strings.Contains(options, "omit") {
			key += "?"
		}
		fmt.Fprintf(b, "| %s | %s |\n", key, d.name(f.Type))
	}
}

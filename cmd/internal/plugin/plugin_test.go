package plugin_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/plugin"
)

// root is the repository.
const root = "../../.."

// toolchains puts what scripts/toolchains.sh installs into the repository on the path.
func toolchains(t *testing.T) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(root, ".cache", "npm", "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")+string(filepath.ListSeparator)+dir)
}

// buildAndCheck compiles a plugin and holds it to its suite.
func buildAndCheck(t *testing.T, dir string) *plugin.Report {
	t.Helper()
	var log bytes.Buffer
	file, err := plugin.Build(t.Context(), dir, &log)
	if missing := (*plugin.MissingError)(nil); errors.As(err, &missing) {
		t.Skipf("skipped: %v", missing)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Join(dir, "target")) })
	rep, err := plugin.Check(t.Context(), file, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Results {
		for _, e := range r.Errors {
			t.Errorf("%s: %s", r.Name, e)
		}
	}
	return rep
}

// kinds lists all that there are templates for.
func kinds() []plugin.Kind {
	var out []plugin.Kind
	for _, runtime := range plugin.Runtimes() {
		for _, language := range plugin.Languages(runtime) {
			for _, contract := range plugin.Contracts(language) {
				out = append(out, plugin.Kind{Runtime: runtime, Language: language, Contract: contract})
			}
		}
	}
	return out
}

// TestTemplates: in each language, what `orma plugin new` writes builds and passes its
// check as it is, a module without a network.
func TestTemplates(t *testing.T) {
	toolchains(t)
	for _, kind := range kinds() {
		t.Run(kind.Runtime+" "+kind.Language+" "+kind.Contract, func(t *testing.T) {
			if kind.Language == "go" && testing.Short() {
				t.Skip("skipped: compiling Go takes long")
			}
			dir, err := plugin.New(t.TempDir(), "young_first", kind)
			if err != nil {
				t.Fatal(err)
			}
			rep := buildAndCheck(t, dir)
			if rep.Info.Name != "young_first" || rep.Info.Contract != kind.Contract || (rep.Call == 0) != (kind.Contract != "rank") {
				t.Errorf("the report is of %+v", rep.Info)
			}
			if got, err := plugin.Check(t.Context(), dir, ""); err != nil || got.Results[0].Name != "plugin_toml" || !got.OK() {
				t.Errorf("checking the folder: %+v, %v", got, err)
			}
		})
	}
}

// TestTemplateVersions: a plugin is built with the versions of what Orma talks to it with.
func TestTemplateVersions(t *testing.T) {
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(root, "sdk", "template", "process-go", "go.mod.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"github.com/hashicorp/go-plugin", "google.golang.org/grpc", "google.golang.org/protobuf", "github.com/hashicorp/go-hclog"} {
		version := func(mod []byte) string {
			_, rest, _ := strings.Cut(string(mod), module+" ")
			return strings.Fields(rest + " ?")[0]
		}
		if version(ours) != version(theirs) {
			t.Errorf("%s is %s here and %s in the template", module, version(ours), version(theirs))
		}
	}
}

// TestShipped builds the plugins of this repository. Their own tests run what is
// committed.
func TestShipped(t *testing.T) {
	toolchains(t)
	dirs, err := filepath.Glob(filepath.Join(root, "plugins", "*", plugin.File))
	if err != nil || len(dirs) < 6 {
		t.Fatalf("%d plugins, %v", len(dirs), err)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), `"go"`) && testing.Short() {
				t.Skip("skipped: compiling Go for wasip1 takes long")
			}
			if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
				t.Error(err)
			}
			committed, _ := os.ReadFile(filepath.Join(dir, filepath.Base(dir)+".wasm")) // built again below
			t.Cleanup(func() {
				if committed != nil {
					_ = os.WriteFile(filepath.Join(dir, filepath.Base(dir)+".wasm"), committed, 0o644)
				}
			})
			prepare(t, dir)
			buildAndCheck(t, dir)
		})
	}
}

// prepare builds a plugin that has a model and gets it. Without a registry of Python
// packages there is none.
func prepare(t *testing.T, dir string) {
	t.Helper()
	script := filepath.Join(dir, "prepare.py")
	if _, err := os.Stat(script); err != nil {
		return
	}
	if testing.Short() {
		t.Skip("skipped: a model is some 100 MB")
	}
	var log bytes.Buffer
	if _, err := plugin.Build(t.Context(), dir, &log); err != nil {
		t.Skipf("skipped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "model", "model.onnx")); err == nil {
		return
	}
	python, err := filepath.Abs(filepath.Join(dir, ".venv", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, script).CombinedOutput(); err != nil {
		t.Skipf("skipped: no model: %v\n%s", err, out)
	}
}

// TestNewRefuses names that would not do, and folders that are there.
func TestNewRefuses(t *testing.T) {
	dir, c := t.TempDir(), plugin.Kind{Runtime: "wasm", Language: "c", Contract: "rank"}
	for _, name := range []string{"", "Young", "young-first", "../x", "9lives", "a__b", strings.Repeat("a", 65)} {
		if _, err := plugin.New(dir, name, c); err == nil {
			t.Errorf("name %q was accepted", name)
		}
	}
	if _, err := plugin.New(dir, "fine", plugin.Kind{Runtime: "process", Language: "c", Contract: "rank"}); err == nil {
		t.Error("an unknown language was accepted")
	}
	if _, err := plugin.New(dir, "fine", plugin.Kind{Runtime: "wasm", Language: "c", Contract: "embed"}); err == nil {
		t.Error("a contract without a template was accepted")
	}
	if _, err := plugin.New(dir, "fine", c); err != nil {
		t.Error(err)
	}
	if _, err := plugin.New(dir, "fine", c); err == nil {
		t.Error("a folder was written over")
	}
}

// TestNewIsWhole: nothing of the template's name or of our module's path is left.
func TestNewIsWhole(t *testing.T) {
	for _, kind := range kinds() {
		dir, err := plugin.New(t.TempDir(), "young_first", kind)
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			for _, left := range []string{"my_ranker", "MyRanker", "orma-memory/orma/sdk", "TRUSTED", "RUNTIME:"} {
				if bytes.Contains(b, []byte(left)) {
					t.Errorf("%s has %q in it", path, left)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	const good = "name = \"x\"\nversion = \"1\"\ncontract = \"rank\"\nabi = 1\nruntime = \"wasm\"\nlanguage = \"c\"\n"
	for name, c := range map[string]struct{ toml, want string }{
		"no plugin.toml":   {"", "no such file"},
		"another runtime":  {strings.Replace(good, `"wasm"`, `"jvm"`, 1), `runtime "jvm" is none of wasm, process`},
		"not this pair":    {strings.Replace(good, `"wasm"`, `"process"`, 1), `language "c" is none of go, python`},
		"another language": {strings.Replace(good, `"c"`, `"zig"`, 1), `language "zig" is none of`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.toml != "" {
				if err := os.WriteFile(filepath.Join(dir, plugin.File), []byte(c.toml), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := plugin.Build(t.Context(), dir, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Build: %v, want %q", err, c.want)
			}
		})
	}
}

// TestCheckFinds a plugin that lies: what its plugin.toml says is not what it is.
func TestCheckFinds(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(root, "host", "wasmhost", "testdata", "hostile", "counting.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	toml := "name = \"liar\"\nversion = \"2\"\ncontract = \"rank\"\nabi = 1\nruntime = \"wasm\"\nlanguage = \"c\"\n"
	for name, data := range map[string][]byte{plugin.File: []byte(toml), "liar.wasm": code} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := plugin.Check(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]bool{}
	for _, r := range rep.Results {
		failed[r.Name] = len(r.Errors) > 0
	}
	// It counts its runs, so equal frames do not give equal bytes.
	if rep.OK() || !failed["plugin_toml"] || !failed["deterministic"] {
		t.Errorf("failed checks: %v", failed)
	}
}

// TestKits runs the kits' own tests.
func TestKits(t *testing.T) {
	toolchains(t)
	t.Run("rust", func(t *testing.T) {
		if _, err := exec.LookPath("cargo"); err != nil {
			t.Skip("skipped: no cargo")
		}
		for _, crate := range []string{"sdk/rust", "plugins/term_weights"} {
			cmd := exec.CommandContext(t.Context(), "cargo", "test", "--quiet", "--offline", "--manifest-path", filepath.Join(root, crate, "Cargo.toml"))
			cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+t.TempDir())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", crate, err, out)
			}
		}
	})
	t.Run("assemblyscript", func(t *testing.T) {
		asc, err := exec.LookPath("asc")
		if err != nil {
			t.Skip("skipped: no asc; run scripts/toolchains.sh")
		}
		node, err := exec.LookPath("node")
		if err != nil {
			t.Skip("skipped: no node")
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "sdk", "assemblyscript"))); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{asc, "test/guest.ts", "-O3", "--runtime", "incremental", "--use", "abort=", "-o", "test/guest.wasm"},
			{node, "--test", "test"},
		} {
			cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
	})
}

package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/config"
)

// File is the plugin.toml of a plugin's folder.
const File = "plugin.toml"

// MissingError is a toolchain that is not there.
type MissingError struct {
	Language string
	Want     string // how to get it
}

// Error says what is missing and how to get it.
func (e *MissingError) Error() string {
	return fmt.Sprintf("no compiler for plugins in %s: %s", e.Language, e.Want)
}

// Output returns the module or program in a plugin's folder.
func Output(dir string, p config.PluginFile) string {
	switch {
	case p.Runtime != "process":
		return filepath.Join(dir, p.Name+".wasm")
	case runtime.GOOS == "windows":
		return filepath.Join(dir, p.Name+".exe")
	}
	return filepath.Join(dir, p.Name)
}

// Build compiles the plugin in dir and returns the module or program. What the compiler
// says goes to log.
func Build(ctx context.Context, dir string, log io.Writer) (string, error) {
	p, err := config.ReadPluginFile(filepath.Join(dir, File))
	if err != nil {
		return "", err
	}
	if !slices.Contains(Runtimes(), p.Runtime) {
		return "", fmt.Errorf("%s: runtime %q is none of %s", filepath.Join(dir, File), p.Runtime, strings.Join(Runtimes(), ", "))
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	out := Output(dir, p)
	b := builder{ctx: ctx, dir: dir, name: p.Name, out: out, log: log}
	switch p.Runtime + " " + p.Language {
	case "wasm go":
		err = b.golang()
	case "wasm rust":
		err = b.rust()
	case "wasm assemblyscript":
		err = b.assemblyscript()
	case "wasm c":
		err = b.c()
	case "process go":
		err = b.program()
	case "process python":
		err = b.python()
	default:
		err = fmt.Errorf("%s: language %q is none of %s; a program in another language is built by its own tools", filepath.Join(dir, File), p.Language, strings.Join(Languages(p.Runtime), ", "))
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		return "", errors.Join(fmt.Errorf("the compiler made no %s", out), err)
	}
	return out, nil
}

// builder builds one plugin.
type builder struct {
	ctx            context.Context // of the one build
	dir, name, out string
	log            io.Writer
}

func (b *builder) run(env []string, name string, args ...string) error {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = b.log, b.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return nil
}

func (b *builder) golang() error {
	tool, err := exec.LookPath("go")
	if err != nil {
		return &MissingError{"Go", "install Go 1.24 or later"}
	}
	return b.run([]string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0"}, tool,
		"build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", b.out, ".")
}

// program builds for this machine.
func (b *builder) program() error {
	tool, err := exec.LookPath("go")
	if err != nil {
		return &MissingError{"Go", "install Go 1.25 or later"}
	}
	return b.run([]string{"CGO_ENABLED=0"}, tool, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", b.out, ".")
}

const rustTarget = "wasm32-unknown-unknown"

// rust builds with the first cargo whose compiler has the target: rustup's and a
// distribution's may stand side by side.
func (b *builder) rust() error {
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/bin") {
		cargo, rustc := filepath.Join(dir, "cargo"), filepath.Join(dir, "rustc")
		root, err := exec.CommandContext(b.ctx, rustc, "--print", "sysroot").Output()
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(strings.TrimSpace(string(root)), "lib", "rustlib", rustTarget, "lib")); err != nil {
			continue
		}
		target := filepath.Join(b.dir, "target")
		env := []string{"RUSTC=" + rustc, "CARGO_TARGET_DIR=" + target}
		if err := b.run(env, cargo, "build", "--quiet", "--release", "--target", rustTarget); err != nil {
			return err
		}
		return copyFile(filepath.Join(target, rustTarget, "release", b.name+".wasm"), b.out)
	}
	return &MissingError{"Rust", "rustup target add " + rustTarget + ", or on Debian: apt-get install cargo lld libstd-rust-dev-wasm32"}
}

func (b *builder) assemblyscript() error {
	tool := filepath.Join(b.dir, "node_modules", ".bin", "asc")
	if _, err := os.Stat(tool); err != nil {
		if tool, err = exec.LookPath("asc"); err != nil {
			return &MissingError{"AssemblyScript", "run npm install in " + b.dir}
		}
	}
	return b.run(nil, tool, "index.ts", "-O3", "--runtime", "incremental", "--use", "abort=", "-o", b.out)
}

// c builds with clang and its linker, or with zig, which brings both.
func (b *builder) c() error {
	flags := []string{
		"-O3", "-std=c11", "-Wall", "-Wextra", "-ffreestanding", "-nostdlib",
		"-Wl,--no-entry", "-Wl,-z,stack-size=16384", "-Wl,--strip-all", "-o", b.out, "plugin.c",
	}
	_, noLinker := exec.LookPath("wasm-ld")
	for _, name := range []string{"clang", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"} {
		if tool, err := exec.LookPath(name); err == nil && noLinker == nil {
			return b.run(nil, tool, append([]string{"--target=wasm32"}, flags...)...)
		}
	}
	zig := append([]string{"cc", "-target", "wasm32-freestanding"}, flags...)
	if tool, err := exec.LookPath("zig"); err == nil {
		return b.run(nil, tool, zig...)
	}
	if tool, err := exec.LookPath("python3"); err == nil && exec.CommandContext(b.ctx, tool, "-c", "import ziglang").Run() == nil {
		return b.run(nil, tool, append([]string{"-m", "ziglang"}, zig...)...)
	}
	return &MissingError{"C", "on Debian: apt-get install clang lld; anywhere: pip install ziglang"}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/either"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/host/wasmhost"
)

// Plugins are the plugins that a configuration names, opened. The zero value has none.
type Plugins struct {
	All  []Plugin
	host host.Host
}

// Plugin is an opened [plugin.NAME] table.
type Plugin struct {
	config.Plugin
	host.Provided
}

// OpenPlugins opens the plugins of the configuration that these options read. One that
// cannot be opened is an error: nothing is left out in silence. Close them.
func OpenPlugins(ctx context.Context, o Options) (*Plugins, error) {
	return openPlugins(ctx, Read(o), o)
}

func openPlugins(ctx context.Context, src *config.Source, o Options) (*Plugins, error) {
	tables, path, err := src.Plugins()
	if err != nil || len(tables) == 0 {
		return &Plugins{}, err
	}
	cache := filepath.Join(o.Home, "cache")
	p := &Plugins{host: either.New(wasmhost.Options{Cache: cache, Log: o.Log}, prochost.Options{Cache: cache, Log: o.Log})}
	var errs []error
	for _, t := range tables {
		file, err := findPlugin(t, append(path, filepath.Join(o.Home, "plugins")))
		if err == nil {
			var got host.Provided
			got, err = p.host.Open(ctx, host.Source{Path: file, SHA256: t.SHA256, Trusted: t.Trusted, Env: t.Env})
			p.All = append(p.All, Plugin{t, got})
		}
		if err == nil {
			err = fits(&t, &p.All[len(p.All)-1].Provided)
		}
		if err != nil {
			errs = append(errs, t.Problem(err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, core.Errorf(core.CodeConfig, "%w", errors.Join(err, p.Close()))
	}
	return p, nil
}

// fits reports what a plugin's table says that cannot be.
func fits(t *config.Plugin, p *host.Provided) error {
	i := &p.Info
	if t.Name != i.Name {
		return fmt.Errorf("%s is the plugin %q: write [plugin.%s]", i.Path, i.Name, i.Name)
	}
	if t.After != "" && len(p.Stages) == 0 {
		return fmt.Errorf("has after, which is for rankers: the contract of this plugin is %s", i.Contract)
	}
	return nil
}

// findPlugin returns the file of a plugin: what its path says, or what has its name in
// one of the folders.
func findPlugin(t config.Plugin, folders []string) (string, error) {
	if t.Path != "" {
		path := abs(t.Dir, t.Path)
		file := PluginFile(path)
		if file != path && !regular(file) {
			return "", fmt.Errorf("%s has no %s in it yet: run orma plugin build %s", path, filepath.Base(file), path)
		}
		return file, nil
	}
	var tried []string
	for _, dir := range append(folders[:len(folders)-1:len(folders)-1], t.Dir, folders[len(folders)-1]) {
		if dir == "" {
			continue
		}
		for _, name := range []string{t.Name, strings.ReplaceAll(t.Name, "_", "-")} {
			path := filepath.Join(abs(t.Dir, dir), name)
			for _, file := range []string{path + ".wasm", PluginFile(path), path + ".exe"} {
				if regular(file) {
					return file, nil
				}
			}
		}
		tried = append(tried, abs(t.Dir, dir))
	}
	return "", errors.New("no " + t.Name + ".wasm and no program " + t.Name + " in " + strings.Join(tried, ", ") + "; say where with path")
}

// PluginFile returns the module or program in a plugin's folder: the one that its
// plugin.toml speaks of, or else what has the folder's name. Any other path is the
// plugin's file itself.
func PluginFile(path string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full // "." has no name
	}
	name := filepath.Base(path)
	p, err := config.ReadPluginFile(filepath.Join(path, "plugin.toml"))
	if err == nil {
		name = p.Name
	}
	program := filepath.Join(path, name)
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	module := filepath.Join(path, name+".wasm")
	if err == nil && p.Runtime == "process" || err != nil && regular(program) && !regular(module) {
		return program
	}
	return module
}

func regular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// Stages returns the stage types of the plugins.
func (p *Plugins) Stages() []pipeline.Spec {
	var out []pipeline.Spec
	for _, x := range p.All {
		out = append(out, x.Stages...)
	}
	return out
}

func (p *Plugins) embedders() []component.Spec[embed.Embedder] {
	var out []component.Spec[embed.Embedder]
	for _, x := range p.All {
		out = append(out, x.Embedders...)
	}
	return out
}

func (p *Plugins) extractors() []component.Spec[sleep.Extractor] {
	var out []component.Spec[sleep.Extractor]
	for _, x := range p.All {
		out = append(out, x.Extractors...)
	}
	return out
}

// backends builds the extractors of the plugins by the names that the stage extract
// calls them: wasm:NAME. One with an [extractor.NAME] table has the table's parameters
// and name, the others their defaults.
func (p *Plugins) backends(cfg *config.Config, d component.Deps) (map[string]sleep.Extractor, error) {
	out := map[string]sleep.Extractor{}
	for _, e := range cfg.Extractors {
		x, err := e.Build()
		if err != nil {
			return nil, core.Errorf(core.CodeConfig, "[extractor.%s]: %w", e.Name, err)
		}
		runtime, _, _ := strings.Cut(x.Name(), ":")
		out[runtime+":"+e.Name] = x
	}
	for _, spec := range p.extractors() {
		x, err := spec.Build(spec.NewParams(), d)
		if err != nil {
			return nil, core.Errorf(core.CodeConfig, "plugin %s: %w", spec.Name, err)
		}
		if _, ok := out[x.Name()]; !ok {
			out[x.Name()] = x
		}
	}
	return out, nil
}

// Close stops the plugins. Stages built from them fail afterwards.
func (p *Plugins) Close() error {
	if p.host == nil {
		return nil
	}
	return p.host.Close()
}

package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/orma-memory/orma/configs"
	"github.com/orma-memory/orma/core"
)

// Options say where a configuration comes from.
type Options struct {
	// Files are paths, or names of profiles such as "text-only", later ones over
	// earlier ones. Empty means config.toml in Home, if it is there.
	Files []string
	Home  string   // Orma's folder
	Env   []string // as os.Environ gives it: ORMA_SERVE_PORT=8081 sets [serve] port
	Off   []string // stages to switch off; each may be a list with commas
	Set   []string // key=value, such as stage.bm25.k=16

	// Profiles holds the built-in profiles as NAME.toml; nil means those of package
	// configs.
	Profiles fs.FS
}

// DefaultProfile lies under everything, unless a file names another one with the
// top-level key profile.
const DefaultProfile = "default"

// Source is a configuration that has been read but not built: its layers.
type Source struct {
	profile string
	layers  []*layer
	report  report
}

// Read reads the layers of a configuration. Problems are kept for [Source.Load], so
// that all are reported at once.
func Read(o Options) *Source {
	s := &Source{}
	if o.Profiles == nil {
		o.Profiles = configs.FS
	}
	files := s.files(o)
	profile, at := DefaultProfile, place{}
	for _, f := range o.Files {
		if isProfile(o.Profiles, f) {
			profile = f
		}
	}
	for _, l := range files {
		if p, ok := l.top["profile"]; ok {
			var name string
			if at = l.at(p); l.md.PrimitiveDecode(p, &name) != nil {
				s.report.add(at, "profile must be text in quotes")
				continue
			}
			profile = name
		}
	}
	base := &layer{origin: builtin, name: profile + ".toml (built in)"}
	if src, err := fs.ReadFile(o.Profiles, profile+".toml"); err == nil && slices.Contains(profiles(o.Profiles), profile) {
		s.report.parse(base, string(src))
	} else {
		s.report.add(at, "no profile %q%s", profile, hint(profile, profiles(o.Profiles)))
	}
	s.profile, s.layers = profile, append([]*layer{base}, files...)
	s.env(o.Env)
	s.flags(o.Off, o.Set)
	return s
}

// Profiles returns the names of the built-in profiles.
func Profiles() []string { return profiles(configs.FS) }

func profiles(from fs.FS) []string {
	var names []string
	found, err := fs.Glob(from, "*.toml")
	if err != nil {
		panic("config: " + err.Error()) // the pattern is fixed
	}
	for _, f := range found {
		names = append(names, strings.TrimSuffix(f, ".toml"))
	}
	return names
}

// files reads the user's files.
func (s *Source) files(o Options) []*layer {
	paths, must := o.Files, true
	if len(paths) == 0 && o.Home != "" {
		paths, must = []string{filepath.Join(o.Home, "config.toml")}, false
	}
	var out []*layer
	for _, path := range paths {
		l := &layer{origin: file, name: path, dir: filepath.Dir(path), order: 1 + len(out)}
		src, err := readFile(path)
		switch {
		case err == nil:
			out = append(out, s.report.parse(l, src))
		case isProfile(o.Profiles, path): // it is the lowest layer then
		case must || !missing(path):
			s.report.add(place{l.order, path, 0}, "%v%s", err, hint(path, profiles(o.Profiles)))
		}
	}
	return out
}

// isProfile reports whether a name given as a file is that of a profile. A file of
// that name counts more.
func isProfile(from fs.FS, name string) bool {
	return missing(name) && slices.Contains(profiles(from), name)
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// override adds a layer of one key.
func (s *Source) override(name, key, value string) {
	l := &layer{origin: override, name: name, order: 1 + len(s.layers)}
	s.layers = append(s.layers, l)
	if strings.ContainsAny(key, "\n\r=#[]") {
		s.report.add(place{l.order, name, 0}, "%q is no key", key)
		return
	}
	if s.report.parse(l, key+" = "+value); len(l.top) > 0 {
		return
	}
	// What is no TOML value is text: format=sutra.
	s.report.list = slices.DeleteFunc(s.report.list, func(p located) bool { return p.layer == l.order })
	s.report.parse(l, key+" = "+quote(value))
}

// env adds the environment's layers, in the order of names.
func (s *Source) env(env []string) {
	sections := fields(&Settings{})
	for _, e := range slices.Sorted(slices.Values(env)) {
		name, value, _ := strings.Cut(e, "=")
		rest, ok := strings.CutPrefix(name, "ORMA_")
		if !ok {
			continue
		}
		section, key, ok := strings.Cut(strings.ToLower(rest), "_")
		if ok && slices.Contains(sections, section) {
			s.override(name, section+"."+key, value)
		}
	}
}

// flags adds what --off and --set say.
func (s *Source) flags(off, set []string) {
	for _, list := range off {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				s.override("--off "+name, "stage."+bareKey(name)+".enabled", "false")
			}
		}
	}
	for _, kv := range set {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			s.report.add(place{1 + len(s.layers), "--set " + kv, 0}, "want KEY=VALUE, such as stage.bm25.k=16")
			continue
		}
		s.override("--set "+kv, strings.TrimSpace(key), strings.TrimSpace(value))
	}
}

// With returns the source with more stages off and more keys set, as the flags --off
// and --set would. The source itself does not change.
func (s *Source) With(off, set []string) *Source {
	t := &Source{profile: s.profile, layers: slices.Clone(s.layers), report: report{slices.Clone(s.report.list)}}
	t.flags(off, set)
	return t
}

// bareKey quotes a name that could not stand in a dotted key.
func bareKey(name string) string {
	if strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0 {
		return name
	}
	return quote(name)
}

// sections are the tables a configuration may have, besides those of Settings.
type sections struct {
	Profile   string         `toml:"profile"`
	Pipeline  toml.Primitive `toml:"pipeline"`
	Stage     toml.Primitive `toml:"stage"`
	Embedder  toml.Primitive `toml:"embedder"`
	Extractor toml.Primitive `toml:"extractor"`
	Plugin    toml.Primitive `toml:"plugin"`
	Orma      toml.Primitive `toml:"orma"`
}

// top checks the top-level names of every layer.
func (s *Source) top(r *report) {
	known := slices.Concat(fields(&sections{}), fields(&Settings{}))
	for _, l := range s.layers {
		for _, name := range l.names(l.top) {
			if slices.Contains(known, name) {
				continue
			}
			if isTable(l, name) {
				r.add(l.atKey(toml.Key{name}), "unknown table [%s]%s", name, hint(name, known))
			} else {
				r.add(l.atKey(toml.Key{name}), "unknown key %q at the top%s", name, hint(name, known))
			}
		}
	}
}

func isTable(l *layer, name string) bool {
	var keys map[string]toml.Primitive
	return l.md.PrimitiveDecode(l.top[name], &keys) == nil && keys != nil
}

// settings reads the tables of Settings, layer over layer.
func (s *Source) settings(r *report) Settings {
	set := DefaultSettings()
	v := reflect.ValueOf(&set).Elem()
	for i := range v.NumField() {
		name, dst := tag(v.Type().Field(i)), v.Field(i).Addr().Interface()
		var tables []table
		for _, l := range s.layers {
			p, ok := l.top[name]
			if !ok {
				continue
			}
			if t, ok := r.open(l, toml.Key{name}, p); ok {
				r.decode(t, dst)
				tables = append(tables, t)
			}
		}
		if len(tables) > 0 {
			r.validate(dst, tables, place{})
		}
	}
	return set
}

// Plugin is a [plugin.NAME] table.
type Plugin struct {
	Name    string   `toml:"-"`
	Dir     string   `toml:"-"` // where a relative path starts: the folder of the file that gave it, or has the table
	Path    string   `toml:"path"    doc:"file of the plugin; empty to look for its name in the search path"`
	SHA256  string   `toml:"sha256"  doc:"digest of the file; another file is refused"`
	Trusted bool     `toml:"trusted" doc:"a module: let it run without checks for endless loops; a program: let it run at all, with your rights"`
	Env     []string `toml:"env" doc:"a program: names of environment variables that it is given besides the usual ones"`
	Enabled bool     `toml:"enabled" doc:"load it"`
	After   string   `toml:"after"   doc:"stage of pipeline.recall behind which the plugin's stage runs; empty: where a list has it"`

	at, after place // where the path or else the table is, and where After is set
}

// Problem is an error about the plugin, with the file and line that name it.
func (p *Plugin) Problem(err error) error {
	if p.at.line == 0 {
		return core.Errorf(core.CodeConfig, "%s: [plugin.%s] %w", p.at.file, p.Name, err)
	}
	return core.Errorf(core.CodeConfig, "%s:%d: [plugin.%s] %w", p.at.file, p.at.line, p.Name, err)
}

// Validate reports values outside their range.
func (p *Plugin) Validate() error {
	for _, name := range p.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return fmt.Errorf("env must be names of variables, which %q is not", name)
		}
	}
	if p.SHA256 == "" {
		return nil
	}
	if len(p.SHA256) != 64 || strings.Trim(strings.ToLower(p.SHA256), "0123456789abcdef") != "" {
		return fmt.Errorf("sha256 must be 64 hexadecimal digits")
	}
	return nil
}

// Plugins returns the plugins that the configuration names and where else to look
// for some, so that their stage types can be registered before [Source.Load]. Only
// problems with these tables are reported.
func (s *Source) Plugins() ([]Plugin, []string, error) {
	r := &report{}
	ps := s.plugins(r)
	path := s.settings(&report{}).Plugins.Path
	return ps, path, r.err()
}

func (s *Source) plugins(r *report) []Plugin {
	byName := map[string][]table{}
	for _, l := range s.layers {
		r.section(l, "plugin", func(name string, t table) { byName[name] = append(byName[name], t) })
	}
	var out []Plugin
	for name, tables := range byName {
		p := Plugin{Name: name, Enabled: true}
		for _, t := range tables {
			r.decode(t, &p)
			p.at = t.place("path")
			if _, ok := t.keys["path"]; ok || p.Path == "" && t.layer.dir != "" {
				p.Dir = t.layer.dir
			}
			if _, ok := t.keys["after"]; ok {
				p.after = t.place("after")
			}
		}
		if r.validate(&p, tables, place{}) && p.Enabled {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Plugin) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

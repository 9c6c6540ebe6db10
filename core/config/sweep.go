package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Sweep is a set of variants of one configuration, for ablations and searches.
type Sweep struct {
	Base        string    // a profile or a path that the sweep's own folder is the start of
	LeaveOneOut string    // a pipeline: one variant for each of its stages, without it; or empty
	Seeds       []int     // of what a benchmark draws
	Variants    []Variant // in the order of the file
}

// Variant is one change, as the flags --off and --set would make it.
type Variant struct {
	Name string
	Off  []string
	Set  []string // KEY=VALUE
}

// LoadSweep reads a sweep file. Its keys are base, leave_one_out, seeds and
// [variant.NAME] with off and set. Whether stages and keys exist is only known when a
// variant is loaded.
func LoadSweep(name, src string) (*Sweep, error) {
	r := &report{}
	l := r.parse(&layer{origin: file, name: name}, src)
	top := struct {
		Base        string         `toml:"base"`
		LeaveOneOut string         `toml:"leave_one_out"`
		Seeds       []int          `toml:"seeds"`
		Variant     toml.Primitive `toml:"variant"`
	}{Base: DefaultProfile}
	r.decode(table{layer: l, keys: l.top}, &top)
	s := &Sweep{Base: top.Base, LeaveOneOut: top.LeaveOneOut, Seeds: top.Seeds}
	if s.LeaveOneOut != "" && s.LeaveOneOut != recallPipeline && s.LeaveOneOut != sleepPipeline {
		r.add(l.at(l.top["leave_one_out"]), "no pipeline %q%s", s.LeaveOneOut, hint(s.LeaveOneOut, []string{recallPipeline, sleepPipeline}))
	}
	r.section(l, "variant", func(name string, t table) {
		var v struct {
			Off []string       `toml:"off"`
			Set map[string]any `toml:"set"`
		}
		before := len(r.list)
		r.decode(t, &v)
		if len(r.list) == before && len(v.Off)+len(v.Set) == 0 {
			r.add(l.at(t.prim), "[variant.%s] changes nothing; give off or set", name)
		}
		out := Variant{Name: name, Off: v.Off}
		for key, val := range v.Set {
			if !plain(val) {
				r.add(t.place("set"), "[variant.%s] %q must be a text, a number, true or false, or a list of them; quote a dotted key", name, key)
				continue
			}
			out.Set = append(out.Set, key+"="+value(reflect.ValueOf(val)))
		}
		slices.Sort(out.Set)
		s.Variants = append(s.Variants, out)
	})
	if len(l.top) > 0 && s.LeaveOneOut == "" && len(s.Variants) == 0 {
		r.add(place{0, name, 0}, "a sweep needs leave_one_out or a [variant.NAME]")
	}
	return s, r.err()
}

func plain(v any) bool {
	switch v := v.(type) {
	case string, int64, float64, bool:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !plain(e) })
	}
	return false
}

// All returns the variants of a sweep with those that leave one stage out first.
// stages are the names of the pipeline that LeaveOneOut names; the one that writes
// the block stays.
func (s *Sweep) All(stages []string) []Variant {
	var out []Variant
	if s.LeaveOneOut != "" {
		for _, name := range stages {
			out = append(out, Variant{Name: "without " + name, Off: []string{name}})
		}
	}
	return append(out, s.Variants...)
}

// StageNames returns the names of the stages of a pipeline that may be switched
// off, in order; those that are off already are not among them.
func (c *Config) StageNames(pipeline string) []string {
	var names []string
	switch strings.ToLower(pipeline) {
	case recallPipeline:
		for _, s := range c.Recall.Steps() {
			if s.Spec.Folder != packFolder {
				names = append(names, s.Name)
			}
		}
	case sleepPipeline:
		for _, s := range c.Sleep {
			names = append(names, s.Name)
		}
	}
	return names
}

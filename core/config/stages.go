package config

import (
	"slices"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/pipeline"
)

// Common keys of every stage table.
type common struct {
	Use     string `toml:"use"     doc:"stage type; the table's own name if left out"`
	Enabled bool   `toml:"enabled" doc:"false takes the stage out of its pipeline"`
}

// recallCommon are further keys of stages of the recall pipeline.
type recallCommon struct {
	Required  bool `toml:"required"   doc:"a failure fails the recall instead of leaving the stage out"`
	TimeoutMS int  `toml:"timeout_ms" doc:"longest run; 0 for no limit; plugins have 20 unless it is set"`
}

// Validate reports values outside their range.
func (c *recallCommon) Validate() error {
	return between("timeout_ms", int64(c.TimeoutMS), 0, 600_000)
}

// kind is what the loader needs to know of one registry of stage types.
type kind struct {
	pipeline string
	names    []string
	lookup   func(use string) (stageType, bool)
	recall   bool // its stages have the keys of recallCommon
}

// stageType is a spec of any registry.
type stageType struct {
	component.About
	newParams func() any
	build     func(params any, d component.Deps) (any, error)
	spec      any
}

// stage is one configured stage of a pipeline.
type stage struct {
	common
	recallCommon
	name   string
	typ    stageType
	params any // pointer to the type's parameters
	built  any
	tables []table
}

// place returns where the stage is configured, or where its pipeline is listed.
func (s *stage) place(list place) place {
	if len(s.tables) == 0 {
		return list
	}
	last := s.tables[len(s.tables)-1]
	return last.layer.atKey(last.key)
}

// loader turns the layers of a source into stages.
type loader struct {
	*report
	src    *Source
	deps   component.Deps
	tables map[string][]table // of [stage.NAME], by name, in the order of layers
	lists  map[string]list    // by pipeline
	warn   []string

	semantic      bool
	embedderNames []string // of all tables, usable or not
}

// list is the stages of a pipeline, from the last layer that has one.
type list struct {
	stages []string
	at     place
}

// pipelines reads the lists of stages.
func (ld *loader) pipelines(kinds []kind) {
	var known []string
	for _, k := range kinds {
		known = append(known, k.pipeline)
	}
	for _, l := range ld.src.layers {
		ld.section(l, "pipeline", func(name string, t table) {
			if !slices.Contains(known, name) {
				ld.add(l.atKey(t.key), "no pipeline %q%s", name, hint(name, known))
				return
			}
			var p struct {
				Stages []string `toml:"stages"`
			}
			before := len(ld.list)
			ld.decode(t, &p)
			if _, ok := t.keys["stages"]; !ok || len(ld.list) > before && p.Stages == nil {
				return
			}
			at := t.place("stages")
			for i, s := range p.Stages {
				if slices.Index(p.Stages, s) < i {
					ld.add(at, "pipeline.%s lists %q twice", name, s)
				}
			}
			ld.lists[name] = list{slices.Compact(p.Stages), at}
		})
	}
}

// insert puts the stages of plugins behind those that they name, unless a list has them
// already.
func (ld *loader) insert(plugins []Plugin) {
	l, ok := ld.lists[recallPipeline]
	if !ok {
		return
	}
	l.stages = slices.Clone(l.stages)
	wait := slices.DeleteFunc(slices.Clone(plugins), func(p Plugin) bool { return p.After == "" || slices.Contains(l.stages, p.Name) })
	for n := -1; n != len(wait); { // one may stand behind another
		n = len(wait)
		wait = slices.DeleteFunc(wait, func(p Plugin) bool {
			at := slices.Index(l.stages, p.After)
			if at >= 0 {
				l.stages = slices.Insert(l.stages, at+1, p.Name)
			}
			return at >= 0
		})
	}
	for _, p := range wait {
		ld.add(p.after, "pipeline.recall has no stage %q%s", p.After, hint(p.After, l.stages))
	}
	ld.lists[recallPipeline] = l
}

// gather collects the [stage.NAME] tables, with those that [orma] stands for.
func (ld *loader) gather(kinds []kind) {
	for _, l := range ld.src.layers {
		ld.section(l, "stage", func(name string, t table) { ld.tables[name] = append(ld.tables[name], t) })
	}
	ld.aliases(kinds)
	var listed []string
	for _, k := range kinds {
		listed = append(listed, ld.lists[k.pipeline].stages...)
	}
	for name, tables := range ld.tables {
		if slices.Contains(listed, name) {
			continue
		}
		for _, t := range tables {
			// A profile's table may be left over when a file has another list.
			if t.layer.origin != builtin {
				ld.add(t.layer.atKey(t.key), "no pipeline lists stage %q%s", name, hint(name, listed))
			}
		}
	}
}

// use returns the type of a stage: what the last layer says, or the stage's name.
// The tables that count are those from the layer that chose it on.
func (ld *loader) use(name string) (use string, tables []table) {
	use, tables = name, ld.tables[name]
	for i, t := range tables {
		var u string
		if p, ok := t.keys["use"]; ok && t.layer.md.PrimitiveDecode(p, &u) == nil && u != use {
			use, tables = u, ld.tables[name][i:]
		}
	}
	return use, tables
}

// stage reads one stage of a pipeline and builds it. ok is false, and the problem
// reported, if it cannot be used.
func (ld *loader) stage(k kind, others []kind, name string) (*stage, bool) {
	list := ld.lists[k.pipeline].at
	s := &stage{name: name, common: common{Enabled: true}}
	s.Use, s.tables = ld.use(name)
	typ, ok := k.lookup(s.Use)
	if !ok {
		at := list
		for _, t := range s.tables {
			if _, ok := t.keys["use"]; ok {
				at = t.place("use")
			}
		}
		for _, o := range others {
			if _, elsewhere := o.lookup(s.Use); elsewhere {
				ld.add(at, "%q is a stage type of pipeline.%s, not of pipeline.%s", s.Use, o.pipeline, k.pipeline)
				return nil, false
			}
		}
		ld.add(at, "no stage type %q%s", s.Use, hint(s.Use, k.names))
		return nil, false
	}
	s.typ, s.params = typ, typ.newParams()
	if spec, ok := typ.spec.(pipeline.Spec); ok {
		s.TimeoutMS = int(spec.Timeout.Milliseconds())
	}
	before := len(ld.list)
	shared := []any{&s.common}
	if k.recall {
		shared = append(shared, &s.recallCommon)
	}
	for _, t := range s.tables {
		ld.decode(t, append([]any{s.params}, shared...)...)
	}
	s.Use = typ.Name
	ld.validate(s.params, s.tables, list)
	ld.validate(&s.recallCommon, s.tables, list)
	if len(ld.list) > before {
		return s, false
	}
	built, err := typ.build(s.params, ld.deps)
	if err != nil {
		ld.add(s.place(list), "[stage.%s] %v", name, err)
		return s, false
	}
	s.built = built
	return s, true
}

// stages reads all stages of a pipeline, in order. ok is false if one of them cannot
// be used.
func (ld *loader) stages(k kind, others []kind) (out []*stage, ok bool) {
	ok = true
	for _, name := range ld.lists[k.pipeline].stages {
		s, good := ld.stage(k, others, name)
		ok = ok && good
		if s != nil {
			out = append(out, s)
		}
	}
	return out, ok
}

package config

import (
	"cmp"
	"slices"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
)

// Registries hold the types that a configuration can name.
type Registries struct {
	Recall    pipeline.Registry
	Sleep     sleep.Registry
	Embedders EmbedderRegistry
	// Extractors are those of plugins; the built-in ones have no parameters here.
	Extractors ExtractorRegistry
}

// EmbedderRegistry holds embedder types by name.
type EmbedderRegistry = component.Registry[component.Spec[embed.Embedder]]

// The pipelines.
const (
	recallPipeline = "recall"
	sleepPipeline  = "sleep"
)

// DefaultEmbedder is the [embedder.NAME] that stages mean which name none.
const DefaultEmbedder = "default"

// packFolder is the folder of the stage that writes the block.
const packFolder = "pack"

// Config is a configuration that has been checked and built.
type Config struct {
	Settings
	Profile    string // the built-in one under everything
	Recall     *pipeline.Pipeline
	Sleep      []sleep.Step
	Embedders  []Embedder  // by name; those that are switched off are not among them
	Extractors []Extractor // by name, likewise
	Plugins    []Plugin    // by name
	Semantic   bool        // false: passages only, no states or events in recall, no sleep
	Warnings   []string    // what has no effect

	recall, sleep []*stage // with those that are off
	embedders     []*tabled[embed.Embedder]
	extractors    []*tabled[sleep.Extractor]
}

// Listed is a stage of the recall pipeline, on or off.
type Listed struct {
	Name    string // of its table
	Folder  string
	Summary string
	On      bool
}

// RecallList lists the stages of the recall pipeline in its order, those that are off too.
func (c *Config) RecallList() []Listed {
	out := make([]Listed, 0, len(c.recall))
	for _, s := range c.recall {
		l := Listed{Name: s.name, Summary: s.typ.Summary, On: s.Enabled}
		if spec, ok := s.typ.spec.(pipeline.Spec); ok {
			l.Folder = spec.Folder
		}
		out = append(out, l)
	}
	return out
}

// Pack returns the stage that writes the block: the last of the recall pipeline.
func (c *Config) Pack() pipeline.Stage {
	steps := c.Recall.Steps()
	return steps[len(steps)-1].Stage
}

// Embedder is an [embedder.NAME] table. It is built when it is needed: some take
// seconds to open.
type Embedder struct {
	Name string
	Use  string
	e    *tabled[embed.Embedder]
	deps component.Deps
}

// Build makes the embedder.
func (e Embedder) Build() (embed.Embedder, error) { return e.e.spec.Build(e.e.params, e.deps) }

// Load checks every layer against the registries and builds the stages. The error
// has code [core.CodeConfig] and lists every problem, those of [Read] included.
func (s *Source) Load(reg Registries, d component.Deps) (*Config, error) {
	r := &report{slices.Clone(s.report.list)}
	if d.Dir == "" {
		d.Dir = s.dir()
	}
	ld := &loader{report: r, src: s, deps: d, tables: map[string][]table{}, lists: map[string]list{}, semantic: true}
	s.top(r)
	c := &Config{Profile: s.profile, Settings: s.settings(r), Plugins: s.plugins(r)}
	kinds := []kind{recallKind(reg.Recall), sleepKind(reg.Sleep)}
	ld.pipelines(kinds)
	ld.insert(c.Plugins)
	ld.gather(kinds)
	ld.embedders(c, reg.Embedders)
	ld.extractors(c, reg.Extractors)

	var recallOK bool
	c.recall, recallOK = ld.stages(kinds[0], kinds[1:])
	c.sleep, _ = ld.stages(kinds[1], kinds[:1])
	c.Semantic, c.Warnings = ld.semantic, ld.warn
	if recallOK {
		c.Recall = ld.recall(c.recall)
	}
	for _, st := range c.sleep {
		if spec, ok := st.typ.spec.(sleep.Spec); ok && st.Enabled && st.built != nil {
			c.Sleep = append(c.Sleep, sleep.Step{Name: st.name, Spec: spec, Stage: st.built.(sleep.Stage)})
		}
	}
	ld.checkEmbedders(c)
	if err := r.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// dir is where relative paths start: the folder of the last file.
func (s *Source) dir() string {
	for _, l := range slices.Backward(s.layers) {
		if l.dir != "" {
			return l.dir
		}
	}
	return ""
}

func recallKind(reg pipeline.Registry) kind {
	return kind{recallPipeline, reg.Names(), func(use string) (stageType, bool) {
		spec, ok := reg.Lookup(use)
		return stageType{spec.About, spec.NewParams, func(p any, d component.Deps) (any, error) { return spec.Build(p, d) }, spec}, ok
	}, true}
}

func sleepKind(reg sleep.Registry) kind {
	return kind{sleepPipeline, reg.Names(), func(use string) (stageType, bool) {
		spec, ok := reg.Lookup(use)
		return stageType{spec.About, spec.NewParams, func(p any, d component.Deps) (any, error) { return spec.Build(p, d) }, spec}, ok
	}, false}
}

// recall checks the order of the recall pipeline and makes it.
func (ld *loader) recall(stages []*stage) *pipeline.Pipeline {
	at := ld.lists[recallPipeline].at
	if _, ok := ld.lists[recallPipeline]; !ok {
		if len(ld.list) == 0 {
			ld.add(place{file: "configuration"}, "no [pipeline.recall] lists stages")
		}
		return nil
	}
	var on, off []pipeline.Step
	packs := 0
	for i, s := range stages {
		spec := s.typ.spec.(pipeline.Spec)
		step := pipeline.Step{
			Name: s.name, Spec: spec, Stage: s.built.(pipeline.Stage), Required: s.Required,
			Timeout: time.Duration(s.TimeoutMS) * time.Millisecond,
		}
		switch {
		case spec.Folder == packFolder && !s.Enabled:
			ld.add(s.at("enabled", at), "%s cannot be switched off: it writes the block", s.name)
			packs++
		case spec.Folder == packFolder && i < len(stages)-1:
			ld.add(at, "%s writes the block and must be the last stage of pipeline.recall", s.name)
			packs++
		case spec.Folder == packFolder:
			packs++
		}
		if s.Enabled {
			on = append(on, step)
		} else {
			off = append(off, step)
		}
	}
	if packs != 1 {
		ld.add(at, "pipeline.recall must have one stage that writes the block, such as pack; it has %d", packs)
	}
	p, err := pipeline.New(recallPipeline, frame.Base(), on, off)
	for _, e := range flatten(err) {
		ld.add(at, "%v", e)
	}
	return p
}

// at returns the place of a key in the last table that sets it.
func (s *stage) at(key string, list place) place {
	for _, t := range slices.Backward(s.tables) {
		if _, ok := t.keys[key]; ok {
			return t.place(key)
		}
	}
	return s.place(list)
}

// embedders reads the [embedder.NAME] tables.
func (ld *loader) embedders(c *Config, reg EmbedderRegistry) {
	c.embedders, ld.embedderNames = named(ld, "embedder", reg)
	for _, e := range c.embedders {
		if e.Enabled {
			c.Embedders = append(c.Embedders, Embedder{Name: e.name, Use: e.Use, e: e, deps: ld.deps})
		}
	}
}

func missingUse(name, use string) string {
	if name == use {
		return "; say which with use"
	}
	return ""
}

// checkEmbedders reports stages that name an embedder which is not there.
func (ld *loader) checkEmbedders(c *Config) {
	names := ld.embedderNames
	for _, s := range c.recall {
		u, ok := s.built.(pipeline.VectorUser)
		if !ok || u.Embedder() == "" || slices.Contains(names, u.Embedder()) {
			continue
		}
		ld.add(s.at("embedder", ld.lists[recallPipeline].at), "no [embedder.%s] for stage %q%s", u.Embedder(), s.name, hint(u.Embedder(), names))
	}
}

// Embedder returns the embedder that stages call by a name; "" means the default
// one. It is false when there is none, or it is switched off: text search goes on
// without.
func (c *Config) Embedder(name string) (Embedder, bool) {
	i := slices.IndexFunc(c.Embedders, func(e Embedder) bool { return e.Name == cmp.Or(name, DefaultEmbedder) })
	if i < 0 {
		return Embedder{}, false
	}
	return c.Embedders[i], true
}

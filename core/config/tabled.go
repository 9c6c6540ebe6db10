package config

import (
	"cmp"
	"slices"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/sleep"
)

// ExtractorRegistry holds extractor types by name.
type ExtractorRegistry = component.Registry[component.Spec[sleep.Extractor]]

// Extractor is an [extractor.NAME] table.
type Extractor struct {
	Name string
	Use  string
	e    *tabled[sleep.Extractor]
	deps component.Deps
}

// Build makes the extractor.
func (x Extractor) Build() (sleep.Extractor, error) { return x.e.spec.Build(x.e.params, x.deps) }

// extractors reads the [extractor.NAME] tables.
func (ld *loader) extractors(c *Config, reg ExtractorRegistry) {
	c.extractors, _ = named(ld, "extractor", reg)
	for _, e := range c.extractors {
		if e.Enabled {
			c.Extractors = append(c.Extractors, Extractor{Name: e.name, Use: e.Use, e: e, deps: ld.deps})
		}
	}
}

// tabled is a component with a table of its own, such as [embedder.NAME], as read.
type tabled[T any] struct {
	common
	name   string
	spec   component.Spec[T]
	params any
	tables []table
}

// named reads the named tables of a section, in the order of their names. It returns
// those that can be used, and the names of all.
func named[T any](ld *loader, section string, reg component.Registry[component.Spec[T]]) (out []*tabled[T], order []string) {
	byName := map[string][]table{}
	for _, l := range ld.src.layers {
		ld.section(l, section, func(name string, t table) {
			if !slices.Contains(order, name) {
				order = append(order, name)
			}
			byName[name] = append(byName[name], t)
		})
	}
	slices.Sort(order)
	stages := ld.tables
	ld.tables = byName // for use
	defer func() { ld.tables = stages }()
	for _, name := range order {
		e := &tabled[T]{name: name, common: common{Enabled: true}}
		e.Use, e.tables = ld.use(name)
		last := e.tables[len(e.tables)-1]
		spec, ok := reg.Lookup(e.Use)
		if !ok {
			ld.add(last.place("use"), "no %s type %q%s", section, e.Use, cmp.Or(hint(e.Use, reg.Names()), missingUse(name, e.Use)))
			continue
		}
		e.spec, e.params = spec, spec.NewParams()
		before := len(ld.list)
		for _, t := range e.tables {
			ld.decode(t, e.params, &e.common)
		}
		e.Use = spec.Name
		ld.validate(e.params, e.tables, place{})
		if len(ld.list) == before {
			out = append(out, e)
		}
	}
	return out, order
}

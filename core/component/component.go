// Package component describes things a configuration can name: recall stages,
// sleep stages, embedders and extractors.
//
// Every kind is declared the same way, as a [Spec]: words for people, a struct of
// default parameters for the decoder, and a constructor. There is one generic
// registry instead of one per kind.
package component

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"regexp"
	"slices"
)

// About is the part of a spec that people read.
type About struct {
	Name    string // lower_snake_case; the value of "use" in TOML
	Summary string // one line, no full stop
	Doc     string // the rest, in Markdown
}

// Deps is what the program lends a component while it is built. A component takes
// what it needs and keeps nothing else.
type Deps struct {
	Log  *slog.Logger
	Dir  string // folder that relative paths in the configuration start from
	Home string // Orma's own folder, for caches and models
}

// Spec declares one component type that builds a T.
type Spec[T any] struct {
	About
	defaults any // a struct
	build    func(params any, d Deps) (T, error)
}

// Define returns a spec with typed parameters. P is a struct whose fields carry
// toml and doc tags; defaults stands for every key the configuration leaves out.
// If *P has a Validate() error method, it runs before build.
func Define[P, T any](a About, defaults P, build func(P, Deps) (T, error)) Spec[T] {
	return DefineDynamic(a, defaults, func(v any, d Deps) (T, error) {
		p := v.(P)
		if c, ok := any(&p).(interface{ Validate() error }); ok {
			if err := c.Validate(); err != nil {
				var zero T
				return zero, err
			}
		}
		return build(p, d)
	})
}

// DefineDynamic is [Define] for parameters whose type is only known at run time,
// such as those in a plugin's manifest. defaults is a struct.
func DefineDynamic[T any](a About, defaults any, build func(params any, d Deps) (T, error)) Spec[T] {
	return Spec[T]{About: a, defaults: defaults, build: build}
}

// NewParams returns a pointer to a fresh copy of the defaults, for a decoder.
func (s Spec[T]) NewParams() any {
	p := reflect.New(reflect.TypeOf(s.defaults))
	p.Elem().Set(reflect.ValueOf(s.defaults))
	return p.Interface()
}

// Build makes a component from what [Spec.NewParams] returned, or from a value
// of the parameter type itself.
func (s Spec[T]) Build(params any, d Deps) (T, error) {
	if v := reflect.ValueOf(params); v.Kind() == reflect.Pointer {
		params = v.Elem().Interface()
	}
	c, err := s.build(params, d)
	if err != nil {
		return c, fmt.Errorf("%s: %w", s.Name, err)
	}
	return c, nil
}

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// check reports what is wrong with the spec itself.
func (s Spec[T]) check() (About, error) {
	switch {
	case !nameRE.MatchString(s.Name):
		return s.About, fmt.Errorf("name %q is not lower_snake_case", s.Name)
	case s.build == nil || s.defaults == nil:
		return s.About, fmt.Errorf("%s was not made by Define", s.Name)
	}
	return s.About, nil
}

// Registry maps names to specs of one kind. It never changes once made.
type Registry[S interface{ check() (About, error) }] struct{ specs map[string]S }

// NewRegistry returns a registry of specs, and every problem with them.
func NewRegistry[S interface{ check() (About, error) }](specs ...S) (Registry[S], error) {
	r := Registry[S]{make(map[string]S, len(specs))}
	var errs []error
	for _, s := range specs {
		a, err := s.check()
		if _, dup := r.specs[a.Name]; dup && err == nil {
			err = fmt.Errorf("%s is registered twice", a.Name)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r.specs[a.Name] = s
	}
	return r, errors.Join(errs...)
}

// Names returns the names of all specs, sorted.
func (r Registry[S]) Names() []string { return slices.Sorted(maps.Keys(r.specs)) }

// Lookup returns the spec called name.
func (r Registry[S]) Lookup(name string) (S, bool) {
	s, ok := r.specs[name]
	return s, ok
}

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// document is what the clients need of the OpenAPI document.
type document struct {
	types  []object // by name
	enums  []enum
	routes []operation
}

// object is a JSON object with named fields.
type object struct {
	name   string
	fields []field
	sent   bool // part of a request
	given  bool // part of an answer
}

// field is a property of an object.
type field struct {
	name, about string
	required    bool
	of          typ
}

// typ is the type of a value.
type typ struct {
	kind  string // string, time, integer, number, boolean, any, array, map, object, enum
	name  string // of an object or an enum
	items *typ   // of an array or a map
}

// enum is a string with known values.
type enum struct {
	name   string
	values []string
}

// operation is one route.
type operation struct{ id, method, path string }

// schema is a JSON schema, as far as the API uses it.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       string            `json:"type"`
	Format     string            `json:"format"`
	About      string            `json:"description"`
	Enum       []string          `json:"enum"`
	Items      *schema           `json:"items"`
	Values     *schema           `json:"additionalProperties"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

// media is the JSON content of a body or an answer.
type media struct {
	Content map[string]struct{ Schema schema }
}

// source is an OpenAPI document.
type source struct {
	Paths map[string]map[string]struct {
		ID        string `json:"operationId"`
		Body      media  `json:"requestBody"`
		Responses map[string]media
	}
	Components struct{ Schemas map[string]schema }
}

const refPrefix = "#/components/schemas/"

// read takes an OpenAPI document apart. It fails on what the clients could not express.
func read(data []byte) (*document, error) {
	var src source
	if err := json.Unmarshal(data, &src); err != nil {
		return nil, err
	}
	d := &document{}
	sent, given := map[string]bool{}, map[string]bool{}
	for path, methods := range src.Paths {
		for method, op := range methods {
			d.routes = append(d.routes, operation{op.ID, strings.ToUpper(method), path})
			src.reach(op.Body, sent)
			for _, r := range op.Responses {
				src.reach(r, given)
			}
		}
	}
	slices.SortFunc(d.routes, func(a, b operation) int { return strings.Compare(a.id, b.id) })
	for _, name := range slices.Sorted(maps.Keys(src.Components.Schemas)) {
		o := object{name: name, sent: sent[name], given: given[name]}
		s := src.Components.Schemas[name]
		for _, f := range order(&s) {
			of, err := d.typeOf(s.Properties[f], f)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", name, f, err)
			}
			o.fields = append(o.fields, field{f, s.Properties[f].About, slices.Contains(s.Required, f), of})
		}
		d.types = append(d.types, o)
	}
	return d, nil
}

// order lists fields: those that are always there as the server writes them, then the
// others by name.
func order(s *schema) []string {
	names := slices.Clone(s.Required)
	for _, n := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// reach marks the objects that a body or an answer is made of.
func (s *source) reach(m media, seen map[string]bool) {
	for _, c := range m.Content {
		s.mark(&c.Schema, seen)
	}
}

func (s *source) mark(x *schema, seen map[string]bool) {
	if x == nil {
		return
	}
	if name, ok := strings.CutPrefix(x.Ref, refPrefix); ok && !seen[name] {
		seen[name] = true
		next := s.Components.Schemas[name]
		s.mark(&next, seen)
	}
	s.mark(x.Items, seen)
	s.mark(x.Values, seen)
	for _, p := range x.Properties {
		s.mark(&p, seen)
	}
}

// typeOf returns the type of a field. Enums have the name of the field that they are
// first seen in, and one name has one set of values.
func (d *document) typeOf(s schema, name string) (typ, error) {
	switch {
	case s.Ref != "":
		return typ{kind: "object", name: strings.TrimPrefix(s.Ref, refPrefix)}, nil
	case len(s.Enum) > 0:
		e := enum{upper(name), s.Enum}
		if i := slices.IndexFunc(d.enums, func(o enum) bool { return o.name == e.name }); i < 0 {
			d.enums = append(d.enums, e)
		} else if !slices.Equal(d.enums[i].values, e.values) {
			return typ{}, fmt.Errorf("two enums are named %s", e.name)
		}
		return typ{kind: "enum", name: e.name}, nil
	case s.Type == "string" && s.Format == "date-time":
		return typ{kind: "time"}, nil
	case s.Type == "array" && s.Items != nil:
		of, err := d.typeOf(*s.Items, name)
		return typ{kind: "array", items: &of}, err
	case s.Type == "object" && s.Values != nil:
		of, err := d.typeOf(*s.Values, name)
		return typ{kind: "map", items: &of}, err
	case s.Type == "":
		return typ{kind: "any"}, nil
	case slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type):
		return typ{kind: s.Type}, nil
	}
	return typ{}, fmt.Errorf("type %q cannot be expressed", s.Type)
}

// upper makes a_name AName.
func upper(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// lower makes a_name aName.
func lower(name string) string {
	u := upper(name)
	return strings.ToLower(u[:1]) + u[1:]
}

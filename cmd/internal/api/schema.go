package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// schemas collects the JSON schemas of Go types, as encoding/json writes them.
type schemas struct {
	defs map[string]any
	seen map[string]reflect.Type
}

// of returns the schema of a type; structs become named ones.
func (s *schemas) of(t reflect.Type) map[string]any {
	switch t {
	case typeOf[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case typeOf[json.RawMessage]():
		return map[string]any{}
	case typeOf[core.Kind]():
		return enum(core.Kinds())
	case typeOf[core.Role]():
		return enum(core.Roles())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int8, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.named(t)
	}
	panic(fmt.Sprintf("no schema for %s", t))
}

func enum[T ~string](words []T) map[string]any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return map[string]any{"type": "string", "enum": out}
}

func (s *schemas) named(t reflect.Type) map[string]any {
	name := t.Name()
	if t.PkgPath() != "" && strings.HasSuffix(t.PkgPath(), "/sleep") && !strings.HasPrefix(name, "Sleep") {
		name = "Sleep" + name
	}
	ref := map[string]any{"$ref": "#/components/schemas/" + name}
	if s.seen == nil {
		s.seen = map[string]reflect.Type{}
	}
	if had, ok := s.seen[name]; ok {
		if had != t {
			panic(fmt.Sprintf("two types are named %s: %s and %s", name, had, t))
		}
		return ref
	}
	s.seen[name] = t
	props, required := map[string]any{}, []any{}
	s.fields(t, true, func(field string, schema map[string]any, must bool) {
		props[field] = schema
		if must {
			required = append(required, field)
		}
	})
	def := map[string]any{"type": "object", "properties": props}
	if len(required) > 0 {
		def["required"] = required
	}
	s.defs[name] = def
	return ref
}

// fields calls add for each field that encoding/json writes, embedded ones included.
// must says that it is always there.
func (s *schemas) fields(t reflect.Type, must bool, add func(string, map[string]any, bool)) {
	for f := range fieldsOf(t) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if f.Anonymous && name == "" {
			s.fields(f.Type, must && f.Tag.Get("openapi") != "optional", add)
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("field %s of %s has no json tag", f.Name, t))
		}
		schema := s.of(f.Type)
		if doc := f.Tag.Get("doc"); doc != "" {
			schema["description"] = doc
		}
		add(name, schema, must && !strings.Contains(opts, "omit"))
	}
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// filled returns a copy of an answer in which empty lists and maps are empty rather
// than null, so that clients need not tell the two apart.
func filled(v any) any {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return v
	}
	c := reflect.New(rv.Type()).Elem()
	c.Set(rv)
	fill(c)
	return c.Interface()
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == typeOf[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Pointer || k == reflect.Slice {
				fill(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	}
}

package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// table is one layer's keys of a named table.
type table struct {
	layer *layer
	key   toml.Key // such as stage.bm25
	prim  toml.Primitive
	keys  map[string]toml.Primitive
}

// open reads a value that must be a table. ok is false, and the problem reported,
// when it is not.
func (r *report) open(l *layer, key toml.Key, p toml.Primitive) (t table, ok bool) {
	t = table{layer: l, key: key, prim: p}
	if err := l.md.PrimitiveDecode(p, &t.keys); err != nil || t.keys == nil {
		r.add(l.at(p), "%s must be a table, [%s]", key, key)
		return t, false
	}
	return t, true
}

// section reads a table of named tables, such as stage, and gives each to use.
func (r *report) section(l *layer, name string, use func(name string, t table)) {
	p, ok := l.top[name]
	if !ok {
		return
	}
	outer, ok := r.open(l, toml.Key{name}, p)
	if !ok {
		return
	}
	for _, sub := range l.names(outer.keys, name) {
		if t, ok := r.open(l, toml.Key{name, sub}, outer.keys[sub]); ok {
			use(sub, t)
		}
	}
}

func (t *table) name() string {
	if len(t.key) == 0 {
		return "top level"
	}
	return t.key.String()
}

// place returns where a key of the table stands, or the table if it is not in it.
func (t *table) place(name string) place {
	if p, ok := t.keys[name]; ok {
		return t.layer.at(p)
	}
	return t.layer.atKey(t.key)
}

// decode sets the fields of the structs that dst points to from the keys of the
// table. Names must match exactly: the library would also take "Weight" for
// "weight". Each key is decoded by itself, so that one mistake hides no other.
func (r *report) decode(t table, dst ...any) {
	for _, name := range t.layer.names(t.keys, t.key...) {
		p := t.keys[name]
		field, ok := fieldOf(name, dst...)
		if !ok {
			r.add(t.layer.at(p), "unknown key %q in [%s]%s", name, t.name(), hint(name, fields(dst...)))
			continue
		}
		before := reflect.New(field.Type()).Elem()
		before.Set(field)
		err := t.layer.md.PrimitiveDecode(p, field.Addr().Interface())
		switch {
		case err != nil && strings.Contains(err.Error(), "out of range"):
			r.add(t.layer.at(p), "[%s] %s is out of range", t.name(), name)
		case err != nil:
			r.add(t.layer.at(p), "[%s] %s must be %s", t.name(), name, wanted(field))
		case !finite(field):
			r.add(t.layer.at(p), "[%s] %s must be finite", t.name(), name)
		default:
			continue
		}
		field.Set(before)
	}
}

// fieldOf returns the field with a toml name.
func fieldOf(name string, structs ...any) (reflect.Value, bool) {
	for _, s := range structs {
		v := reflect.ValueOf(s).Elem()
		for i := range v.NumField() {
			if name != "" && tag(v.Type().Field(i)) == name {
				return v.Field(i), true
			}
		}
	}
	return reflect.Value{}, false
}

// fields returns the toml names of the fields of structs.
func fields(structs ...any) []string {
	var names []string
	for _, s := range structs {
		for f := range reflect.TypeOf(s).Elem().Fields() {
			if name := tag(f); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

func tag(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("toml"), ","); name != "-" {
		return name
	}
	return ""
}

func finite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case reflect.Slice:
		for i := range v.Len() {
			if !finite(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !finite(it.Value()) {
				return false
			}
		}
	}
	return true
}

// wanted says in words what a field holds.
func wanted(v reflect.Value) string {
	if d, ok := v.Addr().Interface().(interface{ wanted() string }); ok {
		return d.wanted()
	}
	switch v.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text in quotes"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	case reflect.Slice, reflect.Array:
		return "a list, each " + wanted(reflect.New(v.Type().Elem()).Elem())
	case reflect.Map:
		return "a table, each value " + wanted(reflect.New(v.Type().Elem()).Elem())
	}
	return fmt.Sprintf("a %s", v.Type())
}

// validate runs the Validate method of v, if it has one, and reports each of its
// errors at the key that it names.
func (r *report) validate(v any, tables []table, otherwise place) bool {
	c, ok := v.(interface{ Validate() error })
	if !ok {
		return true
	}
	err := c.Validate()
	for _, e := range flatten(err) {
		at := otherwise
		if len(tables) > 0 {
			at = keyed(e.Error(), fields(v), tables)
			r.add(at, "[%s] %v", tables[0].key, e)
		} else {
			r.add(at, "%v", e)
		}
	}
	return err == nil
}

// keyed returns the place of the key that a message names first, in the last table
// that sets it, or else the last table.
func keyed(message string, names []string, tables []table) place {
	for _, word := range strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if !slices.Contains(names, word) {
			continue
		}
		for _, t := range slices.Backward(tables) {
			if _, ok := t.keys[word]; ok {
				return t.place(word)
			}
		}
	}
	last := tables[len(tables)-1]
	return last.layer.atKey(last.key)
}

// flatten returns the errors that errors.Join put together.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, e := range j.Unwrap() {
			out = append(out, flatten(e)...)
		}
		return out
	}
	return []error{err}
}

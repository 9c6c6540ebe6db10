package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// TOML returns the effective configuration: every key with its value, in a fixed
// order. Loaded with nothing under it, it gives the same configuration again.
func (c *Config) TOML() string {
	var w writer
	w.line("profile", reflect.ValueOf(c.Profile))
	set := reflect.ValueOf(&c.Settings).Elem()
	for i := range set.NumField() {
		w.table(tag(set.Type().Field(i)))
		w.fields(set.Field(i))
	}
	if !c.Semantic {
		w.table("orma")
		w.line("enable_semantic", reflect.ValueOf(false))
	}
	for _, e := range c.embedders {
		w.table("embedder." + bareKey(e.name))
		w.fields(reflect.ValueOf(e.common))
		w.fields(reflect.ValueOf(e.params).Elem())
	}
	for _, e := range c.extractors {
		w.table("extractor." + bareKey(e.name))
		w.fields(reflect.ValueOf(e.common))
		w.fields(reflect.ValueOf(e.params).Elem())
	}
	for _, p := range c.Plugins {
		w.table("plugin." + bareKey(p.Name))
		w.fields(reflect.ValueOf(p))
	}
	w.pipeline(recallPipeline, c.recall, true)
	w.pipeline(sleepPipeline, c.sleep, false)
	return w.String()
}

// Digest returns the SHA-256 of the effective configuration in hexadecimal. Equal
// digests rank equally, given the same binary and plugins.
func (c *Config) Digest() string {
	sum := sha256.Sum256([]byte(c.TOML()))
	return hex.EncodeToString(sum[:])
}

// writer writes TOML.
type writer struct{ strings.Builder }

func (w *writer) pipeline(name string, stages []*stage, recall bool) {
	var names []string
	for _, s := range stages {
		names = append(names, s.name)
	}
	w.table("pipeline." + name)
	w.line("stages", reflect.ValueOf(names))
	for _, s := range stages {
		w.table("stage." + bareKey(s.name))
		w.fields(reflect.ValueOf(s.common))
		if recall {
			w.fields(reflect.ValueOf(s.recallCommon))
		}
		w.fields(reflect.ValueOf(s.params).Elem())
	}
}

func (w *writer) table(name string) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.WriteString("[" + name + "]\n")
}

func (w *writer) fields(v reflect.Value) {
	for i := range v.NumField() {
		if name := tag(v.Type().Field(i)); name != "" {
			w.line(name, v.Field(i))
		}
	}
}

func (w *writer) line(key string, v reflect.Value) {
	w.WriteString(bareKey(key) + " = " + value(v) + "\n")
}

// value writes one value.
func value(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return quote(v.String())
	case reflect.Float32:
		return float(v.Float(), 32)
	case reflect.Float64:
		return float(v.Float(), 64)
	case reflect.Interface, reflect.Pointer:
		return value(v.Elem())
	case reflect.Slice, reflect.Array:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = value(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

func float(f float64, bits int) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// quote writes a TOML basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

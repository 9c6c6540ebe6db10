package main

import (
	"fmt"
	"strings"
)

const typescriptHead = `// Request and response types, written by sdk/clientgen from docs/openapi.json.
// Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

import { reader, type Shapes } from "./read.js";
`

// typescript returns the module of types: answers in camelCase with functions that read
// them, requests as they are sent.
func typescript(d *document) string {
	var b strings.Builder
	b.WriteString(typescriptHead)
	for _, e := range d.enums {
		fmt.Fprintf(&b, "\nexport type %s = \"%s\";\n", e.name, strings.Join(e.values, `" | "`))
	}
	b.WriteString("\n/** Method and path of every operation. */\nexport const ROUTES = {\n")
	for _, r := range d.routes {
		fmt.Fprintf(&b, "  %s: [%q, %q],\n", r.id, r.method, r.path)
	}
	b.WriteString("} as const;\n")
	b.WriteString("\n// The fields of each answer, as read.ts takes them.\nconst SHAPES: Shapes = {\n")
	for _, o := range d.types {
		if o.given {
			var shape []string
			for _, f := range o.fields {
				shape = append(shape, f.name+typescriptShape(f.of))
			}
			fmt.Fprintf(&b, "  %s: %q,\n", o.name, strings.Join(shape, " "))
		}
	}
	b.WriteString("};\n")
	for _, o := range d.types {
		if o.given {
			typescriptAnswer(&b, &o)
		}
		if o.sent {
			typescriptBody(&b, &o)
		}
	}
	return b.String()
}

// typescriptShape says how a field is read, behind its name.
func typescriptShape(t typ) string {
	switch {
	case t.kind == "time":
		return "@"
	case t.kind == "boolean":
		return "?"
	case t.kind == "map":
		return "{}"
	case t.kind == "object":
		return ":" + t.name
	case t.kind == "array" && t.items.kind == "object":
		return "[" + t.items.name + "]"
	case t.kind == "array":
		return "[]"
	}
	return ""
}

func typescriptBody(b *strings.Builder, o *object) {
	name := bodyName(o)
	fmt.Fprintf(b, "\n/** Body of a request: %s. */\nexport interface %s {\n", name, name)
	for _, f := range o.fields {
		mark := "?"
		if f.required {
			mark = ""
		}
		fmt.Fprintf(b, "  %s%s: %s;\n", f.name, mark, typescriptType(f.of, true))
	}
	b.WriteString("}\n")
}

func typescriptAnswer(b *strings.Builder, o *object) {
	fmt.Fprintf(b, "\n/** Part of an answer of the server: %s. */\nexport interface %s {\n", o.name, o.name)
	for _, f := range o.fields {
		mark := ""
		if missing(f) {
			mark = "?"
		}
		if f.about != "" {
			fmt.Fprintf(b, "  /** %s */\n", f.about)
		}
		t := typescriptType(f.of, false)
		if missing(f) {
			t += " | undefined"
		}
		fmt.Fprintf(b, "  %s%s: %s;\n", lower(f.name), mark, t)
	}
	fmt.Fprintf(b, "}\n\n/** Reads %s from decoded JSON. */\nexport const read%s = reader<%s>(SHAPES, %q);\n", o.name, o.name, o.name, o.name)
}

// missing reports whether a field may be undefined: lists, maps and flags never are.
func missing(f field) bool {
	return !f.required && f.of.kind != "array" && f.of.kind != "map" && f.of.kind != "boolean"
}

func typescriptType(t typ, sent bool) string {
	switch t.kind {
	case "string":
		return "string"
	case "time":
		if sent {
			return "string"
		}
		return "Date"
	case "integer", "number":
		return "number"
	case "boolean":
		return "boolean"
	case "array":
		return "Array<" + typescriptType(*t.items, sent) + ">"
	case "map":
		return "Record<string, " + typescriptType(*t.items, sent) + ">"
	case "any":
		return "unknown"
	}
	return t.name
}

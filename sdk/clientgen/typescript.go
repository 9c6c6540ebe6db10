package main

import (
	"fmt"
	"strings"
)

const typescriptHead = `// Request and response types, written by sdk/clientgen from docs/openapi.json.
// Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

/** A decoded JSON object. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = Record<string, any>;
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
	fmt.Fprintf(b, "}\n\n/** Reads %s from decoded JSON. */\nexport function read%s(d: Json): %s {\n  return {\n", o.name, o.name, o.name)
	for _, f := range o.fields {
		fmt.Fprintf(b, "    %s: %s,\n", lower(f.name), typescriptRead(f))
	}
	b.WriteString("  };\n}\n")
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

func typescriptRead(f field) string {
	at := "d." + f.name
	value := typescriptValue(f.of, at)
	switch {
	case f.of.kind == "array": // old answers may hold null
		return at + " ? " + value + " : []"
	case f.required:
		return value
	case f.of.kind == "map":
		return at + " ? " + value + " : {}"
	case f.of.kind == "boolean":
		return at + " ?? false"
	case value != at:
		return at + " === undefined ? undefined : " + value
	}
	return at
}

func typescriptValue(t typ, at string) string {
	switch {
	case t.kind == "time":
		return "new Date(" + at + ")"
	case t.kind == "object":
		return "read" + t.name + "(" + at + ")"
	case t.kind == "array" && !plain(*t.items):
		return at + ".map((x: never) => " + typescriptValue(*t.items, "x") + ")"
	}
	return at
}

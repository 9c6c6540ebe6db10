package main

import (
	"fmt"
	"slices"
	"strings"
)

const pythonHead = `"""Request and response types, written by sdk/clientgen from docs/openapi.json."""

# Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ._record import Record
from ._time import parse_time
`

// python returns the module of types: answers as dataclasses, requests as typed
// dictionaries.
func python(d *document) string {
	var b strings.Builder
	b.WriteString(pythonHead)
	for _, e := range d.enums {
		fmt.Fprintf(&b, "\n%s = Literal[\"%s\"]", e.name, strings.Join(e.values, `", "`))
	}
	b.WriteString("\n\n# Method and path of every operation.\nROUTES: dict[str, tuple[str, str]] = {\n")
	for _, r := range d.routes {
		fmt.Fprintf(&b, "    %q: (%q, %q),\n", r.id, r.method, r.path)
	}
	b.WriteString("}\n")
	for _, o := range d.types {
		if o.given {
			pythonAnswer(&b, &o)
		}
	}
	pythonBodies(&b, d)
	return b.String()
}

// pythonBodies writes what is sent. To make the classes takes a program's start longer
// than it helps anyone, so they are there for type checkers only.
func pythonBodies(b *strings.Builder, d *document) {
	b.WriteString("\n\nif TYPE_CHECKING:\n    from typing import TypedDict\n")
	for _, o := range d.types {
		if o.sent {
			pythonBody(b, &o)
		}
	}
	b.WriteString("\nelse:\n")
	for _, o := range d.types {
		if o.sent {
			fmt.Fprintf(b, "    %s = dict\n", bodyName(&o))
		}
	}
}

func pythonBody(b *strings.Builder, o *object) {
	fmt.Fprintf(b, "\n    class %s(TypedDict, total=False):\n", bodyName(o))
	fmt.Fprintf(b, "        \"\"\"Body of a request: %s.\"\"\"\n\n", bodyName(o))
	for _, f := range o.fields {
		fmt.Fprintf(b, "        %s: %s\n", f.name, pythonType(f.of, true))
	}
}

// bodyName keeps what is sent apart from what is given.
func bodyName(o *object) string {
	if o.given {
		return o.name + "Body"
	}
	return o.name
}

// pythonAnswer writes a dataclass. Its __init__ is written out and the rest is in a base
// class: for dataclasses to make all that anew takes a program's start 40 ms.
func pythonAnswer(b *strings.Builder, o *object) {
	b.WriteString("\n\n@dataclass(init=False, repr=False, eq=False, match_args=False)\n")
	fmt.Fprintf(b, "class %s(Record):\n    \"\"\"Part of an answer of the server: %s.\"\"\"\n\n", o.name, o.name)
	for _, f := range o.fields {
		fmt.Fprintf(b, "    %s: %s\n", pythonName(f.name), pythonField(f))
		if f.about != "" {
			fmt.Fprintf(b, "    \"\"\"%s\"\"\"\n", f.about)
		}
	}
	b.WriteString("\n    def __init__(\n        self,\n        *,\n")
	for _, f := range o.fields {
		fmt.Fprintf(b, "        %s: %s,\n", pythonName(f.name), pythonArgument(f))
	}
	b.WriteString("    ) -> None:\n")
	for _, f := range o.fields {
		value := pythonName(f.name)
		if !f.required && f.of.kind == "array" {
			value += " or []"
		} else if !f.required && f.of.kind == "map" {
			value += " or {}"
		}
		fmt.Fprintf(b, "        self.%s = %s\n", pythonName(f.name), value)
	}
	fmt.Fprintf(b, "\n    @classmethod\n    def from_json(cls, d: Mapping[str, Any]) -> %s:\n", o.name)
	fmt.Fprintf(b, "        \"\"\"Read the object from decoded JSON. Fields that are not known are left out.\"\"\"\n        return cls(\n")
	for _, f := range o.fields {
		fmt.Fprintf(b, "            %s=%s,\n", pythonName(f.name), pythonRead(f))
	}
	b.WriteString("        )\n")
}

var pythonKeywords = []string{"in", "from", "is", "not", "or", "and", "class", "def", "for", "if", "with", "as", "pass", "global", "import", "lambda"}

func pythonName(name string) string {
	if slices.Contains(pythonKeywords, name) {
		return name + "_"
	}
	return name
}

// pythonField is the type of a field of an answer. Lists, maps and flags are never None.
func pythonField(f field) string {
	t := pythonType(f.of, false)
	if missing(f) {
		t += " | None"
	}
	return t
}

// pythonArgument is the same field where the object is made.
func pythonArgument(f field) string {
	t := pythonType(f.of, false)
	switch {
	case f.required:
		return t
	case f.of.kind == "boolean":
		return t + " = False"
	}
	return t + " | None = None"
}

func pythonType(t typ, sent bool) string {
	switch t.kind {
	case "string":
		return "str"
	case "time":
		if sent {
			return "str"
		}
		return "datetime"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "array":
		return "list[" + pythonType(*t.items, sent) + "]"
	case "map":
		return "dict[str, " + pythonType(*t.items, sent) + "]"
	case "any":
		return "Any"
	}
	return t.name
}

// pythonRead is the expression that reads a field.
func pythonRead(f field) string {
	at := fmt.Sprintf("d[%q]", f.name)
	if f.required {
		if f.of.kind == "array" { // old answers may hold null
			at += " or []"
			if !plain(*f.of.items) {
				at = "(" + at + ")"
			}
		}
		return pythonValue(f.of, at)
	}
	get := fmt.Sprintf("d.get(%q)", f.name)
	switch f.of.kind {
	case "array", "map":
		return fmt.Sprintf("%s if %s else None", pythonValue(f.of, at), get)
	case "boolean":
		return fmt.Sprintf("d.get(%q, False)", f.name)
	case "object", "time":
		return fmt.Sprintf("%s if %s else None", pythonValue(f.of, at), get)
	}
	return get
}

func pythonValue(t typ, at string) string {
	switch {
	case t.kind == "time":
		return "parse_time(" + at + ")"
	case t.kind == "object":
		return t.name + ".from_json(" + at + ")"
	case t.kind == "array" && plain(*t.items):
		return "list(" + at + ")"
	case t.kind == "array":
		return "[" + pythonValue(*t.items, "x") + " for x in " + at + "]"
	case t.kind == "map":
		return "dict(" + at + ")"
	}
	return at
}

// plain reports whether values are used as JSON gives them.
func plain(t typ) bool { return t.kind != "time" && t.kind != "object" && t.kind != "array" }

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files")

const root = "../.."

// TestClientsAreCurrent fails when the types of a client are not those of the API.
func TestClientsAreCurrent(t *testing.T) {
	if *update {
		if err := run(root); err != nil {
			t.Fatal(err)
		}
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Errorf("%s is not what docs/openapi.json says; run: go run ./sdk/clientgen", name)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ schemas, want string }{
		"a type that clients cannot express": {`{"A": {"properties": {"x": {"type": "tuple"}}}}`, `A.x: type "tuple"`},
		"two enums of one name": {
			`{"A": {"properties": {"k": {"enum": ["a"]}}}, "B": {"properties": {"k": {"enum": ["b"]}}}}`, "two enums are named K",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read([]byte(`{"components": {"schemas": ` + c.schemas + `}}`))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestTypesOfAField holds the two languages to what JSON may leave out.
func TestTypesOfAField(t *testing.T) {
	d, err := read([]byte(`{
		"paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
		"components": {"schemas": {
			"A": {"required": ["id", "at"], "properties": {
				"id": {"type": "integer"}, "at": {"type": "string", "format": "date-time"}, "in": {"type": "string"},
				"parts": {"type": "array", "items": {"$ref": "#/components/schemas/B"}}, "is_new": {"type": "boolean"}}},
			"B": {"properties": {"n": {"type": "object", "additionalProperties": {"type": "integer"}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, wants := range map[string][]string{
		python(d): {
			`"a": ("GET", "/a")`, "    id: int\n    at: datetime\n", "    in_: str | None\n", "    is_new: bool = False,\n",
			"    parts: list[B]\n", "self.parts = parts or []\n", "n: dict[str, int]", `parts=[B.from_json(x) for x in d["parts"]] if d.get("parts") else None,`,
		},
		typescript(d): {
			`a: ["GET", "/a"]`, "  id: number;\n  at: Date;\n", "  in?: string | undefined;\n", "  isNew: boolean;\n", "  parts: Array<B>;\n",
			`A: "id at@ in is_new? parts[B]",`, `B: "n{}",`, `readA = reader<A>(SHAPES, "A")`, "n: Record<string, number>;",
		},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}

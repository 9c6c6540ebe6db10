// Clientgen writes the request and response types of the Python and TypeScript clients
// from docs/openapi.json. Run it in the root of the repository:
//
//	go run ./sdk/clientgen
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "clientgen:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files, by their path below root.
func generate(root string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "openapi.json"))
	if err != nil {
		return nil, err
	}
	d, err := read(data)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		filepath.Join("sdk", "python", "src", "orma", "_schema.py"): python(d),
		filepath.Join("sdk", "typescript", "src", "schema.ts"):      typescript(d),
	}, nil
}

//go:build !unix

package bert

import "os"

// mapFile reads a file where it cannot be mapped.
func mapFile(path string) (b []byte, release func() error, err error) {
	b, err = os.ReadFile(path)
	return b, func() error { return nil }, err
}

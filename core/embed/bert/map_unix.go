//go:build unix

package bert

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile returns a file's bytes, which must not be written to, and a function that releases them.
func mapFile(path string) (b []byte, release func() error, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	switch n := info.Size(); {
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s is no regular file", path)
	case n == 0:
		return nil, func() error { return nil }, nil
	case n > math.MaxInt:
		return nil, nil, fmt.Errorf("%s: %d bytes are too many", path, n)
	default:
		b, err = unix.Mmap(int(f.Fd()), 0, int(n), unix.PROT_READ, unix.MAP_SHARED)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return b, func() error { return unix.Munmap(b) }, nil
}

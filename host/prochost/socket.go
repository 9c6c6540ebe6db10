package prochost

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// socketPrefix begins the name of a folder with a program's socket. Paths of sockets are
// short: on macOS, where temporary folders have long names, there is room for little more.
const socketPrefix = "orma-plugin"

// socketDir makes a folder for a program's socket. It is needed until the connection
// stands.
func socketDir() (string, error) {
	sweep()
	return os.MkdirTemp("", socketPrefix)
}

// stale is the age at which no program can be starting in a folder.
const stale = time.Hour

// sweep takes away, once in a process, the folders of hosts that were killed while a
// program started.
var sweep = sync.OnceFunc(func() { sweepIn(os.TempDir(), time.Now().Add(-stale)) })

func sweepIn(dir string, before time.Time) {
	left, _ := filepath.Glob(filepath.Join(dir, socketPrefix+"*")) // the pattern is in order
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && info.IsDir() && info.ModTime().Before(before) {
			_ = os.RemoveAll(path) // another user's stays
		}
	}
}

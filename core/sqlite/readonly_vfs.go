package sqlite

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/ncruces/go-sqlite3/vfs"
)

// readOnlyVFS lets a database be read whose log this user may not write: the
// driver's own file layer opens a log for writing only.
type readOnlyVFS struct{ vfs.VFSFilename }

const readOnlyVFSName = "orma-read-only"

// registerReadOnlyVFS makes the layer known to the driver, which keeps a list of
// them by name.
var registerReadOnlyVFS = sync.OnceFunc(func() {
	if base, ok := vfs.Find("").(vfs.VFSFilename); ok {
		vfs.Register(readOnlyVFSName, readOnlyVFS{base})
	}
})

func (v readOnlyVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f, got, err := v.VFSFilename.OpenFilename(name, flags)
	if err != nil && flags&vfs.OPEN_WAL != 0 && errors.Is(err, fs.ErrPermission) {
		flags &^= vfs.OPEN_READWRITE | vfs.OPEN_CREATE
		return v.VFSFilename.OpenFilename(name, flags|vfs.OPEN_READONLY)
	}
	return f, got, err
}

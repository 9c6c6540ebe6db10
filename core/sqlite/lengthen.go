package sqlite

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// Lengthen makes a plain database that was cut off as long as its header says, with
// zeros, and keeps the short file beside it. SQLite opens no file that lacks pages; one
// whose last pages are empty it opens, and [Store.Check] makes of it what can be read. It
// returns where the short file is kept, or "" when the file is not short.
func Lengthen(path string) (kept string, err error) {
	if path, err = realPath(path); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	want := lengthInHeader(f)
	if !isPlain(path) || info.Size() >= want {
		return "", nil
	}
	kept = freeName(path + ".damaged")
	if err := keepAside(path, kept); err != nil {
		return "", err
	}
	if err := f.Truncate(want); err != nil {
		return kept, err
	}
	return kept, f.Sync()
}

// lengthInHeader reads the length that a database's header gives; 0 where there is none.
// The offsets are those of SQLite's file format, section 1.3.
func lengthInHeader(r io.ReaderAt) int64 {
	var head [100]byte
	if n, _ := r.ReadAt(head[:], 0); n < len(head) {
		return 0
	}
	size := int64(binary.BigEndian.Uint16(head[16:]))
	if size == 1 {
		size = 65536
	}
	pages := int64(binary.BigEndian.Uint32(head[28:]))
	written := binary.BigEndian.Uint32(head[24:]) == binary.BigEndian.Uint32(head[92:])
	if size < 512 || size&(size-1) != 0 || !written || pages > maxCutPages {
		return 0
	}
	return size * pages
}

// maxCutPages bounds what a damaged header makes of a file: 64 GB of usual pages.
const maxCutPages = 16 << 20

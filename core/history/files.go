package history

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// Limits of what is read from a folder or archive.
const (
	maxFiles   = 100_000
	maxEntry   = 8 << 30  // bytes of one file in an archive
	maxTotal   = 16 << 30 // bytes of all
	maxRatio   = 200      // bytes of a file in an archive for each packed byte
	smallEntry = 64 << 20 // files up to this size may be packed as tightly as they like
)

// entry is a file of a folder or archive.
type entry struct {
	name     string
	size     int64
	modified time.Time
	open     func() (io.ReadCloser, error)
	err      error // it must not be read
	skipped  bool  // it is of a kind that holds no history
}

// ImportFolder imports every markdown file and every export in a folder, or, with a
// Format, what has that format. Other files are counted as skipped, and so is what
// begins with a dot.
func ImportFolder(ctx context.Context, m Memory, dir fs.FS, o Options) (Summary, error) {
	return importEntries(ctx, m, folder(dir), o)
}

// ImportZip imports what an archive of size bytes holds, like [ImportFolder].
func ImportZip(ctx context.Context, m Memory, r io.ReaderAt, size int64, o Options) (Summary, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return Summary{}, core.Errorf(core.CodeInvalid, "%s: the archive cannot be read: %w", o.Name, err).Hinted("unpack it, and import the folder")
	}
	if len(z.File) > maxFiles {
		return Summary{}, core.Errorf(core.CodeTooLarge, "%s: the archive has %d files, more than %d", o.Name, len(z.File), maxFiles)
	}
	return importEntries(ctx, m, archived(z), o)
}

// importEntries imports files one after the other, in the order of their names.
func importEntries(ctx context.Context, m Memory, entries iter.Seq2[entry, error], o Options) (Summary, error) {
	im, err := newImporter(m, o)
	if err != nil {
		return Summary{}, err
	}
	done, files := int64(0), 0
	for e, err := range entries {
		if err != nil {
			return im.summary(ctx, fmt.Errorf("read %s: %w", o.Name, err))
		}
		if files++; files > maxFiles {
			return im.summary(ctx, core.Errorf(core.CodeTooLarge, "%s has more than %d files", o.Name, maxFiles))
		}
		im.done = done
		if err := im.entry(ctx, e); err != nil {
			return im.summary(ctx, err)
		}
		if e.skipped || e.err != nil {
			continue
		}
		if done += e.size; done > maxTotal {
			return im.summary(ctx, core.Errorf(core.CodeTooLarge, "the files of %s have more than %d GB", o.Name, maxTotal>>30))
		}
	}
	return im.summary(ctx, im.flush(ctx, -1))
}

// entry imports one file. One that holds no history is counted, not reported: exports
// have many.
func (im *importer) entry(ctx context.Context, e entry) error {
	if e.skipped || e.err == nil && e.size == 0 {
		im.sum.Skipped++
		return ctx.Err()
	}
	var r io.ReadCloser
	err := e.err
	if err == nil {
		r, err = e.open()
	}
	if err != nil {
		im.bad(e.name, core.Errorf(core.CodeInvalid, "it cannot be read: %w", err))
		return ctx.Err()
	}
	defer r.Close()
	f := &File{Name: e.name, Modified: e.modified, Zone: im.o.Zone, User: im.o.User}
	br, format, err := open(r, f, "")
	switch {
	case errors.Is(err, errForeign), err == nil && format != im.o.Format && (im.o.Format != "" || format == FormatRows):
		im.sum.Skipped++ // settings, an index: any JSON
		return ctx.Err()
	case err == nil:
		err = im.read(ctx, br, f, format)
		if !errors.As(err, new(*readError)) {
			return err
		}
	}
	im.bad(e.name, err)
	return ctx.Err()
}

// extensions are the names of files that may hold a history. Rows are taken only where
// they are asked for: many programs write such files.
var extensions = []string{".json", ".jsonl", ".md", ".markdown"}

// wanted reports whether a file is looked into.
func wanted(name string) bool {
	return slices.Contains(extensions, path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))) && !hidden(name)
}

// hidden reports whether a part of a path begins with a dot.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") || part == "__MACOSX"
	})
}

// folder yields the files of a folder, in the order of their names.
func folder(dir fs.FS) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && name == ".":
				return err
			case name == ".":
				return nil
			case d.IsDir() && hidden(name):
				return fs.SkipDir
			case d.IsDir() && err == nil:
				return nil
			}
			e := entry{name: name, err: err}
			if err == nil {
				e.skipped = !d.Type().IsRegular() || !wanted(name)
				e.open = func() (io.ReadCloser, error) { return dir.Open(name) }
				if i, err := d.Info(); err == nil {
					e.size, e.modified = i.Size(), i.ModTime()
				}
			}
			if !yield(e, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(entry{}, err)
		}
	}
}

// archived yields the files of an archive, in the order of their names. Nothing is
// written to disk; a name that leads out of the archive is refused all the same, since
// it becomes a source and a key.
func archived(z *zip.Reader) iter.Seq2[entry, error] {
	files := slices.Clone(z.File)
	slices.SortStableFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	return func(yield func(entry, error) bool) {
		for _, f := range files {
			if strings.HasSuffix(f.Name, "/") {
				continue
			}
			e := entry{name: f.Name, size: int64(min(f.UncompressedSize64, maxEntry)), modified: f.Modified, open: func() (io.ReadCloser, error) { return unpack(f) }}
			switch {
			case !fs.ValidPath(f.Name) || strings.Contains(f.Name, `\`):
				e.err = core.Errorf(core.CodeInvalid, "its name leads out of the archive")
				e.name = clip(f.Name)
			case !f.Mode().IsRegular() || !wanted(f.Name):
				e.skipped = true
			case f.UncompressedSize64 > maxEntry:
				e.err = core.Errorf(core.CodeTooLarge, "it has more than %d GB", maxEntry>>30)
			case f.UncompressedSize64 > smallEntry && f.UncompressedSize64/max(f.CompressedSize64, 1) > maxRatio:
				e.err = core.Errorf(core.CodeInvalid, "it would unpack to %d times its size", f.UncompressedSize64/max(f.CompressedSize64, 1))
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// unpack opens a file of an archive. One that is longer than the archive says is an
// error, not read on.
func unpack(f *zip.File) (io.ReadCloser, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &measured{r, int64(f.UncompressedSize64)}, nil
}

type measured struct {
	io.ReadCloser
	left int64
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if m.left -= int64(n); m.left < 0 {
		return 0, core.Errorf(core.CodeInvalid, "the archive is damaged: the file is longer than it says")
	}
	return n, err
}

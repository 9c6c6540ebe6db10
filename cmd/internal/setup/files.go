package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// maxFile is the largest configuration that is touched, in bytes.
const maxFile = 32 << 20

// read reads a client's file. One that is not there is empty.
func read(path string) (*Change, error) {
	ch := &Change{Path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ch, nil
	case err != nil:
		return nil, fmt.Errorf("read configuration: %w", err)
	case !info.Mode().IsRegular():
		return nil, core.Errorf(core.CodeInvalid, "%s is no file", path)
	case info.Size() > maxFile:
		return nil, core.Errorf(core.CodeTooLarge, "%s has %d bytes, more than %d", path, info.Size(), maxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	if !utf8.Valid(data) {
		return nil, core.Errorf(core.CodeInvalid, "%s is not UTF-8", path).Hinted("save it as UTF-8, or add the entry by hand: see --print")
	}
	ch.Before, ch.After, ch.Existed = string(data), string(data), true
	return ch, nil
}

// record is what is remembered of a change, so that it can be undone to the byte.
type record struct {
	Path    string   `json:"path"`
	Existed bool     `json:"existed"`
	Backup  string   `json:"backup,omitempty"` // the file as it was
	After   string   `json:"after"`            // hash of the file as it was written
	Folders []string `json:"folders,omitempty"`
	Made    []string `json:"made,omitempty"`
}

// Ledger remembers changes in a folder of its own, with the files as they were.
type Ledger struct {
	Folder string
	Now    func() time.Time
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func (l Ledger) name(path string) string {
	return filepath.Join(l.Folder, filepath.Base(path)+"-"+hash(path)[:12])
}

func (l Ledger) recall(path string) (record, bool) {
	var r record
	data, err := os.ReadFile(l.name(path) + ".json")
	return r, err == nil && json.Unmarshal(data, &r) == nil
}

// Apply writes a change. It returns where the file as it was is kept; empty if there
// was none. The file is replaced as a whole; what a link points to is what changes.
func (l Ledger) Apply(c *Change) (backup string, err error) {
	target, err := resolve(c.Path)
	if err != nil {
		return "", err
	}
	mode, err := writable(target)
	if err != nil {
		return "", err
	}
	r, known := l.recall(c.Path)
	if !known || r.After != hash(c.Before) {
		r = record{Path: c.Path, Existed: c.Existed, Made: c.made}
		if c.Existed {
			r.Backup = l.name(c.Path) + "-" + l.Now().UTC().Format("20060102T150405.000") + ".bak"
		}
	}
	if err := os.MkdirAll(l.Folder, 0o700); err != nil {
		return "", fmt.Errorf("keep the file as it was: %w", err)
	}
	if r.Backup != "" {
		if _, err := os.Stat(r.Backup); err != nil {
			if err := replace(r.Backup, c.Before, 0o600); err != nil {
				return "", fmt.Errorf("keep the file as it was: %w", err)
			}
		}
	}
	folderMode := fs.FileMode(0o700)
	if c.shared {
		folderMode = 0o755
		if !c.Existed {
			mode = 0o644
		}
	}
	folders, err := makeFolders(filepath.Dir(target), folderMode)
	if err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	r.Folders = append(r.Folders, folders...)
	r.After = hash(c.After)
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	if err := replace(l.name(c.Path)+".json", string(data)+"\n", 0o600); err != nil {
		return "", fmt.Errorf("remember the change: %w", err)
	}
	if err := replace(target, c.After, mode); err != nil {
		return "", fmt.Errorf("write configuration: %w", err)
	}
	return r.Backup, nil
}

// Undo returns the change that takes an entry out of a file: to the bytes it had, if
// nobody changed it since, else by taking out the entry alone.
func (l Ledger) Undo(c Client, p Place, scope Scope) (*Change, error) {
	path, err := c.File(p, scope)
	if err != nil {
		return nil, err
	}
	return l.undo(path, c.takeEntry)
}

// UndoHooks is Undo for hooks.
func (l Ledger) UndoHooks(c Client, p Place, scope Scope) (*Change, error) {
	ch, err := hooksFile(c, p, scope)
	if err != nil {
		return nil, err
	}
	return l.undo(ch.Path, func(data string, made []string) (string, error) { return takeHooks(data) })
}

func (l Ledger) undo(path string, takeOut func(data string, made []string) (string, error)) (*Change, error) {
	ch, err := read(path)
	if err != nil || !ch.Existed {
		return ch, err
	}
	r, known := l.recall(path)
	if known && r.After == hash(ch.Before) {
		if !r.Existed {
			ch.Remove = true
			return ch, nil
		}
		if data, err := os.ReadFile(r.Backup); err == nil {
			ch.After = string(data)
			return ch, nil
		}
	}
	if ch.After, err = takeOut(ch.Before, r.Made); err != nil {
		return nil, inFile(path, err)
	}
	return ch, nil
}

// Finish carries out what Undo returned, and forgets the change.
func (l Ledger) Finish(c *Change) error {
	target, err := resolve(c.Path)
	if err != nil {
		return err
	}
	mode, err := writable(target)
	if err != nil {
		return err
	}
	r, known := l.recall(c.Path)
	if c.Remove {
		if err := os.Remove(target); err != nil {
			return fmt.Errorf("remove configuration: %w", err)
		}
		for i := len(r.Folders) - 1; i >= 0; i-- {
			_ = os.Remove(r.Folders[i]) // only if it is empty
		}
	} else if err := replace(target, c.After, mode); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	if known {
		return os.Remove(l.name(c.Path) + ".json")
	}
	return nil
}

// resolve follows links, also one that points to nothing yet.
func resolve(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", core.Errorf(core.CodeInvalid, "%s is a link in a circle", path)
}

// writable returns the mode of a file, or of one to be made. A file that its user has
// made read-only is left alone, even where the folder would let us replace it.
func writable(path string) (fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0o600, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read configuration: %w", err)
	}
	if info.Mode().Perm()&0o200 == 0 {
		return 0, core.Errorf(core.CodeReadOnly, "%s is read-only", path).Hinted("make it writable, or add the entry by hand: see --print")
	}
	return info.Mode().Perm(), nil
}

// makeFolders makes a folder and returns those that were not there, outermost first.
func makeFolders(dir string, mode fs.FileMode) ([]string, error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		missing = append([]string{d}, missing...)
	}
	return missing, os.MkdirAll(dir, mode)
}

// replace writes a file as a whole: whoever reads it sees the old or the new one.
func replace(path, data string, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.WriteString(data); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

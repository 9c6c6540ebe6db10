package sqlite

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/ncruces/go-sqlite3/vfs"
	"github.com/ncruces/go-sqlite3/vfs/xts"

	"github.com/orma-memory/orma/core"
)

// Key encrypts a database, its log and its journals at rest, with AES-256 in XTS mode.
// The zero value encrypts nothing. See RATIONALE.md, "How is a database encrypted?".
type Key struct{ hex string }

// keyBytes is the length of a key: as strong as the cipher.
const keyBytes = 32

// NewKey returns a random key as [ParseKey] reads it.
func NewKey() string {
	var b [keyBytes]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// ParseKey reads a key: 64 hexadecimal digits, with white space around them. A password
// is none: it would have to be stretched each time the file is opened, and guessed no
// less.
func ParseKey(s string) (Key, error) {
	raw, err := hex.DecodeString(strings.TrimSpace(s))
	if err != nil || len(raw) != keyBytes {
		return Key{}, core.Errorf(core.CodeConfig, "a key has %d hexadecimal digits", 2*keyBytes).
			Hinted("make one with: orma encrypt --key-file FILE")
	}
	// XTS wants two keys that differ.
	both, err := hkdf.Key(sha512.New, raw, nil, "orma database 1", 64)
	if err != nil {
		return Key{}, err
	}
	return Key{hex.EncodeToString(both)}, nil
}

// String hides the key.
func (k Key) String() string {
	if k == (Key{}) {
		return "no key"
	}
	return "a key"
}

// GoString hides it too.
func (k Key) GoString() string { return k.String() }

// Sealer encrypts what a front end keeps beside the database, with AES-256 in GCM mode
// under a key of its own; nil where the database is not encrypted.
func (s *Store) Sealer() (cipher.AEAD, error) {
	if s.opt.Key == (Key{}) {
		return nil, nil
	}
	own, err := hkdf.Key(sha512.New, []byte(s.opt.Key.hex), nil, "orma beside 1", keyBytes)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

const (
	cipherVFSName         = "orma-encrypted"
	cipherReadOnlyVFSName = "orma-encrypted-read-only"
)

// registerCipherVFS makes the encrypting file layers known to the driver.
var registerCipherVFS = sync.OnceFunc(func() {
	registerReadOnlyVFS()
	vfs.Register(cipherVFSName, xts.Wrap(vfs.Find(""), nil))
	vfs.Register(cipherReadOnlyVFSName, xts.Wrap(vfs.Find(readOnlyVFSName), nil))
})

// uri adds the key to what a file is opened with.
func (k Key) uri(path string, q url.Values) string {
	if k != (Key{}) {
		registerCipherVFS()
		if q.Get("vfs") == readOnlyVFSName {
			q.Set("vfs", cipherReadOnlyVFSName)
		} else {
			q.Set("vfs", cipherVFSName)
		}
		q.Set("hexkey", k.hex)
	}
	return fileURI(path, q)
}

// isPlain reports whether a file begins as an unencrypted database does.
func isPlain(path string) bool {
	const magic = "SQLite format 3\x00"
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// checkKey refuses a plain file where a key is given: what is written to it would not be
// encrypted.
func checkKey(path string, k Key) error {
	if k != (Key{}) && isPlain(path) {
		return core.Errorf(core.CodeConfig, "database %s is not encrypted, but a key is configured", path).
			Hinted("run `orma encrypt`, or take the key out of [store]")
	}
	return nil
}

// sealed explains a file whose beginning is none of a database: what is damaged and what
// is encrypted look the same.
func (k Key) sealed(path string, err error) error {
	if k == (Key{}) {
		return &core.Error{
			Code: core.CodeCorrupt, Text: "database " + path + ": it is damaged, no database, or encrypted", Err: err,
			Hint: "if it is encrypted, name its key in [store]: key_file, key_env or key_command; else restore a backup with `orma restore`",
		}
	}
	return &core.Error{
		Code: core.CodeDenied, Text: "database " + path + ": it does not open with this key", Err: err,
		Hint: "check [store] key_file, key_env or key_command; if the key is right, the file is damaged: restore a backup with `orma restore`",
	}
}

// Recrypt writes the database at path anew under another key, or with the zero key as
// plain SQLite, and puts it in place of the old file, which it overwrites. No other
// process may have the database open. It returns the known copies of the database,
// which stay as they are.
func Recrypt(ctx context.Context, path string, from, to Key) (copies []string, err error) {
	if _, err := prepareFile(path, true); err != nil {
		return nil, err
	}
	if isPlain(path) {
		from = Key{}
	}
	if from == to {
		return nil, core.Errorf(core.CodeConflict, "database %s is so already", path).Hinted("nothing is to be done")
	}
	s, err := Open(ctx, path, Options{Key: from}) // the schema of today, and none of another program
	if err != nil {
		return nil, err
	}
	path = s.path
	if s.mode != readWrite {
		return nil, errors.Join(core.Errorf(core.CodeReadOnly, "database %s cannot be written", path), s.Close())
	}
	if err := s.disconnect(); err != nil {
		return nil, explain(path, err)
	}
	c, err := s.openSole(ctx, path)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	defer func() {
		if c != nil {
			err = errors.Join(err, c.close())
		}
	}()
	if err := c.each("SELECT path FROM backups ORDER BY path", func(r *row) error {
		if _, err := os.Stat(r.ColumnText(0)); err == nil {
			copies = append(copies, r.ColumnText(0))
		}
		return nil
	}); err != nil {
		return nil, s.fault(ctx, err)
	}
	ours := func(name string) bool { return strings.HasPrefix(name, filepath.Base(path)+".recrypt") }
	sweep(filepath.Dir(path), ours, 0) // nobody else has the database open
	fresh := freeName(path + ".recrypt")
	defer removeDatabase(fresh)
	if err := copyTo(ctx, c, fresh, to, nil); err != nil {
		return nil, s.fault(ctx, err)
	}
	if err := checkBackup(ctx, fresh, to); err != nil {
		return nil, err
	}
	// Without a log: closing a database that has one removes what has the log's name, which
	// may be the new database's by then.
	if err := c.c.Exec("PRAGMA journal_mode = DELETE"); err != nil {
		return nil, s.fault(ctx, err)
	}
	_ = os.Remove(path + "-shm")
	if runtime.GOOS == "windows" { // where no open file is replaced, nor held by who waits
		err = c.close()
		c = nil
		if err != nil {
			return nil, s.fault(ctx, err)
		}
		return copies, swapClosed(path, fresh)
	}
	old, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	if err := os.Rename(fresh, path); err != nil {
		return nil, fmt.Errorf("put the new database in place: %w", err)
	}
	// Not before the new name is on the disk: a loss of power would bring the zeros back.
	if err := syncFolder(filepath.Dir(path)); err != nil {
		return copies, err
	}
	// A process that opened the old file meanwhile and waits for it must find that it is
	// no database any more, and what it held should not lie about.
	if err := scrub(old); err != nil {
		return copies, fmt.Errorf("overwrite the old database: %w", err)
	}
	err = c.close()
	c = nil
	if isBusy(err) || isDamage(err) {
		err = nil // of the file that is gone
	}
	return copies, err
}

// syncFolder sees the names in a folder on the disk.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// swapClosed puts fresh in place of a database that nobody has open, and overwrites and
// removes the old one.
func swapClosed(path, fresh string) error {
	aside := freeName(path + ".old")
	if err := os.Rename(path, aside); err != nil {
		return fmt.Errorf("put the old database aside: %w", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return errors.Join(fmt.Errorf("put the new database in place: %w", err), os.Rename(aside, path))
	}
	old, err := os.OpenFile(aside, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("overwrite the old database: %w", err)
	}
	if err := errors.Join(scrub(old), old.Close(), os.Remove(aside)); err != nil {
		return fmt.Errorf("overwrite the old database: %w", err)
	}
	return nil
}

// scrub overwrites a file with zeros.
func scrub(f *os.File) error {
	i, err := f.Stat()
	if err != nil {
		return err
	}
	zeros := make([]byte, 1<<20)
	for at := int64(0); at < i.Size(); {
		n, err := f.WriteAt(zeros[:min(int64(len(zeros)), i.Size()-at)], at)
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return f.Sync()
}

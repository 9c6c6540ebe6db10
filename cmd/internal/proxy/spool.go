package proxy

import (
	"bufio"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/orma-memory/orma/core"
)

// spool is a file of exchanges that could not be stored: one JSON object a line, or a JSON
// string with it encrypted, where memory is. Several processes may add to it; secrets are
// masked before they reach it.
type spool struct {
	path string
	mask func(string) (string, int)
	seal cipher.AEAD // nil: not encrypted
	mu   sync.Mutex
	some atomic.Bool // something was added by this process
}

func newSpool(path string, mask func(string) (string, int), seal cipher.AEAD) *spool {
	if mask == nil {
		mask = func(s string) (string, int) { return s, 0 }
	}
	return &spool{path: path, mask: mask, seal: seal}
}

func (s *spool) waits() bool { return s.some.Load() }

// add appends an exchange, in one write.
func (s *spool) add(x said) (err error) {
	if s.path == "" {
		return core.Errorf(core.CodeUnavailable, "there is no file to set turns aside in")
	}
	turns := x.Turns
	x.Turns = append(turns[:0:0], turns...)
	for i := range x.Turns {
		x.Turns[i].Text, _ = s.mask(x.Turns[i].Text)
	}
	line, err := json.Marshal(x)
	if err == nil && s.seal != nil {
		line, err = json.Marshal(s.seal.Seal(nil, nil, line, nil))
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// It begins on a line of its own: the one before may have been cut off by a full disk.
	if _, err := f.Write(slices.Concat([]byte{'\n'}, line, []byte{'\n'})); err != nil {
		return err
	}
	s.some.Store(true)
	return f.Sync()
}

// drain gives every exchange to store and removes what is stored. What was stored
// before a failure is known by its keys when it comes again.
func (s *spool) drain(store func(said) error) (n int, err error) {
	if s.path == "" {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Other processes may add to the file, so it is taken away from them first.
	err = os.Rename(s.path, s.path+"."+rand.Text()[:8])
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	files, err := filepath.Glob(globQuote(s.path) + ".*")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		done, err := s.drainFile(file, store)
		n += done
		if err != nil {
			return n, err
		}
	}
	s.some.Store(false)
	return n, nil
}

func (s *spool) drainFile(path string, store func(said) error) (n int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // another process was faster
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		x, ok, oerr := s.open(line)
		if oerr != nil {
			return n, core.Errorf(core.CodeDenied, "%s: %w", path, oerr).Hinted("it waits for the key that the database had")
		}
		if ok {
			if err := store(x); err != nil {
				return n, err
			}
			n++
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return n, err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	return n, nil
}

// open reads a line. One that was cut off is none; one under another key is an error.
func (s *spool) open(line []byte) (x said, ok bool, err error) {
	var sealed []byte
	if json.Unmarshal(line, &sealed) == nil && len(sealed) > 0 {
		if s.seal == nil {
			return x, false, errors.New("it is encrypted")
		}
		if line, err = s.seal.Open(nil, nil, sealed, nil); err != nil {
			return x, false, err
		}
	}
	return x, json.Unmarshal(line, &x) == nil, nil
}

// globQuote quotes a path for [filepath.Glob].
func globQuote(path string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
}

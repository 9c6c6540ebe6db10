package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/orma-memory/orma/core"
)

// share is a file through which the programs of one user find a server that one of
// them started. The lock beside it is held while the server runs, so that there is one,
// and so that what a killed server left behind can be told from one that lives.
type share struct {
	path string
	lock *flock.Flock
	once sync.Once
}

// takeShare claims the file at path. An empty path claims nothing.
func takeShare(path string) (*share, error) {
	if path == "" {
		return &share{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, core.Errorf(core.CodeDenied, "the folder of %s cannot be made: %w", path, err)
	}
	s := &share{path: path, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
	switch got, err := s.lock.TryLock(); {
	case err != nil:
		return nil, core.Errorf(core.CodeDenied, "%s.lock cannot be locked: %w", path, err)
	case !got:
		return nil, core.Errorf(core.CodeConflict, "another server is shared through %s", path)
	}
	return s, nil
}

// publish writes where the server listens, whole or not at all.
func (s *share) publish(at Addresses) error {
	if s.path == "" {
		return nil
	}
	data, err := json.Marshal(at)
	if err != nil {
		return err
	}
	// The lock makes us the only one who writes here.
	draft := s.path + ".new"
	if err := os.WriteFile(draft, append(data, '\n'), 0o600); err != nil {
		return core.Errorf(core.CodeDenied, "%s cannot be written: %w", draft, err)
	}
	return os.Rename(draft, s.path)
}

// end takes the file away and lets the lock go. It may be called twice.
func (s *share) end() {
	if s.path == "" {
		return
	}
	s.once.Do(func() {
		_ = os.Remove(s.path) // one that stays is known as dead by its lock
		_ = s.lock.Unlock()
	})
}

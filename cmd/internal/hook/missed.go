package hook

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/orma-memory/orma/core/engine"
)

// missedName is the file in Orma's folder with what could not be recorded in time.
const missedName = "hook-missed.jsonl"

// maxMissed bounds the file, in bytes: a memory that cannot be written for long must not
// fill the disk.
const maxMissed = 64 << 20

// missed is a line of it.
type missed struct {
	Space string `json:"space"`
	engine.Input
}

// Keep writes down what could not be recorded, for a later hook to record.
func Keep(home, space string, inputs []engine.Input) error {
	if len(inputs) == 0 {
		return nil
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	path := filepath.Join(home, missedName)
	if i, err := os.Stat(path); err == nil && i.Size() > maxMissed {
		return fmt.Errorf("%s has %d bytes: no more is kept", path, i.Size())
	}
	lines := []byte{'\n'} // the line before may have been cut off by a full disk
	for _, in := range inputs {
		line, err := json.Marshal(missed{space, in})
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(lines)
	return errors.Join(err, f.Close())
}

// perRun is how many missed texts a hook records: it has little time.
const perRun = 50

// CatchUp records what was missed. The file is taken away first, so that two hooks do
// not both record it; what is not recorded is written down again.
func CatchUp(ctx context.Context, m Memory, home string) error {
	path := filepath.Join(home, missedName)
	taken := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.Rename(path, taken); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	f, err := os.Open(taken)
	if err != nil {
		return err
	}
	defer f.Close()
	n, lines := 0, bufio.NewScanner(f)
	lines.Buffer(nil, maxMissed)
	for lines.Scan() {
		var x missed
		if json.Unmarshal(lines.Bytes(), &x) != nil {
			continue // a line that was cut when the disk was full
		}
		if n++; n <= perRun && err == nil {
			if err = recordOnce(ctx, m, x); err == nil {
				continue
			}
		}
		if kerr := Keep(home, x.Space, []engine.Input{x.Input}); kerr != nil {
			return errors.Join(err, kerr) // what is left stays in the file that was taken
		}
	}
	return errors.Join(err, lines.Err(), os.Remove(taken))
}

// recordOnce records a text unless it was recorded after all.
func recordOnce(ctx context.Context, m Memory, x missed) error {
	if _, known, err := m.Known(ctx, x.Space, x.Input); err != nil || known {
		return err
	}
	return Record(ctx, m, x.Space, []engine.Input{x.Input})
}

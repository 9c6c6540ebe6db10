package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Failure is something that a hook could not do.
type Failure struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"`
	Error string    `json:"error"` // never text of a memory
}

// logName is the file in Orma's folder that failures are written to; nobody sees a
// hook's standard error.
const logName = "hook.log"

// The log is cut to its later half when it is longer than this, in bytes.
const maxLog = 256 << 10

// Log writes a failure down.
func Log(home string, f Failure) error {
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	path := filepath.Join(home, logName)
	if i, err := os.Stat(path); err == nil && i.Size() > maxLog {
		halve(path)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// halve keeps the later half of the log. Where it fails the log stays long.
func halve(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	data = data[len(data)/2:]
	_, data, _ = bytes.Cut(data, []byte("\n"))
	if os.WriteFile(path+".new", data, 0o600) == nil {
		_ = os.Rename(path+".new", path)
	}
}

// Failures returns what is in the log, oldest first; nothing where there is none.
func Failures(home string) ([]Failure, error) {
	data, err := os.ReadFile(filepath.Join(home, logName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Failure
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxLog*2)
	for lines.Scan() {
		var f Failure
		if json.Unmarshal(lines.Bytes(), &f) == nil {
			out = append(out, f)
		}
	}
	return out, lines.Err()
}

package mcp

import (
	"io"
	"sync"
	"time"
)

// LogWriter passes lines on to a writer without ever waiting for it: many clients do
// not read what a server writes to standard error, and a full pipe must not stop an
// answer. What finds no room is dropped.
type LogWriter struct {
	lines chan []byte
	done  chan struct{}
	once  sync.Once
	mu    sync.RWMutex // held for writing only to close
	ended bool
}

// logRoom is how many lines wait for a slow reader.
const logRoom = 1024

// lastLines is how long Close waits for what was written to be read.
const lastLines = 500 * time.Millisecond

// NewLogWriter returns a writer to w. Close it to have the last lines written.
func NewLogWriter(w io.Writer) *LogWriter {
	l := &LogWriter{lines: make(chan []byte, logRoom), done: make(chan struct{})}
	go func() { // ends with Close, or with the process if w never takes a line
		defer close(l.done)
		for line := range l.lines {
			_, _ = w.Write(line) // there is nobody to tell
		}
	}()
	return l
}

// Write takes a line. It never fails.
func (l *LogWriter) Write(p []byte) (int, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.ended {
		return len(p), nil
	}
	select {
	case l.lines <- append([]byte(nil), p...):
	default:
	}
	return len(p), nil
}

// Close ends the writer when its lines are written, or after a moment.
func (l *LogWriter) Close() error {
	l.once.Do(func() {
		l.mu.Lock()
		l.ended = true
		l.mu.Unlock()
		close(l.lines)
		select {
		case <-l.done:
		case <-time.After(lastLines):
		}
	})
	return nil
}

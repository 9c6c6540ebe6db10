package prochost

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/orma-memory/orma/host/contract"
)

// newLog sends what go-plugin and the program say to ours. All of it goes to level
// debug: lines of a program may hold memory text.
func newLog(log *slog.Logger, path string) (hclog.Logger, io.Writer) {
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return hclog.NewNullLogger(), io.Discard
	}
	s := &sink{log: log.With(slog.String("plugin", path))}
	l := hclog.NewInterceptLogger(&hclog.LoggerOptions{Name: "plugin", Output: io.Discard, Level: hclog.Off})
	l.RegisterSink(s)
	return l, s
}

// sink takes the lines. A program that floods its stderr does not flood our log.
type sink struct {
	log *slog.Logger

	mu     sync.Mutex
	second time.Time
	lines  int
}

// Write takes output of a program whose kit sends it over the connection.
func (s *sink) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			s.Accept("", hclog.Debug, string(line))
		}
	}
	return len(b), nil
}

// maxLines is how many lines of a program are logged a second.
const maxLines = 200

// Accept takes a line.
func (s *sink) Accept(_ string, _ hclog.Level, msg string, args ...any) {
	s.mu.Lock()
	if now := time.Now().Truncate(time.Second); now != s.second {
		s.second, s.lines = now, 0
	}
	s.lines++
	n := s.lines
	s.mu.Unlock()
	switch {
	case n == maxLines:
		s.log.Debug("plugin says more than is logged")
	case n < maxLines:
		attrs := []any{slog.String("said", contract.Printable(msg))}
		for i := 0; i+1 < len(args); i += 2 {
			if k, ok := args[i].(string); ok && k != "timestamp" {
				attrs = append(attrs, slog.Any(contract.Printable(k), args[i+1]))
			}
		}
		s.log.Debug("plugin", attrs...)
	}
}

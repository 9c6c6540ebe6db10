package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Readiness says whether a server can do its work, and what keeps it.
type Readiness struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"`          // "ok", or what is wrong
	Notes  []string          `json:"notes,omitempty"` // what is left out meanwhile
}

const readyTimeout = 2 * time.Second

// Ready checks everything that the server needs. It names no paths and no spaces.
func (s *Server) Ready() Readiness {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	r := Readiness{Ready: true, Checks: map[string]string{}}
	check := func(name, problem string) {
		if problem == "" {
			problem = "ok"
		} else {
			r.Ready = false
		}
		r.Checks[name] = problem
	}
	switch info, err := s.o.Store.Info(ctx); {
	case err != nil:
		check("store", "it cannot be read")
	case info.ReadOnly:
		check("store", "it cannot be written")
	default:
		check("store", s.writable(ctx))
	}
	if s.o.Proxy != nil {
		problem := ""
		if err := s.o.Proxy.Check(); err != nil {
			problem = "turns are not being recorded"
		}
		check("recording", problem)
	}
	if s.o.Background != nil {
		s.mu.Lock()
		check("sleep", s.awake)
		s.mu.Unlock()
	}
	if st, err := s.o.Engine.Stats(ctx); err == nil && st.EmbedderError != "" {
		r.Notes = append(r.Notes, "the embedder does not answer: recall goes by words alone")
	}
	return r
}

// writable writes a small value, which shows a full disk, a lock, or a file that was
// made read-only after it was opened.
func (s *Server) writable(ctx context.Context) string {
	if err := s.o.Store.SetMeta(ctx, "ready_at", s.o.Now().UTC().Format(time.RFC3339)); err != nil {
		return "it cannot be written"
	}
	return ""
}

func (s *Server) ready(w http.ResponseWriter) {
	r := s.Ready()
	status := http.StatusOK
	if !r.Ready {
		status = http.StatusServiceUnavailable
	}
	plainJSON(w, status, r)
}

// health says that the process lives.
func (s *Server) health(w http.ResponseWriter) {
	plainJSON(w, http.StatusOK, map[string]string{"status": "ok", "name": "orma", "version": s.o.Version})
}

func plainJSON(w http.ResponseWriter, status int, v any) {
	data, _ := json.Marshal(v) // texts and flags always encode
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}

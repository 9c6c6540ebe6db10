package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
)

// Addresses are where a server listens.
type Addresses struct {
	Address string `json:"address,omitempty"` // http://127.0.0.1:8080
	Socket  string `json:"socket,omitempty"`  // path of the Unix socket
	Token   string `json:"token,omitempty"`   // of a private server
	PID     int    `json:"pid,omitempty"`
	Version string `json:"version"`
}

// listeners are what a server listens on.
type listeners struct {
	all  []net.Listener
	tell Addresses
}

func (l *listeners) close() {
	for _, x := range l.all {
		_ = x.Close()
	}
}

// self is the address of the port, as host:port; empty when there is none.
func (l *listeners) self() string { return strings.TrimPrefix(l.tell.Address, "http://") }

// listen opens the port and the socket.
func (s *Server) listen(ctx context.Context) (*listeners, error) {
	l := &listeners{tell: Addresses{Token: s.sole, PID: os.Getpid(), Version: s.o.Version}}
	if !s.o.SocketOnly {
		x, err := listenPort(ctx, s.o.Settings.Serve.Host, s.o.Settings.Serve.Port)
		if err != nil {
			return nil, err
		}
		l.all = append(l.all, x)
		l.tell.Address = "http://" + reachable(x.Addr())
	}
	if s.o.Socket != "" {
		x, err := listenSocket(ctx, s.o.Socket)
		if err != nil {
			l.close()
			return nil, err
		}
		l.all = append(l.all, x)
		l.tell.Socket = s.o.Socket
	}
	if len(l.all) == 0 {
		return nil, core.Errorf(core.CodeUsage, "the server is told to listen nowhere")
	}
	return l, nil
}

// reachable is the address to tell people: one that listens everywhere is reached at
// this machine's own name.
func reachable(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return a.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(int(at.Port())))
}

func listenPort(ctx context.Context, host string, port int) (net.Listener, error) {
	at := net.JoinHostPort(host, strconv.Itoa(port))
	x, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	switch {
	case err == nil:
		return x, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, core.Errorf(core.CodeConflict, "port %d is taken: %s answers there", port, whoAnswers(ctx, "http://"+at)).
			Hinted("choose another with --port, or stop that program")
	case errors.Is(err, syscall.EACCES):
		return nil, core.Errorf(core.CodeDenied, "port %d is not allowed to this user", port).Hinted("choose one above 1023 with --port")
	}
	return nil, core.Errorf(core.CodeUnavailable, "cannot listen on %s: %w", at, err).Hinted("check --host and --port")
}

// whoAnswers says what holds a port.
func whoAnswers(ctx context.Context, root string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	ask := func(path string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, root+path, nil)
		if err != nil {
			return nil, err
		}
		return http.DefaultClient.Do(r)
	}
	resp, err := ask(api.Base + "/version")
	if err != nil {
		return "something that does not speak HTTP"
	}
	defer resp.Body.Close()
	var v api.Server
	if json.NewDecoder(resp.Body).Decode(&v) == nil && v.Name == "orma" {
		return "Orma " + v.Version
	}
	if server := resp.Header.Get("Server"); server != "" {
		return strings.Map(printable, server)
	}
	return "another web server"
}

func printable(r rune) rune {
	if r < 0x20 || r > 0x7e {
		return -1
	}
	return r
}

// listenSocket opens a Unix socket that only this user can reach. One that a killed
// process left behind is replaced.
func listenSocket(ctx context.Context, path string) (net.Listener, error) {
	if len(path) > 100 {
		return nil, core.Errorf(core.CodeInvalid, "the path of the socket has %d bytes, more than 100", len(path)).Hinted("choose a shorter one")
	}
	if i, err := os.Lstat(path); err == nil {
		if i.Mode()&os.ModeSocket == 0 {
			return nil, core.Errorf(core.CodeConflict, "%s is there already and is no socket", path)
		}
		if c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path); err == nil {
			_ = c.Close()
			return nil, core.Errorf(core.CodeConflict, "another server listens on %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, core.Errorf(core.CodeDenied, "the old socket %s cannot be removed: %w", path, err)
		}
	}
	x, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, core.Errorf(core.CodeUnavailable, "cannot listen on %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = x.Close()
		return nil, core.Errorf(core.CodeDenied, "the socket %s cannot be kept from others: %w", path, err)
	}
	return x, nil
}

// isLoopback reports whether an address can be reached from this machine only.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

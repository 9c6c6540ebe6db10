package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// mcpServer is an orma mcp that runs. Whatever it writes to standard output must be a
// line of JSON-RPC.
type mcpServer struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser

	mu      sync.Mutex
	waiting map[int]chan map[string]any
	next    int
	read    chan error // what the reader ended with
}

// startMCP starts a server and says hello. stderr may be nil: nobody reads it then.
func (h *home) startMCP(stderr io.Writer, args ...string) *mcpServer {
	h.Helper()
	s := &mcpServer{t: h.T, cmd: h.command(append([]string{"mcp"}, args...)...), waiting: map[int]chan map[string]any{}, read: make(chan error, 1)}
	if stderr != nil {
		s.cmd.Stderr = stderr
	} else {
		r, w, err := os.Pipe() // it fills up
		if err != nil {
			h.Fatal(err)
		}
		s.cmd.Stderr = w
		h.Cleanup(func() { _, _ = r.Close(), w.Close() })
	}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		h.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		h.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		h.Fatal(err)
	}
	s.in = in
	go func() { s.read <- s.listen(out) }()
	h.Cleanup(s.stop)
	s.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	s.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return s
}

// listen checks every line of standard output and hands answers on.
func (s *mcpServer) listen(out io.Reader) error {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		var m map[string]any
		if err != nil || json.Unmarshal(line, &m) != nil || m["jsonrpc"] != "2.0" || bytes.ContainsAny(bytes.TrimSuffix(line, []byte("\n")), "\n\r") {
			return fmt.Errorf("standard output has %.300q, %v", line, err)
		}
		id, _ := m["id"].(float64)
		s.mu.Lock()
		if c := s.waiting[int(id)]; c != nil {
			c <- m
		}
		s.mu.Unlock()
	}
}

func (s *mcpServer) write(v any) {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = s.in.Write(append(data, '\n'))
	}
	if err != nil {
		s.t.Error(err)
	}
}

// ask sends a request and waits for its answer.
func (s *mcpServer) ask(method string, params any) map[string]any {
	s.mu.Lock()
	s.next++
	id, c := s.next, make(chan map[string]any, 1)
	s.waiting[id] = c
	s.mu.Unlock()
	s.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	select {
	case m := <-c:
		return m
	case err := <-s.read:
		s.read <- err
		s.t.Errorf("%s was not answered: %v", method, err)
		return nil
	}
}

// call calls a tool; failed says that it answered with an error.
func (s *mcpServer) call(tool string, args map[string]any) (text string, failed bool) {
	m := s.ask("tools/call", map[string]any{"name": tool, "arguments": args})
	result, _ := m["result"].(map[string]any)
	if result == nil {
		s.t.Errorf("%s: %v", tool, m)
		return "", true
	}
	for _, c := range result["content"].([]any) {
		part, _ := c.(map[string]any)["text"].(string)
		text += part
	}
	failed, _ = result["isError"].(bool)
	return text, failed
}

// stop ends the server as a client does: it closes its standard input.
func (s *mcpServer) stop() {
	_ = s.in.Close()
	err := <-s.read
	s.read <- err
	_ = s.cmd.Wait()
	if err != nil {
		s.t.Error(err)
	}
}

// tools calls every tool. All must be answered; which fail, fails says.
func (s *mcpServer) tools(fails bool) {
	s.t.Helper()
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"orma_remember", map[string]any{"text": "The harbour master is called Greta."}},
		{"orma_forbid", map[string]any{"rule": "Never moor at the fuel pier"}},
		{"orma_recall", map[string]any{"query": "Who is the harbour master?"}},
		{"orma_search", map[string]any{"query": "harbour"}},
		{"orma_facts", map[string]any{}}, {"orma_stats", map[string]any{}}, {"orma_sleep", map[string]any{}},
		{"orma_recall", map[string]any{"handle": "orma://spaces/default/episodes"}},
	} {
		if text, failed := s.call(c.tool, c.args); failed != fails {
			s.t.Errorf("%s failed: %v: %s", c.tool, failed, text)
		}
	}
	for _, id := range []int{1, 99999} {
		s.call("orma_forget", map[string]any{"state_id": id})
		s.call("orma_correct", map[string]any{"state_id": id, "text": "x"})
	}
	s.ask("resources/list", map[string]any{})
	s.ask("resources/read", map[string]any{"uri": "orma://spaces/default/facts"})
	s.ask("prompts/get", map[string]any{"name": "briefing"})
	s.ask("nonsense/method", map[string]any{})
}

// TestMCPWritesNothingElse: whatever goes wrong, standard output carries the protocol
// and nothing else, and every request is answered.
func TestMCPWritesNothingElse(t *testing.T) {
	trap, err := filepath.Abs("../../../host/wasmhost/testdata/hostile/trap.wasm")
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing, as a server does that fetches a model
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	remote := func(use, url string) string {
		return fmt.Sprintf("[embedder.default]\nuse = %q\nurl = %q\nmodel = \"m\"\ndim = 8\ntimeout_ms = 300\nretries = 0\n", use, url)
	}
	for _, tt := range []struct {
		name, config string
		setup        func(h *home)
		fails        bool
	}{
		{name: "all well"},
		{name: "broken database", fails: true, setup: func(h *home) { h.file("memory.db", strings.Repeat("no database ", 1000)) }},
		{name: "broken configuration", config: "a = [", fails: true},
		{name: "newer settings", config: "[store]\ncolour = \"red\"\n", fails: true},
		{name: "panicking plugin", config: "[plugin.hostile]\npath = " + fmt.Sprintf("%q", trap) + "\nafter = \"blend\"\n"},
		{name: "missing plugin", config: "[plugin.gone]\npath = \"gone.wasm\"\nafter = \"bm25\"\n", fails: true},
		{name: "dead embedder", config: remote("ollama", "http://127.0.0.1:1")},
		{name: "a model being fetched", config: remote("ollama", "http://"+silent.Addr().String())},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t)
			if tt.config != "" {
				h.file("config.toml", tt.config)
			}
			if tt.setup != nil {
				tt.setup(h)
			}
			h.startMCP(nil, "--log-level", "debug").tools(tt.fails)
		})
	}
}

// TestMCPSiblingKilled: a server that is killed while it writes leaves the others
// working, and nothing that it acknowledged is lost.
func TestMCPSiblingKilled(t *testing.T) {
	h := newHome(t)
	stays := h.startMCP(io.Discard)
	stays.call("orma_remember", map[string]any{"text": "The first note."})
	kept := 1
	for round := range 3 {
		dies := h.startMCP(io.Discard)
		for i := range 10 {
			if _, failed := dies.call("orma_remember", map[string]any{"text": fmt.Sprintf("Note %d of round %d.", i, round)}); !failed {
				kept++
			}
		}
		dies.write(map[string]any{"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": map[string]any{"name": "orma_remember", "arguments": map[string]any{"text": "half"}}})
		if err := dies.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if text, failed := stays.call("orma_remember", map[string]any{"text": fmt.Sprintf("After the end of round %d.", round)}); failed {
			t.Errorf("the other server fails: %s", text)
		}
		kept++
	}
	if got := notes(t, stays); got < kept || got > kept+3 {
		t.Errorf("%d notes are there, want %d and at most one more a round", got, kept)
	}
	if text, failed := stays.call("orma_recall", map[string]any{"query": "the end of round 2"}); failed || !strings.Contains(text, "round 2") {
		t.Errorf("recall = %s", text)
	}
}

// TestThreeMCPServers: three servers on one database, 60 writes each at once, and all
// are there.
func TestThreeMCPServers(t *testing.T) {
	h := newHome(t)
	servers := []*mcpServer{h.startMCP(io.Discard), h.startMCP(io.Discard), h.startMCP(io.Discard)}
	var wg sync.WaitGroup
	for n, s := range servers {
		for i := range 60 {
			wg.Go(func() {
				if text, failed := s.call("orma_remember", map[string]any{"text": fmt.Sprintf("Server %d wrote note %d.", n, i)}); failed {
					t.Errorf("server %d, note %d: %s", n, i, text)
				}
			})
		}
	}
	wg.Wait()
	for n, s := range servers {
		if got := notes(t, s); got != 180 {
			t.Errorf("server %d sees %d notes", n, got)
		}
		for other := range servers {
			want := fmt.Sprintf("Server %d wrote note 59.", other)
			if text, failed := s.call("orma_search", map[string]any{"query": want}); failed || !strings.Contains(text, want) {
				t.Errorf("server %d does not find what server %d wrote: %s", n, other, text)
			}
		}
	}
}

// notes counts the records of the default space.
func notes(t *testing.T, s *mcpServer) int {
	t.Helper()
	text, failed := s.call("orma_stats", map[string]any{"space": "default"})
	var stats struct{ Spaces []struct{ Records int } }
	if err := json.Unmarshal([]byte(text), &stats); failed || err != nil || len(stats.Spaces) != 1 {
		t.Fatalf("stats: %s, %v", text, err)
	}
	return stats.Spaces[0].Records
}

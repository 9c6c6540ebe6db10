package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// looking is orma viz as it runs.
type looking struct {
	*testing.T
	vizAt
	root string // of the server
}

// look starts orma viz and reads where it is.
func look(t *testing.T, h *home, env []string, args ...string) *looking {
	t.Helper()
	cmd := h.command(append([]string{"viz", "--json"}, args...)...)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	l := &looking{T: t}
	if err != nil || json.Unmarshal([]byte(line), &l.vizAt) != nil {
		t.Fatalf("%q, %v", line, err)
	}
	l.root = l.Address
	return l
}

// get asks the server as a browser or another program would. headers are pairs; Host is one.
func (l *looking) get(path string, headers ...string) (int, http.Header, string) {
	l.Helper()
	r, err := http.NewRequestWithContext(l.Context(), "GET", l.root, nil)
	if err != nil {
		l.Fatal(err)
	}
	r.URL.Opaque, r.URL.RawQuery = "", ""
	if before, query, ok := strings.Cut(path, "?"); ok {
		path, r.URL.RawQuery = before, query
	}
	r.URL.Path, r.URL.RawPath = path, path
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Do(r)
	if err != nil {
		l.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		l.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

func TestVizShowsTheMemory(t *testing.T) {
	h := newHome(t)
	h.ok("add", "I live in Pune.")
	h.ok("sleep", "--backend", "rules")
	l := look(t, h, nil, "--port", "0", "--space", "my space")
	if l.URL != l.Address+"/_orma/viz/#space=my+space" || l.Running || l.Token != "" {
		t.Fatalf("%+v", l.vizAt)
	}
	status, header, page := l.get("/_orma/viz/")
	if status != 200 && status != 501 || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") ||
		!strings.Contains(page, "Orma") || header.Get("Set-Cookie") != "" {
		t.Errorf("page: %d %v", status, header)
	}
	if status, header, _ := l.get("/_orma/viz"); status != 308 || header.Get("Location") != "/_orma/viz/" {
		t.Errorf("without its slash: %d %v", status, header)
	}
	if status, _, body := l.get("/_orma/v1/graph"); status != 200 || !strings.Contains(body, `"home city: Pune"`) {
		t.Errorf("graph: %d %s", status, body)
	}
	for _, path := range []string{
		"/_orma/viz/nothing", "/_orma/viz/../v1/stats", "/_orma/viz/../../etc/passwd", "/_orma/viz/%2e%2e/%2e%2e/etc/passwd", "/_orma/viz/assets/../../../go.mod", "/_orma/vizard",
	} {
		if status, _, body := l.get(path); status != 404 && status != 400 || strings.Contains(body, "root:") || strings.Contains(body, "spaces") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for name, headers := range map[string][]string{
		"a foreign name":        {"Host", "evil.example"},
		"a foreign page":        {"Origin", "http://evil.example"},
		"a page without origin": {"Origin", "null"},
		"an image elsewhere":    {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"},
		"a frame elsewhere":     {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"},
	} {
		for _, path := range []string{"/_orma/viz/", "/_orma/v1/graph"} {
			if status, _, _ := l.get(path, headers...); status != http.StatusForbidden {
				t.Errorf("%s gets %s: %d", name, path, status)
			}
		}
	}
	if status, _, _ := l.get("/_orma/viz/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); status == http.StatusForbidden {
		t.Error("a link from elsewhere does not lead to the view")
	}
}

func TestVizUsesTheServerThatRuns(t *testing.T) {
	h := newHome(t)
	h.ok("add", "I live in Pune.")
	l := look(t, h, nil, "--port", "0")
	at, err := url.Parse(l.Address)
	if err != nil {
		t.Fatal(err)
	}
	var again vizAt
	h.json(&again, "viz", "--port", at.Port())
	if !again.Running || again.URL != l.URL {
		t.Errorf("%+v, want the one at %s", again, l.URL)
	}
	other := h.run("viz", "--port", at.Port(), "--db", "other.db", "--no-open")
	if other.code != exitFailed || !strings.Contains(other.err, "another database") || !strings.Contains(other.err, "--port") {
		t.Errorf("for another database: %+v", other)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "other.db")); err == nil {
		t.Error("a database was made for a view that is not shown")
	}
	if r := h.run("viz", "--socket", "x.sock"); r.code != exitUsage || !strings.Contains(r.err, "port") {
		t.Errorf("on a socket alone: %+v", r)
	}
}

func TestVizHasATokenWhereOneIsNeeded(t *testing.T) {
	h := newHome(t)
	h.ok("add", "I live in Pune.")
	l := look(t, h, []string{"ORMA_SERVE_TOKENS=on"}, "--port", "0")
	if l.Token == "" || l.URL != l.Address+"/_orma/viz/#token="+l.Token {
		t.Fatalf("%+v", l.vizAt)
	}
	if status, _, _ := l.get("/_orma/viz/"); status == http.StatusUnauthorized {
		t.Error("the page, which holds nothing, wants a token")
	}
	for name, c := range map[string]struct {
		token string
		want  int
	}{"none": {"", 401}, "a wrong one": {"orma_wrong", 401}, "the one": {l.Token, 200}} {
		if status, _, body := l.get("/_orma/v1/graph", "Authorization", "Bearer "+c.token); status != c.want || status == 401 && !strings.Contains(body, "unauthorized") {
			t.Errorf("with %s: %d %s, want %d", name, status, body, c.want)
		}
	}
	at, _ := url.Parse(l.Address)
	var again vizAt
	h.json(&again, "viz", "--port", at.Port())
	if !again.Running || strings.Contains(again.URL, "token") {
		t.Errorf("a second one: %+v", again)
	}
}

// TestVizOfAnEmptyMemory has something to say where there is nothing.
func TestVizOfAnEmptyMemory(t *testing.T) {
	l := look(t, newHome(t), nil, "--port", "0")
	for path, want := range map[string]string{
		"/_orma/v1/graph": `"nodes":[]`, "/_orma/v1/sleep/pending": `"episodes":[]`, "/_orma/v1/stats": `"spaces":[]`, "/_orma/v1/graph/e0": `"kind":"entity"`,
	} {
		if status, _, body := l.get(path); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
}

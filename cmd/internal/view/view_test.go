package view_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/orma-memory/orma/cmd/internal/view"
)

// app is a small built app.
var app = fstest.MapFS{
	"index.html":              {Data: []byte("<!doctype html><script type=module src=./assets/main-AB12CD34.js></script>")},
	"assets/main-AB12CD34.js": {Data: []byte(strings.Repeat("export const x = 1;\n", 100))},
	"assets/LICENSE.txt":      {Data: []byte("as you like")},
	".gitkeep":                {Data: nil},
}

func ask(t *testing.T, h http.Handler, method, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost/", nil)
	r.URL.Path = path // as it is: some paths of attackers do not parse
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestViewServesTheApp(t *testing.T) {
	v, err := view.Of(app)
	if err != nil || !v.Built() {
		t.Fatal(err, v.Built())
	}
	for _, c := range []struct {
		method, path string
		status       int
		media, cache string
	}{
		{"GET", "/_orma/viz", 308, "", ""},
		{"GET", "/_orma/viz/", 200, "text/html; charset=utf-8", "no-cache"},
		{"HEAD", "/_orma/viz/", 200, "text/html; charset=utf-8", "no-cache"},
		{"GET", "/_orma/viz/index.html", 200, "text/html; charset=utf-8", "no-cache"},
		{"GET", "/_orma/viz/assets/main-AB12CD34.js", 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"GET", "/_orma/viz/assets/LICENSE.txt", 200, "text/plain; charset=utf-8", "no-cache"},
		{"POST", "/_orma/viz/", 405, "text/plain; charset=utf-8", "no-store"},
		{"DELETE", "/_orma/viz/index.html", 405, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/assets", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/assets/", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/.gitkeep", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/../viz/index.html", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/assets/../index.html", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz//index.html", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/..\\..\\go.mod", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/../../../etc/passwd", 404, "text/plain; charset=utf-8", "no-store"},
		{"GET", "/_orma/viz/index.html\x00.js", 404, "text/plain; charset=utf-8", "no-store"},
	} {
		r := ask(t, v, c.method, c.path)
		if r.StatusCode != c.status || r.Header.Get("Content-Type") != c.media || r.Header.Get("Cache-Control") != c.cache {
			t.Errorf("%s %q: %d %q %q, want %d %q %q", c.method, c.path, r.StatusCode, r.Header.Get("Content-Type"), r.Header.Get("Cache-Control"), c.status, c.media, c.cache)
		}
		checkHeaders(t, r)
		if text := body(t, r); c.status == 404 && strings.Contains(text, "doctype") || c.method == "HEAD" && text != "" {
			t.Errorf("%s %q has body %q", c.method, c.path, text)
		}
	}
}

func checkHeaders(t *testing.T, r *http.Response) {
	t.Helper()
	csp := r.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'; style-src 'self';") ||
		strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") || strings.Contains(csp, "*") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("policy %q", csp)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the answer has %s", name)
		}
	}
}

func TestViewIsNotSentTwice(t *testing.T) {
	v, _ := view.Of(app)
	path := "/_orma/viz/assets/main-AB12CD34.js"
	plain := ask(t, v, "GET", path)
	packed := ask(t, v, "GET", path, "Accept-Encoding", "br, gzip;q=0.8")
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("Vary") != "Accept-Encoding" || len(body(t, packed)) >= len(body(t, plain)) {
		t.Errorf("not packed: %v", packed.Header)
	}
	if r := ask(t, v, "GET", path, "Accept-Encoding", "gzip;q=0"); r.Header.Get("Content-Encoding") != "" {
		t.Error("gzip for a client that does not want it")
	}
	for _, r := range []*http.Response{plain, packed} {
		again := ask(t, v, "GET", path, "If-None-Match", r.Header.Get("ETag"), "Accept-Encoding", r.Header.Get("Content-Encoding"))
		if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
			t.Errorf("asked again with %s: %d", r.Header.Get("ETag"), again.StatusCode)
		}
	}
	if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
		t.Error("two forms have one tag")
	}
}

func TestViewThatWasNotBuiltSaysSo(t *testing.T) {
	v, err := view.Of(fstest.MapFS{".gitkeep": {}})
	if err != nil || v.Built() {
		t.Fatal(err, v.Built())
	}
	r := ask(t, v, "GET", "/_orma/viz/")
	checkHeaders(t, r)
	if text := body(t, r); r.StatusCode != http.StatusNotImplemented || !strings.Contains(text, "make view build") {
		t.Errorf("%d %s", r.StatusCode, text)
	}
}

// inline matches what the policy would not run: scripts and styles in a page, and handlers
// in attributes.
var inline = regexp.MustCompile(`(?is)<script(?:\s[^>]*)?>\s*[^<\s]|<style|\sstyle\s*=|\son[a-z]+\s*=|javascript:|(?:src|href)\s*=\s*["']?(?:https?:)?//`)

// TestPagesHaveNothingInline looks at the pages that are in this program, and at the
// source of the app, which may not have been built.
func TestPagesHaveNothingInline(t *testing.T) {
	v, err := view.New()
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{"served": body(t, ask(t, v, "GET", "/_orma/viz/"))}
	for _, name := range []string{"notbuilt.html", "app/src/index.html"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(b)
	}
	for name, page := range pages {
		if m := inline.FindString(page); m != "" {
			t.Errorf("%s has %q", name, m)
		}
	}
	if !inline.MatchString(`<script>alert(1)</script>`) || !inline.MatchString(`<p style="x">`) || !inline.MatchString(`<img src=x onerror=alert(1)>`) || !inline.MatchString(`<script src="https://x.example/y.js">`) {
		t.Error("the check sees nothing")
	}
}

package hugot_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/embed/hugot"
)

// hub serves a folder as a model called owner/toy, under the given revision.
func hub(t *testing.T, dir, revision string, onnx string) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("the storage was sent the token")
		}
		http.ServeFile(w, r, filepath.Join(dir, "model.onnx"))
	}))
	t.Cleanup(storage.Close)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := strings.CutPrefix(r.URL.Path, "/owner/toy/resolve/"+revision+"/")
		*asked = append(*asked, file)
		switch {
		case !ok || r.Header.Get("Authorization") != "Bearer secret":
			http.Error(w, "no", http.StatusForbidden)
		case file == onnx:
			http.Redirect(w, r, strings.Replace(storage.URL, "127.0.0.1", "localhost", 1)+"/blob", http.StatusFound)
		case strings.HasSuffix(file, ".onnx"):
			http.NotFound(w, r)
		default:
			http.ServeFile(w, r, filepath.Join(dir, filepath.FromSlash(file)))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestPull(t *testing.T) {
	for _, test := range []struct {
		name string
		o    hugot.PullOptions
		onnx string
	}{
		{"usual place", hugot.PullOptions{}, "onnx/model.onnx"},
		{"top folder", hugot.PullOptions{Revision: "v1"}, "model.onnx"},
		{"named", hugot.PullOptions{ONNX: "onnx/model_int8.onnx"}, "onnx/model_int8.onnx"},
	} {
		t.Run(test.name, func(t *testing.T) {
			revision := test.o.Revision
			if revision == "" {
				revision = "main"
			}
			test.o.Token = "secret"
			test.o.Hub, _ = hub(t, "testdata/mean", revision, test.onnx)
			var told []string
			test.o.Progress = func(file string, size int64) { told = append(told, fmt.Sprint(file, " ", size > 0)) }
			dir, err := hugot.Pull(t.Context(), "owner/toy", t.TempDir(), test.o)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(dir) != "owner--toy" {
				t.Errorf("folder %s", dir)
			}
			if !slices.Contains(told, "1_Pooling/config.json true") || !slices.Contains(told, test.onnx+" true") {
				t.Errorf("progress told %v", told)
			}
			m := open(t, hugot.Config{Path: dir})
			if got := vectors(t, m, "cat"); !near(got, want(2, 6, 3)) {
				t.Errorf("the model gives %v", got)
			}
			left, err := filepath.Glob(filepath.Join(dir, ".pull-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left over: %v, %v", left, err)
			}
		})
	}
}

func TestPullRefuses(t *testing.T) {
	for _, name := range []string{"", "toy", "owner/", "/toy", "owner/toy/x", "../toy", "owner/..", "owner/a..b", "https://x/y", "owner/to y", "owner\\toy"} {
		if _, err := hugot.Pull(t.Context(), name, t.TempDir(), hugot.PullOptions{}); !errors.Is(err, hugot.ErrPull) || !strings.Contains(err.Error(), "owner/model") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	answer := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		text    string
	}{
		"nothing there":  {answer(404, ""), "config.json: not in the repository"},
		"forbidden":      {answer(401, ""), "401"},
		"broken":         {answer(500, ""), "500"},
		"cut":            {answer(200, "abc", "Content-Length", "10"), "config.json"},
		"too large":      {answer(200, "", "Content-Length", "99999999999"), "too many"},
		"endless circle": {answer(302, "", "Location", "/again"), "redirects"},
		"no weights": {func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".onnx") {
				w.WriteHeader(404)
			}
		}, "it has no onnx/model.onnx or model.onnx"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(test.handler)
			t.Cleanup(s.Close)
			dir := t.TempDir()
			_, err := hugot.Pull(t.Context(), "owner/toy", dir, hugot.PullOptions{Hub: s.URL})
			if !errors.Is(err, hugot.ErrPull) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want one with %q", err, test.text)
			}
			left, err := filepath.Glob(filepath.Join(dir, "*", ".pull-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left over: %v, %v", left, err)
			}
		})
	}
}

func TestPullStaysWithHTTPS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the plain server was asked") }))
	t.Cleanup(plain.Close)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL, http.StatusFound) }))
	t.Cleanup(s.Close)
	_, err := hugot.Pull(t.Context(), "owner/toy", t.TempDir(), hugot.PullOptions{Hub: s.URL, Transport: s.Client().Transport})
	if !errors.Is(err, hugot.ErrPull) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("error %v", err)
	}
}

func TestPullCanBeCancelled(t *testing.T) {
	url, _ := hub(t, "testdata/mean", "main", "model.onnx")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := hugot.Pull(ctx, "owner/toy", t.TempDir(), hugot.PullOptions{Hub: url, Token: "secret", Progress: func(string, int64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestPullReplaces(t *testing.T) {
	url, _ := hub(t, "testdata/mean", "main", "model.onnx")
	dir := t.TempDir()
	old := filepath.Join(dir, "owner--toy", "config.json")
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := hugot.Pull(t.Context(), "owner/toy", dir, hugot.PullOptions{Hub: url, Token: "secret"}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(old); err != nil || string(b) == "old" {
		t.Errorf("config.json is still %q, %v", b, err)
	}
}

// TestPullOverABadLine fetches from a hub whose storage cuts the connection, names sums, and lies.
func TestPullOverABadLine(t *testing.T) {
	model, err := os.ReadFile("testdata/mean/model.onnx")
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(model)
	sum := hex.EncodeToString(digest[:])
	for _, c := range []struct {
		name, sum string
		cuts      int  // how often the connection is cut
		ranges    bool // the storage knows ranges
		changed   bool // the file is another one the second time
		want      string
	}{
		{"sound", sum, 0, true, false, ""},
		{"sum in capitals", strings.ToUpper(sum), 0, true, false, ""},
		{"no sum", "", 2, true, false, ""},
		{"cut three times", sum, 3, true, false, ""},
		{"cut too often", sum, 1000, true, false, "EOF"},
		{"cut, without ranges", sum, 1, false, false, "cannot be gone on with"},
		{"cut, and changed meanwhile", sum, 1, true, true, "cannot be gone on with"},
		{"another sum", strings.Repeat("ab", 32), 0, true, false, "SHA-256 differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				etag := `"one"`
				if c.changed && asked > 1 {
					etag = `"two"`
				}
				if !c.ranges {
					r.Header.Del("Range")
				}
				w.Header().Set("ETag", etag)
				if asked > c.cuts {
					http.ServeContent(w, r, "model.onnx", time.Time{}, bytes.NewReader(model))
					return
				}
				http.ServeContent(&cutter{ResponseWriter: w, left: 100}, r, "model.onnx", time.Time{}, bytes.NewReader(model))
			}))
			defer storage.Close()
			hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				file := strings.TrimPrefix(r.URL.Path, "/owner/toy/resolve/main/")
				if file != "onnx/model.onnx" {
					http.ServeFile(w, r, filepath.Join("testdata/mean", filepath.FromSlash(file)))
					return
				}
				if c.sum != "" {
					w.Header().Set("X-Linked-Etag", `"`+c.sum+`"`)
				}
				http.Redirect(w, r, storage.URL+"/blob", http.StatusFound)
			}))
			defer hub.Close()
			dir := t.TempDir()
			_, err := hugot.Pull(t.Context(), "owner/toy", dir, hugot.PullOptions{Hub: hub.URL})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			got, err := os.ReadFile(filepath.Join(dir, "owner--toy", "model.onnx"))
			if c.want == "" && !bytes.Equal(got, model) || c.want != "" && err == nil {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "owner--toy", ".pull-*")); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// cutter drops the connection after some bytes.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	n := min(len(p), c.left)
	_, _ = c.ResponseWriter.Write(p[:n])
	if c.left -= n; c.left == 0 {
		c.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, nil
}

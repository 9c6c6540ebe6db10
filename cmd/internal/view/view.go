// Package view serves the 3-D view of a memory, which is part of the program: nothing is
// loaded from elsewhere. Its pages hold nothing of anyone's; what they show comes from the
// HTTP API, under the rights of whoever looks.
//
// The app under app is built by `make view` into dist, which is embedded. A program that
// was built without it says so where the view would be.
package view

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Base is the path under which the view lies.
const Base = "/_orma/viz"

// policy lets the pages run their own scripts and talk to their own server, and nothing
// else: no text of a memory can become code, and none can leave.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed all:dist
var dist embed.FS

//go:embed notbuilt.html
var notBuilt []byte

// View serves the app. It is safe for concurrent use.
type View struct {
	files map[string]*file // by path below Base, with its slash
}

// file is one file of the app.
type file struct {
	data    []byte
	packed  func() []byte // gzipped; nil where that saves nothing
	media   string
	tag     string
	forever bool // its name changes with its content
}

// New returns the view that is part of this program.
func New() (*View, error) {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return Of(root)
}

// Of returns a view of the files of an app.
func Of(root fs.FS) (*View, error) {
	v := &View{files: map[string]*file{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		v.files["/"+name] = newFile(name, data)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if page, ok := v.files["/index.html"]; ok {
		v.files["/"] = page
	}
	return v, err
}

// Built reports whether the app is there.
func (v *View) Built() bool { return v.files["/"] != nil }

// hashed is a file name with a hash of what is in it.
var hashed = regexp.MustCompile(`-[0-9A-Za-z_]{8,}\.[0-9a-z]+$`)

func newFile(name string, data []byte) *file {
	sum := sha256.Sum256(data)
	f := &file{data: data, media: media(name), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, forever: hashed.MatchString(name)}
	if strings.HasPrefix(f.media, "text/") || strings.HasSuffix(name, ".svg") || strings.HasSuffix(name, ".json") {
		f.packed = sync.OnceValue(func() []byte { return pack(data) })
	}
	return f
}

// media is the type of a file. The system's own table differs from machine to machine.
func media(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".woff2":
		return "font/woff2"
	case ".json", ".webmanifest":
		return "application/json"
	case ".wasm":
		return "application/wasm"
	}
	return "application/octet-stream"
}

func pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one of the package's own
	_, _ = w.Write(data)                                  // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// ServeHTTP answers a request under [Base]. A path names a file of the app as it is, so
// that none can lead out of it.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		text(w, http.StatusMethodNotAllowed, "The view is only looked at. What changes memory goes to the API under /_orma/v1.")
		return
	}
	rest := strings.TrimPrefix(r.URL.Path, Base)
	switch f := v.files[rest]; {
	case rest == "":
		w.Header().Set("Location", Base+"/") // what follows # is the browser's, and stays
		w.WriteHeader(http.StatusPermanentRedirect)
	case f != nil:
		f.serve(w, r)
	case rest == "/" || rest == "/index.html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNotImplemented)
		_, _ = w.Write(notBuilt)
	default:
		text(w, http.StatusNotFound, "There is no such file. The view is at "+Base+"/")
	}
}

// secure sets what every answer carries.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY") // for browsers that do not know frame-ancestors
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), usb=(), serial=()")
}

func text(w http.ResponseWriter, status int, s string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(s + "\n"))
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	data := f.data
	if f.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "" {
			data = f.packed()
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", strings.TrimSuffix(f.tag, `"`)+`-gzip"`)
			if r.Header.Get("If-None-Match") == "" {
				h.Set("Content-Length", strconv.Itoa(len(data)))
			}
		}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// takesGzip reports whether a client wants gzip.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && !strings.HasPrefix(q, "q=0.0")
		}
	}
	return false
}

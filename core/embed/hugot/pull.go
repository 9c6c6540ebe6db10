package hugot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// PullOptions say where a model comes from. The zero value stands for Hugging Face's hub.
type PullOptions struct {
	Hub       string // base address
	Revision  string // branch, tag or commit; main if empty
	ONNX      string // path of the .onnx file in the repository; onnx/model.onnx or model.onnx if empty
	Token     string // of a user, for private models
	Transport http.RoundTripper
	// Progress, if set, is told of each file before it is fetched, with its size in bytes or -1.
	Progress func(file string, size int64)
}

// maxFile bounds a file that Pull fetches. Sentence models that are worth running here are far below.
const maxFile = 4 << 30

// ErrPull says that a model could not be fetched.
var ErrPull = errors.New("model was not fetched")

var modelName = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*$`)

// Pull fetches a model, such as "sentence-transformers/all-MiniLM-L6-v2", to a folder below dir that
// is called like the model, and returns the folder. It needs the internet. Files appear whole
// or not at all; those of an earlier pull are replaced. Models that are split into several files are
// not supported.
func Pull(ctx context.Context, name, dir string, o PullOptions) (string, error) {
	if !modelName.MatchString(name) || strings.Contains(name, "..") {
		return "", fmt.Errorf("%w: %q is no name of a model, which looks like owner/model", ErrPull, name)
	}
	if o.Hub == "" {
		o.Hub = "https://huggingface.co"
	}
	if o.Revision == "" {
		o.Revision = "main"
	}
	p := puller{o: o, base: strings.TrimRight(o.Hub, "/") + "/" + name + "/resolve/" + url.PathEscape(o.Revision) + "/"}
	p.http = &http.Client{Transport: o.Transport, CheckRedirect: p.redirect}
	p.dir = filepath.Join(dir, strings.ReplaceAll(name, "/", "--"))
	if err := p.pull(ctx); err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrPull, name, err)
	}
	return p.dir, nil
}

type puller struct {
	o    PullOptions
	base string
	dir  string
	http *http.Client
}

// redirect lets the hub send us to its storage, but never from https to http.
func (p *puller) redirect(next *http.Request, via []*http.Request) error {
	if len(via) > 5 {
		return errors.New("more than 5 redirects")
	}
	if via[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return fmt.Errorf("redirect to %s://%s is refused", next.URL.Scheme, next.URL.Host)
	}
	return nil
}

var errMissing = errors.New("not in the repository")

func (p *puller) pull(ctx context.Context) error {
	for _, f := range []struct {
		name     string
		optional bool
	}{
		{"config.json", false},
		{"tokenizer.json", false},
		{"tokenizer_config.json", true},
		{"special_tokens_map.json", true},
		{"sentence_bert_config.json", true},
		{"1_Pooling/config.json", true},
	} {
		if err := p.fetch(ctx, f.name, f.name); err != nil && !(f.optional && errors.Is(err, errMissing)) {
			return err
		}
	}
	sources := []string{"onnx/model.onnx", "model.onnx"}
	if p.o.ONNX != "" {
		sources = []string{p.o.ONNX}
	}
	for _, source := range sources {
		if err := p.fetch(ctx, source, "model.onnx"); !errors.Is(err, errMissing) {
			return err
		}
	}
	return fmt.Errorf("it has no %s", strings.Join(sources, " or "))
}

// fetch copies a file of the repository to a file of the folder.
func (p *puller) fetch(ctx context.Context, from, to string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", from, err)
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+(&url.URL{Path: from}).EscapedPath(), nil)
	if err != nil {
		return err
	}
	if p.o.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.o.Token)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return errMissing
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("status %s", resp.Status)
	case resp.ContentLength > maxFile:
		return fmt.Errorf("%d bytes are too many", resp.ContentLength)
	}
	if p.o.Progress != nil {
		p.o.Progress(from, resp.ContentLength)
	}
	body := &resumed{body: resp.Body, size: resp.ContentLength, left: maxResumes, more: func(at int64) (io.ReadCloser, error) {
		return p.rest(req, resp.Header.Get("ETag"), at)
	}}
	defer func() { err = errors.Join(err, body.Close()) }()
	return save(filepath.Join(p.dir, filepath.FromSlash(to)), body, resp.ContentLength, linkedSum(resp))
}

// maxResumes is how often a connection that is cut is made again for one file.
const maxResumes = 5

// resumed reads a file over a connection that may be cut.
type resumed struct {
	body     io.ReadCloser
	at, size int64 // size -1: not known
	left     int
	more     func(at int64) (io.ReadCloser, error)
}

func (r *resumed) Read(b []byte) (int, error) {
	n, err := r.body.Read(b)
	r.at += int64(n)
	if err == nil || r.at >= r.size || r.left == 0 || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	r.left--
	next, merr := r.more(r.at)
	if merr != nil {
		return n, errors.Join(err, merr)
	}
	err = r.body.Close()
	r.body = next
	return n, err
}

func (r *resumed) Close() error { return r.body.Close() }

// rest asks for a file from a byte on, if it is still the same.
func (p *puller) rest(first *http.Request, etag string, at int64) (io.ReadCloser, error) {
	req := first.Clone(first.Context())
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-", at))
	if strings.HasPrefix(etag, `"`) { // a weak one says too little
		req.Header.Set("If-Range", etag)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusPartialContent || !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", at)) {
		return nil, errors.Join(fmt.Errorf("it cannot be gone on with from byte %d: status %s", at, resp.Status), resp.Body.Close())
	}
	return resp.Body, nil
}

// linkedSum returns the SHA-256 of a large file, which the hub names where it sends us to
// its storage; "" where it does not.
func linkedSum(resp *http.Response) string {
	for resp != nil {
		sum := strings.Trim(resp.Header.Get("X-Linked-Etag"), `"`)
		if raw, err := hex.DecodeString(sum); err == nil && len(raw) == sha256.Size {
			return strings.ToLower(sum)
		}
		resp = resp.Request.Response
	}
	return ""
}

// save writes a file under another name and renames it when all of it is on disk: size bytes if that
// is known, with the SHA-256 sum if that is.
func save(path string, r io.Reader, size int64, sum string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".pull-*")
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
	case n > maxFile:
		err = errors.New("it does not end")
	case size >= 0 && n != size:
		err = fmt.Errorf("%d of %d bytes came", n, size)
	case sum != "" && sum != hex.EncodeToString(h.Sum(nil)):
		err = errors.New("what came is not what the hub names: its SHA-256 differs; try again")
	default:
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

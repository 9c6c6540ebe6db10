package hugot

import (
	"context"
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
	return save(filepath.Join(p.dir, filepath.FromSlash(to)), resp.Body, resp.ContentLength)
}

// save writes a file under another name and renames it when all of it, size bytes if that is known, is
// on disk.
func save(path string, r io.Reader, size int64) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".pull-*")
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
	case n > maxFile:
		err = errors.New("it does not end")
	case size >= 0 && n != size:
		err = fmt.Errorf("%d of %d bytes came", n, size)
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

package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/chat"
	"github.com/orma-memory/orma/cmd/internal/trace"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// header says on every answer what became of memory.
const header = "X-Orma-Memory"

// What became of memory in a request.
const (
	memoryOn      = "on"      // it is in the request
	memoryNothing = "nothing" // nothing was found
	memorySkipped = "skipped" // the client asked for none
	memoryOff     = "off"     // left out; the reason follows
)

// bodyTimeout is how long the body of a chat may take to arrive.
const bodyTimeout = 2 * time.Minute

// exchange is one chat request on its way through.
type exchange struct {
	p       *Proxy
	dialect chat.Dialect
	who     access.Principal
	space   string
	session string
	request *chat.Request
	prints  []chat.Print
	began   time.Time

	memory string // what became of it
	used   engine.Request
	items  []engine.Item // what was delivered

	listener *chat.Listener
	encoding string // of the answer's bytes
	status   int
}

// chat passes a chat request on with memory.
func (p *Proxy) chat(w http.ResponseWriter, r *http.Request, root *url.URL, d chat.Dialect) {
	x := &exchange{p: p, dialect: d, who: access.Of(r.Context()), began: p.o.Now()}
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout)) // only fails for writers that are not of a server
	body, rest, err := readBody(r, p.o.Limits.BodyBytes)
	_ = rc.SetReadDeadline(time.Time{})
	if err != nil {
		p.Refuse(w, r, http.StatusBadRequest, core.Errorf(core.CodeInvalid, "the body did not arrive whole"))
		return
	}
	sent, err := x.prepare(r, body, rest != nil)
	if err != nil { // only what a token does not open
		p.Refuse(w, r, http.StatusForbidden, err)
		return
	}
	w.Header().Set(header, x.memory)
	span := trace.Of(r.Context())
	span.Name("chat " + d.String())
	span.Set("memory", x.memory)
	if state, _, _ := strings.Cut(x.memory, ";"); p.count != nil {
		p.count.Chat(d.String(), state)
	}
	if rest != nil {
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(sent), rest), r.Body}
	} else {
		r.Body = io.NopCloser(bytes.NewReader(sent))
		r.ContentLength = int64(len(sent))
		r.Header.Set("Content-Length", "") // the transport sets it anew
		r.Header.Del("Content-Length")
		r.TransferEncoding = nil
		r.Header.Del("Expect") // the client was told to go on, and has
	}
	if x.request == nil {
		p.pass(w, r, root, nil)
		return
	}
	r.Header.Set("Accept-Encoding", "identity") // what is said must be readable here
	defer func() { x.finish(r.Context(), root) }()
	p.pass(w, r, root, x.listen)
}

// readBody reads a body up to a limit. Of a longer one rest is what was not read.
func readBody(r *http.Request, limit int) (body []byte, rest io.Reader, err error) {
	var b bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= int64(limit) {
		b.Grow(int(n) + bytes.MinRead)
	}
	n, err := io.Copy(&b, io.LimitReader(r.Body, int64(limit)+1))
	if err == nil && n > int64(limit) {
		rest = r.Body
	}
	return b.Bytes(), rest, err
}

// prepare returns the body to send. The error is for a space that the token does not
// open; everything else leaves the body as it is.
func (x *exchange) prepare(r *http.Request, body []byte, cut bool) ([]byte, error) {
	off := func(reason string, err error) ([]byte, error) {
		x.memory = memoryOff + "; " + reason
		if n := x.p.off.times(reason, x.began); n > 0 {
			x.p.o.Log.Warn("request goes on without memory", slog.String("reason", reason), slog.Int("times", n), slog.Any("error", err))
		}
		return body, nil
	}
	skip := isTrue(r.Header.Get("X-Orma-Skip"))
	if cut && !skip {
		return off("body too long", nil)
	}
	var req *chat.Request
	var err error
	if !cut && r.Header.Get("Content-Encoding") == "" {
		req, err = chat.Parse(x.dialect, body)
	}
	user := ""
	if req != nil {
		user = req.User
	}
	space, serr := x.spaceOf(r, user)
	if core.CodeOf(serr) == core.CodeDenied {
		return nil, serr
	}
	switch {
	case skip:
		x.memory = memorySkipped
		return body, nil
	case serr != nil:
		return off("space name not valid", serr)
	case req == nil:
		return off("body not understood", err)
	}
	x.space, x.request, x.prints = space, req, req.Prints()
	x.session = r.Header.Get("X-Orma-Session")
	return x.remember(r, body, off)
}

// spaceOf returns the space of a request: the token's, else the header's, else that of
// the body's user, else the configured one.
func (x *exchange) spaceOf(r *http.Request, user string) (string, error) {
	if _, fixed := x.who.Fixed(); fixed || r.Header.Get("X-Orma-Space") != "" {
		user = ""
	}
	return x.who.Space(x.p.o.Settings.Space, r.Header.Get("X-Orma-Space"), user)
}

// isTrue reads a switch in a header.
func isTrue(v string) bool {
	v = strings.TrimSpace(v)
	return v == "1" || strings.EqualFold(v, "true")
}

// remember puts memory into the body.
func (x *exchange) remember(r *http.Request, body []byte, off func(string, error) ([]byte, error)) ([]byte, error) {
	began := x.p.o.Now()
	span := trace.Of(r.Context()).Child("recall")
	m, err := x.recall(r.Context())
	if err != nil {
		span.Fail()
	}
	span.End()
	if x.p.count != nil {
		x.p.count.Recall(x.p.o.Now().Sub(began))
	}
	if err != nil {
		reason := "recall failed"
		if errors.Is(err, context.DeadlineExceeded) {
			reason = "recall took too long"
		}
		return off(reason, err)
	}
	if m.Empty() {
		x.memory = memoryNothing
		return body, nil
	}
	x.memory = memoryOn
	return x.request.Inject(m), nil
}

// listen is told of the answer before it is passed on.
func (x *exchange) listen(resp *http.Response) {
	x.status = resp.StatusCode
	if resp.StatusCode >= 400 || resp.StatusCode < 200 || resp.Body == nil {
		return
	}
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	x.listener = chat.Listen(x.dialect, strings.ToLower(strings.TrimSpace(media)))
	x.encoding = resp.Header.Get("Content-Encoding")
	var to io.Writer = x.listener
	if x.encoding != "" && x.encoding != "identity" {
		to = io.Discard // it was asked for plain bytes and sent others
		x.p.o.Log.Debug("reply is not recorded", slog.String("content_encoding", x.encoding))
	}
	resp.Body = &tap{ReadCloser: resp.Body, to: to}
}

// tap shows the bytes of an answer to a listener, each piece after it was passed on:
// when the next one is asked for, or at the end.
type tap struct {
	io.ReadCloser
	to   io.Writer
	last []byte
}

func (t *tap) Read(p []byte) (int, error) {
	t.show()
	n, err := t.ReadCloser.Read(p)
	t.last = append(t.last, p[:n]...) // p is someone else's when the copying is over
	return n, err
}

func (t *tap) show() {
	_, _ = t.to.Write(t.last) // listeners do not fail
	t.last = t.last[:0]
}

func (t *tap) Close() error {
	t.show()
	return t.ReadCloser.Close()
}

// finish hands what was said to the recorder.
func (x *exchange) finish(ctx context.Context, root *url.URL) {
	gone := ctx.Err() != nil
	if x.status >= 400 || x.status == 0 && !gone {
		return // the client was told that it failed and will say it again
	}
	if x.session == "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		x.session = x.p.sessions.of(ctx, x.space, x.request, x.prints)
	}
	if x.p.o.Adopt != nil && x.request.Model != "" && x.status != 0 {
		x.p.o.Adopt(root.String(), x.request.Model)
	}
	var reply chat.Reply
	if x.listener != nil {
		reply = x.listener.Close()
		x.p.sessions.replied(x.space, reply.ID, x.session)
	}
	if x.p.o.Settings.Record && x.who.Need(core.RightWrite) == nil {
		x.p.recorder.put(x.said(reply))
	}
}

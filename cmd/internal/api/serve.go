package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
)

// serve answers one request.
func (a *API) serve(rt *route, w http.ResponseWriter, r *http.Request) {
	began := a.o.Now()
	c := &call{Request: r, api: a, w: w, who: access.Of(r.Context())}
	if a.o.Limits.Timeout > 0 && !rt.slow && rt.stream == "" {
		ctx, cancel := context.WithTimeoutCause(r.Context(), a.o.Limits.Timeout,
			core.Errorf(core.CodeUnavailable, "the request took too long").Hinted("try again, or raise serve.timeout_ms"))
		defer cancel()
		c.Request = r.WithContext(ctx)
	}
	status := a.answer(rt, c)
	if rt.method != http.MethodGet && rt.right != core.RightRead {
		a.audit(rt, c, status)
	}
	if a.o.Observe != nil {
		a.o.Observe(rt.verb, status, a.o.Now().Sub(began))
	}
}

// answer does what the route says and returns the status that was sent.
func (a *API) answer(rt *route, c *call) int {
	raw, err := a.prepare(rt, c)
	if err != nil {
		return a.fail(c.w, c.who, err)
	}
	key := ""
	if rt.once {
		if key = c.Header.Get("Idempotency-Key"); key != "" {
			done, err := a.begin(c, key, raw)
			if err != nil {
				return a.fail(c.w, c.who, err)
			}
			if done != nil {
				c.w.Header().Set("Idempotency-Replayed", "true")
				return send(c.w, http.StatusOK, done)
			}
		}
	}
	out, err := rt.run(c)
	var data []byte
	if err == nil && rt.stream == "" {
		data, err = encode(out)
	}
	if key != "" {
		a.finish(c, key, data)
	}
	switch {
	case err != nil:
		return a.fail(c.w, c.who, err)
	case rt.stream != "":
		return http.StatusOK
	case rt.tag && tagged(c, data):
		return http.StatusNotModified
	}
	return send(c.w, http.StatusOK, packed(c.w, c.Request, data))
}

// prepare checks who calls, reads the body and finds the space.
func (a *API) prepare(rt *route, c *call) (raw []byte, err error) {
	if rt.reach == ofStore {
		err = c.who.NeedAll()
	} else {
		err = c.who.Need(rt.right)
	}
	if err != nil {
		return nil, err
	}
	if rt.body != nil {
		if raw, err = a.read(c); err != nil {
			return nil, err
		}
		body := reflect.New(rt.body).Interface()
		if err := decode(raw, body); err != nil {
			return nil, err
		}
		c.body = body
	}
	if err := c.checkQuery(rt); err != nil || rt.reach != ofSpace {
		return raw, err
	}
	named := ""
	if s, ok := c.body.(spaced); ok {
		named = s.spaceName()
	}
	c.space, err = c.who.Space(core.DefaultSpace, c.Header.Get("X-Orma-Space"), c.URL.Query().Get("space"), named)
	return raw, err
}

// Answers to idempotency keys are kept for a day; a claim whose owner died blocks
// its key for a minute.
const (
	answersKept = 24 * time.Hour
	claimsKept  = time.Minute
)

// begin claims an idempotency key. An answer that is not nil was given before.
func (a *API) begin(c *call, key string, raw []byte) ([]byte, error) {
	if len(key) > 128 || strings.ContainsFunc(key, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
		return nil, core.Errorf(core.CodeInvalid, "an idempotency key has 1 to 128 visible ASCII characters")
	}
	now := a.o.Now()
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(c.URL.Path+"\n"+key+"\n")), crc32.IEEETable, raw)
	done, claimed, err := a.o.Access.BeginRequest(c.Context(), core.RequestKey{
		Space: c.space, Key: key, Sum: sum, At: now, Expired: now.Add(-answersKept), Dead: now.Add(-claimsKept),
	})
	if err == nil && !claimed && done == nil {
		err = core.Errorf(core.CodeConflict, "a request with this idempotency key is under way").Hinted("try again in a moment")
	}
	return done, err
}

func (a *API) finish(c *call, key string, answer []byte) {
	// The caller may be gone; what was done must be known all the same.
	if err := a.o.Access.FinishRequest(context.WithoutCancel(c.Context()), c.space, key, answer); err != nil {
		a.o.Log.Warn("answer to an idempotency key was not kept", slog.Any("error", err))
	}
}

// audit notes who did what.
func (a *API) audit(rt *route, c *call, status int) {
	if status == http.StatusUnauthorized {
		return
	}
	e := core.AuditEntry{At: a.o.Now(), Token: c.who.Token, Verb: rt.verb, Space: c.space, Item: c.item, Status: status}
	if err := a.o.Access.Audit(context.WithoutCancel(c.Context()), e); err != nil {
		a.o.Log.Warn("not in the audit log", slog.String("verb", e.Verb), slog.String("token", e.Token), slog.Int("status", status), slog.Any("error", err))
	}
}

// tagged sets the ETag of an answer, and reports whether the caller has it already.
func tagged(c *call, data []byte) bool {
	sum := sha256.Sum256(data)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	c.w.Header().Set("ETag", tag)
	c.w.Header().Set("Cache-Control", "private, no-cache")
	for have := range strings.SplitSeq(c.Header.Get("If-None-Match"), ",") {
		if have = strings.TrimPrefix(strings.TrimSpace(have), "W/"); have == tag || have == "*" {
			c.w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

func (a *API) wrongMethod(w http.ResponseWriter, r *http.Request, methods []string) {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	err := core.Errorf(core.CodeUnsupported, "%s is not a method of this route", r.Method).Hinted("use %s", strings.Join(methods, " or "))
	sendError(w, http.StatusMethodNotAllowed, err)
}

// checkQuery refuses parameters that the route does not know: a misspelt one would
// pass unseen.
func (c *call) checkQuery(rt *route) error {
	for name, values := range c.URL.Query() {
		known := name == "space" && rt.reach == ofSpace
		for _, p := range rt.params {
			known = known || p.name == name && !p.path
		}
		if !known {
			return core.Errorf(core.CodeInvalid, "parameter %q is not known", name)
		}
		if len(values) > 1 {
			return core.Errorf(core.CodeInvalid, "parameter %q is given %s times", name, fmt.Sprint(len(values)))
		}
	}
	return nil
}

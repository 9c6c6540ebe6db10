package access

import (
	"bytes"
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
)

// Policy says when tokens are needed.
type Policy int

// The policies.
const (
	Optional Policy = iota // a token counts when it is given
	Required               // nobody enters without one
	Ignored                // tokens are neither needed nor looked at
)

// Store is what is needed of a [core.Access].
type Store interface {
	TokenByHash(ctx context.Context, hash []byte) (core.Token, error)
	TouchToken(ctx context.Context, id string, at time.Time) error
}

// Options say how a [Guard] decides.
type Options struct {
	Hosts  Hosts
	Policy Policy
	Sole   string // a token that is valid for this run only; may be empty
	Store  Store
	Now    func() time.Time
	Log    *slog.Logger
}

// Guard lets requests in. It is safe for concurrent use.
type Guard struct {
	o    Options
	sole []byte // hash of Options.Sole

	mu      sync.Mutex
	touched map[string]time.Time
}

// NewGuard returns a guard.
func NewGuard(o Options) *Guard {
	g := &Guard{o: o, touched: map[string]time.Time{}}
	if o.Sole != "" {
		g.sole = Hash(o.Sole)
	}
	return g
}

// CheckOrigin refuses requests under foreign names and from foreign pages.
func (g *Guard) CheckOrigin(r *http.Request) error { return g.o.Hosts.Check(r) }

// Admit returns who makes a request.
func (g *Guard) Admit(r *http.Request) (Principal, error) {
	if g.o.Policy == Ignored {
		return Local(), nil
	}
	secret, err := Secret(r.Header)
	if err != nil {
		return Principal{}, err
	}
	if secret == "" {
		if g.o.Policy == Required && !isLocalSocket(r) {
			return Principal{}, core.Errorf(core.CodeUnauthed, "a token is needed here").
				Hinted("make one with: orma token new NAME; send it as Authorization: Bearer orma_…")
		}
		return Local(), nil
	}
	return g.principal(r.Context(), secret)
}

func (g *Guard) principal(ctx context.Context, secret string) (Principal, error) {
	hash := Hash(secret)
	if g.sole != nil && subtle.ConstantTimeCompare(hash, g.sole) == 1 {
		return Local(), nil
	}
	t, err := g.o.Store.TokenByHash(ctx, hash)
	switch {
	case core.CodeOf(err) == core.CodeNotFound:
		return Principal{}, core.Errorf(core.CodeUnauthed, "this token is not valid").Hinted("make one with: orma token new NAME")
	case err != nil:
		return Principal{}, err
	case !bytes.Equal(t.Hash, hash):
		return Principal{}, core.Errorf(core.CodeInternal, "the store gave another token")
	}
	g.touch(ctx, t.ID)
	return Principal{Token: t.ID, Right: t.Right, Spaces: t.Spaces}, nil
}

const touchTimeout = 100 * time.Millisecond

// touch notes the use of a token, once a minute.
func (g *Guard) touch(ctx context.Context, id string) {
	now := g.o.Now()
	g.mu.Lock()
	due := now.Sub(g.touched[id]) >= time.Minute
	if due {
		g.touched[id] = now
	}
	g.mu.Unlock()
	if !due {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, touchTimeout) // a locked store must not hold the request up
	defer cancel()
	if err := g.o.Store.TouchToken(ctx, id, now); err != nil {
		g.o.Log.Debug("use of token not noted", slog.String("token", id), slog.Any("error", err))
	}
}

// Secret returns the token of ours that a request carries: in x-orma-token, as
// bearer, or as x-api-key, which clients of Anthropic send. Two must agree.
func Secret(h http.Header) (string, error) {
	secret := ""
	for _, s := range carried(h) {
		if secret != "" && s != secret {
			return "", core.Errorf(core.CodeUnauthed, "the request carries two different tokens")
		}
		secret = s
	}
	return secret, nil
}

func carried(h http.Header) (out []string) {
	for _, v := range h.Values("X-Orma-Token") {
		out = append(out, strings.TrimSpace(v)) // here even what is none of ours must be valid
	}
	for _, v := range h.Values("Authorization") {
		if s, ok := bearer(v); ok {
			out = append(out, s)
		}
	}
	for _, v := range h.Values("X-Api-Key") {
		if s := strings.TrimSpace(v); strings.HasPrefix(s, Prefix) {
			out = append(out, s)
		}
	}
	return out
}

// bearer returns our token in the value of an Authorization header.
func bearer(v string) (string, bool) {
	scheme, s, ok := strings.Cut(strings.TrimSpace(v), " ")
	s = strings.TrimSpace(s)
	return s, ok && strings.EqualFold(scheme, "bearer") && strings.HasPrefix(s, Prefix)
}

// Strip takes what is only for us out of a request's headers: our tokens and all
// x-orma-… headers. Another server's keys stay.
func Strip(h http.Header) {
	for name := range h {
		if strings.HasPrefix(strings.ToLower(name), "x-orma-") {
			delete(h, name)
		}
	}
	keep(h, "Authorization", func(v string) bool { _, ours := bearer(v); return !ours })
	keep(h, "X-Api-Key", func(v string) bool { return !strings.HasPrefix(strings.TrimSpace(v), Prefix) })
}

func keep(h http.Header, name string, ok func(string) bool) {
	values := h.Values(name)
	if len(values) == 0 {
		return
	}
	kept := make([]string, 0, len(values))
	for _, v := range values {
		if ok(v) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		h.Del(name)
	} else {
		h[http.CanonicalHeaderKey(name)] = kept
	}
}

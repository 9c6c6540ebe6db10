package access

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Principal is who makes a request. The zero Principal may do nothing.
type Principal struct {
	Token  string // id of the token; empty when none was needed
	Right  core.Right
	Spaces []string // those it may use, canonical; empty means all
}

// Local is whoever uses this machine, where no token is needed.
func Local() Principal { return Principal{Right: core.RightAdmin} }

// Fixed returns the space that the token fixes: the one it is bound to.
func (p Principal) Fixed() (space string, ok bool) {
	if len(p.Spaces) != 1 {
		return "", false
	}
	return p.Spaces[0], true
}

// Space returns the space of a request. named are the places where a request may name
// one, empty where it does not; they must agree. fallback stands where none does.
//
// What a token is not bound to is denied, whether such a space exists or not.
func (p Principal) Space(fallback string, named ...string) (string, error) {
	space := ""
	for _, n := range named {
		if n == "" {
			continue
		}
		c, err := engine.Space(n)
		if err != nil {
			return "", err
		}
		if space != "" && c != space {
			return "", core.Errorf(core.CodeInvalid, "the request names two spaces")
		}
		space = c
	}
	if space == "" {
		if fixed, ok := p.Fixed(); ok {
			return fixed, nil
		}
		c, err := engine.Space(fallback)
		if err != nil {
			return "", err
		}
		space = c
	}
	if !p.Opens(space) {
		return "", core.Errorf(core.CodeDenied, "this token does not open that space").Hinted("name one that it is bound to")
	}
	return space, nil
}

// Opens reports whether a space, in canonical form, may be used.
func (p Principal) Opens(space string) bool {
	return p.Right != "" && (len(p.Spaces) == 0 || slices.Contains(p.Spaces, space))
}

// Need returns an error unless the principal has a right.
func (p Principal) Need(r core.Right) error {
	rights := core.Rights()
	if have := slices.Index(rights, p.Right); have < 0 || have < slices.Index(rights, r) {
		return core.Errorf(core.CodeDenied, "this token does not allow it").Hinted("it takes a token with the right %q", r)
	}
	return nil
}

// NeedAll returns an error unless the principal may look after the whole store.
func (p Principal) NeedAll() error {
	if err := p.Need(core.RightAdmin); err != nil {
		return err
	}
	if len(p.Spaces) > 0 {
		return core.Errorf(core.CodeDenied, "this token does not allow it").Hinted("it takes an admin token for all spaces")
	}
	return nil
}

type contextKey struct{}

// With returns a context that carries who makes the request. A principal is scoped to
// a request and crosses handlers that are not ours, such as those of MCP, so it
// travels in the context.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// Of returns who makes the request of a context; the zero Principal where nobody was
// let in.
func Of(ctx context.Context) Principal {
	p, _ := ctx.Value(contextKey{}).(Principal)
	return p
}

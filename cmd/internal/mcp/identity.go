package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// identities knows which episodes of a space say who an agent of it is. Ids only grow,
// so each look reads only what is newer than the last one; what is erased later is not
// found any more, and what is hidden says so.
type identities struct {
	mu    sync.Mutex
	known map[string]identity
}

// identity is what was found in a space. It is kept in the store, under a name of its
// own, when finding it again would take a while.
type identity struct {
	Seen core.ID   `json:"seen"` // the newest episode that was looked at
	IDs  []core.ID `json:"ids"`
}

// worthKeeping is how many episodes are looked at before the finding is kept.
const worthKeeping = 2000

// maxKnown bounds the spaces that are remembered.
const maxKnown = 1000

func newIdentities() *identities { return &identities{known: map[string]identity{}} }

// notes returns the identity notes of a space that stand now, oldest first.
func (n *identities) notes(ctx context.Context, e *engine.Engine, space string, now time.Time) ([]core.Episode, error) {
	ids, err := n.find(ctx, e, space)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	eps, err := e.Store().EpisodesByID(ctx, space, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(eps, func(ep core.Episode) bool {
		// Only the user says who an agent is.
		return ep.Quarantined || ep.Trust < core.TrustNote || !ep.Expires.IsZero() && !now.Before(ep.Expires)
	}), nil
}

func (n *identities) find(ctx context.Context, e *engine.Engine, space string) ([]core.ID, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	found, ok := n.known[space]
	if !ok {
		found = stored(ctx, e, space)
	}
	looked := 0
	for ep, err := range e.Store().Scan(ctx, space, found.Seen) {
		if err != nil {
			if core.CodeOf(err) == core.CodeNotFound { // no such space yet
				return nil, nil
			}
			return nil, err
		}
		found.Seen = ep.ID
		if ep.Kind == core.KindIdentity && ep.RepeatOf == 0 {
			found.IDs = append(found.IDs, ep.ID)
		}
		looked++
	}
	if looked >= worthKeeping {
		found.keep(ctx, e, space)
	}
	if len(n.known) >= maxKnown {
		clear(n.known)
	}
	n.known[space] = found
	return found.IDs, nil
}

func metaName(space string) string { return "identity of " + space }

// stored returns what an earlier process found; nothing if it cannot be read.
func stored(ctx context.Context, e *engine.Engine, space string) (found identity) {
	text, err := e.Store().Meta(ctx, metaName(space))
	if err != nil || json.Unmarshal([]byte(text), &found) != nil {
		return identity{}
	}
	return found
}

// keep writes a finding down. It is only ever a saving of time, so a store that cannot
// be written does not matter.
func (f *identity) keep(ctx context.Context, e *engine.Engine, space string) {
	data, err := json.Marshal(f)
	if err == nil {
		_ = e.Store().SetMeta(ctx, metaName(space), string(data))
	}
}

// identityTokens bounds what identity notes add to the instructions.
const identityTokens = 500

// who writes the identity notes of a space, the newest last; cut says that some are
// missing. The oldest are left out first.
func who(m meter, notes []core.Episode, tokens int) (text string, cut bool) {
	var lines []string
	for _, ep := range slices.Backward(notes) {
		line := "- " + strings.TrimSpace(ep.Text)
		cost := m.cost(line)
		if cost > tokens {
			cut = true
			if len(lines) > 0 {
				break
			}
			line = strings.TrimSpace(line[:m.cut(line, tokens)]) + "…"
		}
		tokens -= cost
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n"), cut
}

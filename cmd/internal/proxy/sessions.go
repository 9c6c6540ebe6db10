package proxy

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"github.com/orma-memory/orma/cmd/internal/chat"
)

// source is where recorded turns come from, as stats and quarantine name it.
const source = "chat"

// sameOpening is how long a conversation that begins with the same words counts as the
// same one begun again: a retry, not another day's greeting.
const sameOpening = time.Hour

// sessions knows which conversation a request belongs to. APIs do not say: a request
// holds its whole conversation, which is known by how it began.
type sessions struct {
	store Store
	now   func() time.Time

	mu        sync.Mutex
	byOpening *cache[openingKey, opening]
	byReply   *cache[replyKey, string] // by the id of a response
}

type openingKey struct {
	space string
	print chat.Print
}

type replyKey struct{ space, id string }

type opening struct {
	session string
	seen    time.Time
}

func newSessions(store Store, now func() time.Time) *sessions {
	return &sessions{
		store: store, now: now,
		byOpening: newCache[openingKey, opening](8192), byReply: newCache[replyKey, string](8192),
	}
}

// of returns the session of a request.
func (s *sessions) of(ctx context.Context, space string, r *chat.Request, prints []chat.Print) string {
	if r.Previous != "" {
		if id, ok := s.byReply.get(replyKey{space, r.Previous}); ok {
			return id
		}
	}
	first := r.First()
	if first < 0 {
		return ""
	}
	now := s.now()
	key := openingKey{space, prints[first]}
	s.mu.Lock()
	defer s.mu.Unlock()
	begins := first == r.Question() && r.New() <= first
	o, known := s.byOpening.get(key)
	if !known {
		o, known = s.stored(ctx, key)
	}
	if !known || begins && now.Sub(o.seen) > sameOpening {
		o.session = "chat-" + now.UTC().Format("20060102-150405") + "-" + hex.EncodeToString(key.print[:4])
	}
	o.seen = now
	s.byOpening.put(key, o)
	return o.session
}

// stored finds a conversation whose beginning was recorded, maybe by an earlier run.
func (s *sessions) stored(ctx context.Context, k openingKey) (opening, bool) {
	ep, err := s.store.EpisodeByKey(ctx, k.space, source, turnName(k.print))
	if err != nil || ep.Session == "" {
		return opening{}, false
	}
	return opening{ep.Session, ep.Recorded}, true
}

// replied remembers the session of a response that a later request may continue.
func (s *sessions) replied(space, id, session string) {
	if id != "" && session != "" {
		s.byReply.put(replyKey{space, id}, session)
	}
}

// turnName is the key under which a turn is recorded.
func turnName(p chat.Print) string { return "turn-" + hex.EncodeToString(p[:]) }

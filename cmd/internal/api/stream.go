package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/orma-memory/orma/core"
)

// How often a stream looks for news, and how often it says that it is alive.
const (
	streamPoll  = 250 * time.Millisecond
	streamAlive = 15 * time.Second
)

func streamRoutes() []route {
	return []route{
		on(route{
			method: http.MethodGet, path: "/stream", verb: "stream", about: "Follow a space: each new episode, and each change, as server-sent events",
			doc: "Events are episode (data: an episode; its id is the event's, for Last-Event-ID) and change (facts or counts are new; data: {\"generation\": n}). " +
				"It begins with what is new; after=ID begins behind that episode.",
			stream: "text/event-stream",
			params: []param{{name: "after", kind: "integer", about: "begin behind this episode"}},
		}, follow),
	}
}

// startStream begins an answer that is written bit by bit.
func (c *call) startStream(media string) {
	h := c.w.Header()
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	c.w.WriteHeader(http.StatusOK)
}

// follow sends what is appended to a space, by whichever process, until the client
// leaves. The version of a space costs microseconds to read, so it asks for that.
func follow(c *call, _ *none) (none, error) {
	a := c.api
	f := &follower{c: c, out: http.NewResponseController(c.w), store: a.o.Engine.Store()}
	if err := f.position(c.Context()); err != nil {
		return none{}, err
	}
	select {
	case a.streams <- struct{}{}:
		defer func() { <-a.streams }()
	default:
		return none{}, core.Errorf(core.CodeLimit, "there are %d streams already", cap(a.streams)).Hinted("close one, or try again later")
	}
	c.startStream("text/event-stream")
	if err := f.comment(); err != nil {
		return none{}, nil
	}
	poll := time.NewTicker(streamPoll)
	defer poll.Stop()
	alive := time.NewTicker(streamAlive)
	defer alive.Stop()
	for {
		var err error
		select {
		case <-c.Context().Done():
			return none{}, nil
		case <-a.closing:
			return none{}, nil
		case <-alive.C:
			err = f.comment()
		case <-poll.C:
			err = f.news(c.Context())
		}
		if err != nil {
			return none{}, nil // the client sees the end and comes back with its last id
		}
	}
}

// follower is one client of a stream.
type follower struct {
	c     *call
	out   *http.ResponseController
	store core.Store
	last  core.ID
	seen  core.Version
}

// position finds where to begin.
func (f *follower) position(ctx context.Context) error {
	var err error
	if f.seen, err = f.store.Version(ctx, f.c.space); err != nil {
		return err
	}
	from := f.c.Header.Get("Last-Event-ID")
	if from == "" {
		from = f.c.query("after")
	}
	if from != "" {
		n, err := strconv.ParseInt(from, 10, 64)
		if err != nil || n < 0 {
			return core.Errorf(core.CodeInvalid, "%q is not the id of an episode", from)
		}
		f.last, f.seen = core.ID(n), core.Version{}
		return nil
	}
	newest, err := f.store.Recent(ctx, f.c.space, 0, 1)
	if err != nil && core.CodeOf(err) != core.CodeNotFound {
		return err
	}
	if len(newest) > 0 {
		f.last = newest[0].ID
	}
	return nil
}

// news sends what happened since the last look.
func (f *follower) news(ctx context.Context) error {
	v, err := f.store.Version(ctx, f.c.space)
	if err != nil || v == f.seen {
		return err
	}
	f.seen = v
	for e, err := range f.store.Scan(ctx, f.c.space, f.last) {
		if err != nil {
			return err
		}
		data, err := json.Marshal(ViewEpisode(&e))
		if err != nil {
			return err
		}
		if err := f.send(fmt.Appendf(nil, "id: %d\nevent: episode\ndata: %s\n\n", e.ID, data)); err != nil {
			return err
		}
		f.last = e.ID
	}
	return f.send(fmt.Appendf(nil, "event: change\ndata: {\"generation\":%d}\n\n", v.Gen))
}

// comment shows that the stream is alive.
func (f *follower) comment() error { return f.send([]byte(":\n\n")) }

func (f *follower) send(b []byte) error {
	if err := f.out.SetWriteDeadline(time.Now().Add(streamAlive)); err != nil {
		return err
	}
	if _, err := f.c.w.Write(b); err != nil {
		return err
	}
	return f.out.Flush()
}

package proxy

import (
	"context"
	"time"

	"github.com/orma-memory/orma/cmd/internal/chat"
	"github.com/orma-memory/orma/core/engine"
)

// turnKey names a user's turn in a space.
type turnKey struct {
	space string
	print chat.Print
}

// recalled is what was put into a request.
type recalled struct {
	memory chat.Memory
	items  []engine.Item
}

// recallTimeout is how long a recall may go on that nobody waits for any more. It
// loads the index, so that the next one is in time.
const recallTimeout = time.Minute

// recall returns the memory for a request, or an error when it is not there in time.
func (x *exchange) recall(ctx context.Context) (chat.Memory, error) {
	q := x.request.Question()
	key := turnKey{x.space, x.print(q)}
	// In a tool loop the turn part stays as it was, byte for byte.
	inLoop := q >= 0 && q < len(x.request.Turns)-1
	before, again := x.p.recalls.get(key)
	again = again && inLoop

	got, err := x.inTime(ctx, q)
	switch {
	case err != nil && again:
		return before.memory, nil
	case err != nil:
		return chat.Memory{}, err
	case again:
		got.memory.Turn = before.memory.Turn
		return got.memory, nil // what it holds was counted as delivered the first time
	}
	if q >= 0 && x.request.HasUser() {
		x.p.recalls.put(key, got)
	}
	x.items = got.items
	return got.memory, nil
}

// print returns the print of a turn; of none it is that of the conversation.
func (x *exchange) print(i int) chat.Print {
	if i < 0 {
		return chat.Print{}
	}
	return x.prints[i]
}

// inTime recalls, and gives up at the deadline. What it began goes on.
func (x *exchange) inTime(ctx context.Context, q int) (recalled, error) {
	p := x.p
	wait, cancel := context.WithTimeout(ctx, p.deadline)
	defer cancel()
	select {
	case p.recalling <- struct{}{}:
	case <-wait.Done(): // many at once: those that had their turn are in time
		return recalled{}, wait.Err()
	}
	type outcome struct {
		recalled
		req     engine.Request
		session string
		err     error
	}
	done := make(chan outcome, 1)
	session := x.session
	p.work.Go(func() {
		defer func() { <-p.recalling }()
		life, cancel := context.WithTimeout(p.life, recallTimeout)
		defer cancel()
		o := outcome{session: session}
		if o.session == "" {
			o.session = p.sessions.of(life, x.space, x.request, x.prints)
		}
		o.req = x.ask(q, o.session)
		r, err := p.o.Engine.Recall(life, o.req)
		if o.err = err; err == nil {
			o.memory = chat.Recalled(r)
			o.items = r.Items
		}
		done <- o
	})
	select {
	case o := <-done:
		x.session, x.used = o.session, o.req
		return o.recalled, o.err
	case <-wait.Done():
		return recalled{}, wait.Err()
	}
}

// ask is the question to the engine.
func (x *exchange) ask(q int, session string) engine.Request {
	req := engine.Request{Space: x.space, Session: session, Said: x.request.Said(), Steady: true}
	if q >= 0 {
		req.Query = x.request.Turns[q].Text
	}
	return req
}

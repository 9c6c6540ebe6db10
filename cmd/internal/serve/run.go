package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/orma-memory/orma/core"
)

// Times of a stop: first requests may end, then what they said is recorded.
const drainTimeout = 10 * time.Second

// Run listens, calls started with the addresses, and serves until ctx ends or, with
// IdleExit, the last client is gone. It returns when requests have ended and what they
// said is recorded.
func (s *Server) Run(ctx context.Context, started func(Addresses) error) error {
	sh, err := takeShare(s.o.Share)
	if err != nil {
		return err
	}
	defer sh.end()
	l, err := s.listen(ctx)
	if err != nil {
		return err
	}
	if err := sh.publish(l.tell); err != nil {
		l.close()
		return err
	}
	if s.o.Proxy != nil {
		if err := s.o.Proxy.Start(l.self()); err != nil {
			l.close()
			return err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	background, endBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer endBackground()
	if s.o.Background != nil {
		s.work.Go(func() { s.sleepOn(background) })
	}
	s.work.Go(func() { s.warm(background) })
	if s.o.IdleExit > 0 {
		s.work.Go(func() {
			if s.clients.gone(s.o.IdleExit, ctx.Done()) {
				stop()
			}
		})
	}
	failed := make(chan error, len(l.all))
	for _, x := range l.all {
		s.work.Go(func() { failed <- s.http.Serve(x) })
	}
	err = started(l.tell)
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-failed:
		}
	}
	l.close()
	sh.end()      // from here on another server may take over
	s.api.Close() // streams would not end by themselves
	err = errors.Join(ignoreClosed(err), s.shutDown())
	if s.o.Proxy != nil {
		err = errors.Join(err, s.o.Proxy.Close())
	}
	stop()
	endBackground()
	s.work.Wait()
	return err
}

// warm reads the index of the default space while whoever started the server comes to ask.
func (s *Server) warm(ctx context.Context) {
	if err := s.o.Engine.Warm(ctx, core.DefaultSpace); err != nil && ctx.Err() == nil {
		s.o.Log.Debug("index not read ahead", slog.Any("error", err))
	}
}

// shutDown lets requests end, and cuts those that do not.
func (s *Server) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close()
	}
	return nil
}

// sleepOn runs the background sleep, and remembers when it ends before it should.
func (s *Server) sleepOn(ctx context.Context) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("background sleep broke", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		} else if ctx.Err() != nil {
			return
		}
		s.mu.Lock()
		s.awake = "it ended"
		s.mu.Unlock()
	}()
	s.o.Background(ctx)
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/mcp"
	"github.com/orma-memory/orma/cmd/internal/serve"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve memory to an agent over MCP, on standard input and output",
		Long: `Speaks the Model Context Protocol on standard input and output; an agent starts it. See
orma setup. Nothing but the protocol is written to standard output. --space is the
space of requests that name none. What was said becomes facts in the background.

Several of them may work on one database, beside orma serve, which has MCP under /mcp.`,
		Example: `  orma setup claude-code
  orma mcp --space work`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveMCP(cmd.Context()) },
	}
}

func (a *app) serveMCP(ctx context.Context) error {
	in, out, err := a.streams()
	if err != nil {
		return err
	}
	lines := mcp.NewLogWriter(a.err)
	defer lines.Close()
	a.err = lines
	o, err := a.options()
	if err != nil {
		return err
	}
	o.OneShot = false
	l := &lazy{open: func(ctx context.Context) (*local.Memory, error) { return a.openWith(ctx, o) }}
	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer func() {
		stop()
		work.Wait()
		l.close(a)
	}()
	work.Go(func() { a.beginMCP(ctx, l, o.Log) })
	return mcp.Serve(ctx, in, out, mcp.Options{
		Open: l.engine, Sleep: l.sleep, Space: a.space, Who: access.Local(),
		Version: thisBuild().Version, Log: o.Log, Now: o.Now,
	})
}

// streams returns the protocol's streams. Standard output is taken from everyone else.
func (a *app) streams() (io.ReadCloser, io.WriteCloser, error) {
	in, ok := a.proc.Stdin.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(a.proc.Stdin)
	}
	if a.proc.Stdout == os.Stdout {
		out, err := mcp.TakeStdout()
		if err != nil {
			return nil, nil, core.Errorf(core.CodeUnavailable, "standard output: %w", err)
		}
		return in, out, nil
	}
	return in, writeCloser{a.proc.Stdout}, nil
}

type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// beginMCP opens the memory while the client says hello, reads its index, and then
// sleeps in the background.
func (a *app) beginMCP(ctx context.Context, l *lazy, log *slog.Logger) {
	m, err := l.memory(ctx)
	if err != nil {
		return // every request says so
	}
	_, _ = m.Recall(ctx, engine.Request{Space: a.space}) // its error comes again with the first request
	if !m.Config.Semantic || !m.Config.Settings.Sleep.Enabled {
		return
	}
	s, err := l.sleeper(ctx)
	if err != nil {
		log.Warn("nothing becomes a fact by itself", slog.Any("error", err))
		return
	}
	s.Schedule(m.Schedule()).Run(ctx)
}

// lazy is a memory that is opened when it is needed, and again after a failure: a
// client stays connected while its user mends the database.
type lazy struct {
	open func(context.Context) (*local.Memory, error)

	mu     sync.Mutex
	opened *local.Memory
	asleep *sleep.Sleeper
	trying chan struct{} // closed when the attempt that runs has ended
	err    error         // of the last attempt
}

// memory returns the memory, and waits for it as long as ctx allows.
func (l *lazy) memory(ctx context.Context) (*local.Memory, error) {
	l.mu.Lock()
	if l.opened != nil {
		defer l.mu.Unlock()
		return l.opened, nil
	}
	done := l.trying
	if done == nil {
		done = make(chan struct{})
		l.trying = done
		go l.try(context.WithoutCancel(ctx), done) // close waits for it
	}
	l.mu.Unlock()
	select {
	case <-done:
	case <-ctx.Done():
		return nil, core.Errorf(core.CodeBusy, "the memory is still being opened: %w", ctx.Err())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opened != nil {
		return l.opened, nil
	}
	return nil, l.err
}

func (l *lazy) try(ctx context.Context, done chan struct{}) {
	m, err := l.open(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened, l.err, l.trying = m, err, nil
	close(done)
}

func (l *lazy) engine(ctx context.Context) (*engine.Engine, error) {
	m, err := l.memory(ctx)
	if err != nil {
		return nil, err
	}
	return m.Engine, nil
}

// sleeper returns what consolidates the memory.
func (l *lazy) sleeper(ctx context.Context) (*sleep.Sleeper, error) {
	m, err := l.memory(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asleep == nil {
		l.asleep, err = m.Sleeper(local.SleepOptions{})
	}
	return l.asleep, err
}

func (l *lazy) sleep(ctx context.Context, space string) (*sleep.Report, error) {
	s, err := l.sleeper(ctx)
	if err != nil {
		return nil, err
	}
	return s.Sleep(ctx, sleep.Run{Space: space})
}

// close closes what was opened.
func (l *lazy) close(a *app) {
	l.mu.Lock()
	done := l.trying
	l.mu.Unlock()
	if done != nil {
		<-done
	}
	if l.opened == nil {
		return
	}
	if err := l.opened.Close(); err != nil && !errors.Is(err, context.Canceled) {
		a.say("closing: %s", err)
	}
}

// mcpOptions serve MCP beside the API of an open memory. night may be nil.
func mcpOptions(m *local.Memory, night *serve.Night, o serve.Options) mcp.Options {
	out := mcp.Options{
		Open:    func(context.Context) (*engine.Engine, error) { return m.Engine, nil },
		Version: o.Version, Log: o.Log, Now: o.Now,
	}
	if night != nil {
		out.Sleep = func(ctx context.Context, space string) (*sleep.Report, error) {
			return night.Sleep(ctx, sleep.Run{Space: space})
		}
	}
	return out
}

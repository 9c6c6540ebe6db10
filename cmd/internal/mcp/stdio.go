package mcp

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers one client, which writes to in and reads from out, until it closes in
// or ctx ends. Nothing but JSON-RPC is written to out; see [TakeStdout].
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	o = o.filled()
	sh := newShared()
	u := newUses(o.Log)
	defer u.Close()
	s := &server{o: o, who: o.Who, ids: sh.ids, uses: u}
	err := s.build(sh).Run(ctx, &transport{&sdk.IOTransport{Reader: in, Writer: out}, u})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// transport says when answers have been written.
type transport struct {
	sdk.Transport
	uses *uses
}

func (t *transport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{c, t.uses}, nil
}

type connection struct {
	sdk.Connection
	uses *uses
}

func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok && err == nil {
		c.uses.flush()
	}
	return err
}

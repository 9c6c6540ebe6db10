//go:build !wasip1

package proc

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// maxBlock is the largest message that is taken.
const maxBlock = 1 << 30

func serve(p any, g *guest.Plugin) {
	// The host holds the other end of stdin. When that closes, nobody is there any more.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	s := &server{g: g}
	if c, ok := p.(interface{ Concurrent() bool }); ok {
		s.overlaps = c.Concurrent() && g.Contract() != abi.Rank
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{ProtocolVersion: pb.Version, MagicCookieKey: pb.CookieKey, MagicCookieValue: pb.CookieValue},
		Plugins:         plugin.PluginSet{pb.Service: &service{server: s}},
		GRPCServer: func(o []grpc.ServerOption) *grpc.Server {
			return plugin.DefaultGRPCServer(append(o, grpc.MaxRecvMsgSize(maxBlock), grpc.MaxSendMsgSize(maxBlock)))
		},
		Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr, JSONFormat: true}),
	})
}

// service registers the server with go-plugin.
type service struct {
	plugin.NetRPCUnsupportedPlugin
	server *server
}

// GRPCServer registers the server.
func (s *service) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	pb.RegisterStageServer(g, s.server)
	return nil
}

// GRPCClient is for hosts, which this is none of.
func (s *service) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("proc: this is a plugin")
}

// server answers calls.
type server struct {
	pb.UnimplementedStageServer
	g        *guest.Plugin
	overlaps bool
	mu       sync.Mutex
}

// Manifest says what the plugin is.
func (s *server) Manifest(context.Context, *pb.ManifestRequest) (*pb.ManifestReply, error) {
	return &pb.ManifestReply{Abi: abi.Version, Manifest: s.g.Manifest()}, nil
}

// Configure takes the parameters.
func (s *server) Configure(_ context.Context, r *pb.ConfigureRequest) (*pb.ConfigureReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &pb.ConfigureReply{Error: failure(s.g.Configure(aligned(r.GetParams())))}, nil
}

// Run ranks.
func (s *server) Run(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	return s.edit(ctx, r)
}

// Embed embeds.
func (s *server) Embed(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	return s.edit(ctx, r)
}

func (s *server) edit(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	defer s.turn()()
	if err := ctx.Err(); err != nil {
		return nil, err // it waited longer than anybody listens
	}
	b := aligned(r.GetBlock())
	if err := s.g.Run(b); err != nil {
		return &pb.BlockReply{Error: failure(err)}, nil
	}
	return &pb.BlockReply{Block: b}, nil
}

// Extract extracts.
func (s *server) Extract(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	return s.items(ctx, r)
}

// Sleep extracts with what is known.
func (s *server) Sleep(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	return s.items(ctx, r)
}

func (s *server) items(ctx context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	defer s.turn()()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if ms := r.GetDeadlineMs(); ms > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
		defer cancel()
	}
	b, err := s.g.Extract(ctx, aligned(r.GetBlock()))
	if err != nil && ctx.Err() != nil {
		err = guest.Unavailable(err) // it was too slow, which the lines are not to blame for
	}
	return &pb.BlockReply{Block: b, Error: failure(err)}, nil
}

// turn waits until no other call is under way, and returns what ends the turn.
func (s *server) turn() func() {
	if s.overlaps {
		return func() {}
	}
	s.mu.Lock()
	return s.mu.Unlock
}

func failure(err error) *pb.Error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if len(text) > abi.MaxError {
		text = text[:abi.MaxError]
	}
	return &pb.Error{Code: guest.Code(err), Text: validUTF8(text)}
}

package prochost

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// running is one life of a program.
type running struct {
	client   *goplugin.Client
	program  atomic.Pointer[program]
	stage    pb.StageClient
	gone     <-chan struct{} // closed when the program has ended
	answered atomic.Bool     // it did something useful

	once   sync.Once
	mu     sync.Mutex
	reason error // why we ended it
}

// endWait is how long a program may take to end when it is asked to.
const endWait = 2 * time.Second

// start starts the program and asks for its manifest.
func (p *plugin) start(ctx context.Context) (*running, []byte, error) {
	// The file is the one that was opened: on every start, since it may have been
	// changed meanwhile.
	if got, _, err := digestOf(p.path); err != nil {
		return nil, nil, err
	} else if got != p.digest {
		return nil, nil, &host.DigestError{Path: p.path, Want: p.digest, Got: got}
	}
	cert, certPEM, err := newCertificate()
	if err != nil {
		return nil, nil, err
	}
	r := &running{}
	log, words := newLog(p.o.Log, p.path)
	r.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  goplugin.HandshakeConfig{ProtocolVersion: pb.Version, MagicCookieKey: pb.CookieKey, MagicCookieValue: pb.CookieValue},
		Plugins:          goplugin.PluginSet{pb.Service: stagePlugin{}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		SkipHostEnv:      true,
		// What AutoMTLS would do, with a curve that every TLS library knows. See
		// RATIONALE.md, "Why does Orma make the certificate of plugin processes itself?"
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, ServerName: "localhost"},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, dir string) (runner.Runner, error) {
			_ = os.Remove(dir) // ours can be told from those of other programs
			dir, err := socketDir()
			if err != nil {
				return nil, err
			}
			env := append(append(append([]string{}, p.env...), cmd.Env...), "PLUGIN_CLIENT_CERT="+string(certPEM), "PLUGIN_UNIX_SOCKET_DIR="+dir)
			x := newProgram(p.path, env, dir)
			r.program.Store(x)
			return x, ctx.Err()
		},
		StartTimeout: p.o.StartTimeout,
		Logger:       log,
		SyncStdout:   words,
		SyncStderr:   words,
		// There is one connection in a program's life: see below.
		GRPCDialOptions: []grpc.DialOption{grpc.WithIdleTimeout(0)},
	})
	text, err := r.connect(ctx)
	if err != nil {
		r.stop(true) // all that it said has been read then
		if x := r.program.Load(); x != nil && x.err != nil && x.err.lastLine() != "" {
			// Nothing was asked yet, so these words hold no memory.
			err = fmt.Errorf("%w; it said: %s", err, contract.Printable(x.err.lastLine()))
		}
		return nil, nil, err
	}
	x := r.program.Load()
	r.gone = x.ended
	// The connection stands and needs its socket's name no more. So nobody else can come by
	// it, and nothing is left of it if we are killed.
	_ = os.RemoveAll(x.dir)
	return r, text, nil
}

// connect waits for the handshake and asks for the manifest. What hangs ends with ctx:
// without its program every step fails.
func (r *running) connect(ctx context.Context) ([]byte, error) {
	kill := context.AfterFunc(ctx, func() {
		if p := r.program.Load(); p != nil {
			_ = p.Kill(context.Background())
		}
	})
	defer kill()
	if _, err := r.client.Start(); err != nil {
		return nil, startError(ctx, err)
	}
	c, err := r.client.Client()
	if err != nil {
		return nil, startError(ctx, err)
	}
	stage, err := c.Dispense(pb.Service)
	if err != nil {
		return nil, startError(ctx, err)
	}
	r.stage = stage.(pb.StageClient)
	m, err := r.stage.Manifest(ctx, &pb.ManifestRequest{Abi: abi.Version}, grpc.MaxCallRecvMsgSize(abi.MaxManifest+1024))
	switch {
	case err != nil:
		return nil, fmt.Errorf("manifest: %w", callError(ctx, err))
	case m.GetAbi() != abi.Version:
		return nil, fmt.Errorf("speaks ABI %d, this Orma speaks ABI %d", m.GetAbi(), abi.Version)
	}
	return m.GetManifest(), nil
}

// startError says in one line why a program did not start.
func startError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("start: %w", ctx.Err())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	if rest, ok := strings.CutPrefix(first, "Unrecognized remote plugin message:"); ok {
		first = "it is no plugin: instead of the handshake it wrote " + strconv.Quote(strings.TrimSpace(rest))
		if strings.TrimSpace(rest) == "" {
			first = "it ended, or said nothing, instead of the handshake"
		}
	}
	return errors.New("start: " + contract.Printable(first))
}

// fail ends the program because of something it did.
func (r *running) fail(why error) {
	r.mu.Lock()
	if r.reason == nil {
		r.reason = why
	}
	r.mu.Unlock()
	_ = r.program.Load().Kill(context.Background())
}

// why returns what ended the program, which has ended.
func (r *running) why() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	status := r.program.Load().status
	switch {
	case r.reason == nil && status == nil:
		return errors.New("it ended by itself")
	case r.reason == nil:
		return status
	case status == nil:
		return r.reason
	}
	return fmt.Errorf("%w (%w)", r.reason, status)
}

// stop ends the program, at once or politely, and waits until nothing of it is left. It
// may be called twice.
func (r *running) stop(now bool) {
	r.once.Do(func() {
		p := r.program.Load()
		if p == nil {
			return
		}
		if now {
			_ = p.Kill(context.Background())
		}
		timer := time.AfterFunc(endWait, func() { _ = p.Kill(context.Background()) })
		r.client.Kill()
		timer.Stop()
		if p.ID() != "" {
			<-p.over
		}
		_ = os.RemoveAll(p.dir) // the socket's
	})
}

// stagePlugin makes the client of the service.
type stagePlugin struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer is for plugins, which this is none of.
func (stagePlugin) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("prochost: this is the host")
}

// GRPCClient returns the client.
func (stagePlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return pb.NewStageClient(c), nil
}

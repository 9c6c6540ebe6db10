package prochost_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
	"github.com/orma-memory/orma/sdk/proc"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// modeVar tells this test binary which plugin to be when a host starts it.
const modeVar = "ORMA_TEST_MODE"

// pidVar names a folder in which a ranker leaves its number.
const pidVar = "ORMA_TEST_PIDS"

func TestMain(m *testing.M) {
	if os.Getenv(pb.CookieKey) != "" {
		actAs(os.Getenv(modeVar))
		return
	}
	if os.Getenv("ORMA_TEST_HOST") != "" {
		actAsHost()
		return
	}
	os.Exit(m.Run())
}

// actAs is a plugin, ordinary or hostile.
func actAs(mode string) {
	forever := make(chan struct{})
	switch mode {
	case "rank":
		proc.Serve(&halver{})
	case "embed":
		proc.Serve(&letters{})
	case "extract":
		proc.Serve(&keeper{})
	case "sleep":
		proc.Serve(&sleeper{})
	case "garbage":
		fmt.Println("hello, I am no plugin")
		<-forever
	case "bytes":
		for {
			_, _ = os.Stdout.Write(bytes.Repeat([]byte{0xff}, 64<<10))
		}
	case "silent":
		<-forever
	case "exits":
		fmt.Fprintln(os.Stderr, "first\nI \x1b[2Jcannot")
		os.Exit(3)
	case "core":
		fmt.Println("9|1|unix|/tmp/x|grpc|")
		<-forever
	case "version":
		fmt.Println("1|99|unix|/tmp/x|grpc|")
		<-forever
	case "elsewhere":
		fmt.Println("1|1|tcp|192.0.2.1:80|grpc|")
		<-forever
	case "other socket":
		fmt.Println("1|1|unix|/tmp/other.sock|grpc|")
		<-forever
	case "plain text": // no certificate
		l, err := net.Listen("unix", os.Getenv("PLUGIN_UNIX_SOCKET_DIR")+"/s")
		if err != nil {
			panic(err)
		}
		fmt.Printf("1|1|unix|%s|grpc|\n", l.Addr())
		s := grpc.NewServer()
		pb.RegisterStageServer(s, &raw{mode: mode})
		_ = s.Serve(l)
	case "deaf": // accepts and says nothing
		l, err := net.Listen("unix", os.Getenv("PLUGIN_UNIX_SOCKET_DIR")+"/s")
		if err != nil {
			panic(err)
		}
		fmt.Printf("1|1|unix|%s|grpc|\n", l.Addr())
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	default:
		goplugin.Serve(&goplugin.ServeConfig{
			HandshakeConfig: goplugin.HandshakeConfig{ProtocolVersion: pb.Version, MagicCookieKey: pb.CookieKey, MagicCookieValue: pb.CookieValue},
			Plugins:         goplugin.PluginSet{pb.Service: &rawPlugin{mode: mode}},
			GRPCServer:      goplugin.DefaultGRPCServer,
		})
	}
}

// halver is an ordinary ranker: it halves the score of every row but one.
type halver struct{ spare int }

func (*halver) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "halver", Version: "1", Contract: abi.Rank, Summary: "Halve the scores", Doc: "For tests.", Query: true,
		Columns: []abi.Column{{Name: "score", Kind: abi.F32, Read: true, Write: true}, {Name: "text", Kind: abi.Text, Read: true}},
		Params:  []abi.Param{{Name: "spare", Kind: abi.Number, Doc: "id of the row that keeps its score", Default: -1, Min: -1, Max: 1e6}},
	}
}

func (h *halver) Configure(p *guest.Params) error {
	if dir := os.Getenv(pidVar); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600)
	}
	if h.spare = int(p.Number("spare")); h.spare == 13 {
		return errors.New("13 is unlucky")
	}
	return nil
}

func (h *halver) Rank(f *guest.Frame) error {
	switch f.Query() {
	case "die":
		os.Exit(7)
	case "loop":
		for n := 0; ; n++ { // for ever
		}
	case "nap":
		time.Sleep(300 * time.Millisecond) // longer than the call, shorter than its overrun
	case "fork":
		c := exec.Command("sleep", "1000")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr // it holds our pipes
		if c.Start() == nil {
			_ = os.WriteFile(filepath.Join(os.Getenv(pidVar), strconv.Itoa(c.Process.Pid)), nil, 0o600)
		}
	case "shout":
		for range 1000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("shouting \x1b[2J ", 100))
		}
	case "complain":
		return errors.New("no\x1b[2J such thing")
	}
	s := f.F32("score")
	for i := range s {
		if i != h.spare {
			s[i] /= 2
		}
	}
	return nil
}

// letters embeds by the letter counts of a text.
type letters struct{}

func (*letters) Concurrent() bool { return true }
func (*letters) Manifest() *abi.Manifest {
	return &abi.Manifest{Name: "letters", Version: "1", Contract: abi.Embed, Summary: "Count letters", Doc: "For tests.", Dim: 27}
}
func (*letters) Configure(*guest.Params) error { return nil }
func (*letters) Embed(dst []float32, text string, _ bool) error {
	for _, r := range text {
		dst[min(uint32(r|32)-'a', 26)]++
	}
	sum := float32(0)
	for _, v := range dst {
		sum += v * v
	}
	for i := range dst {
		if sum > 0 {
			dst[i] /= float32(math.Sqrt(float64(sum)))
		}
	}
	return nil
}

// keeper finds an event in every line that begins with "Keep:".
type keeper struct{}

func (*keeper) Manifest() *abi.Manifest {
	return &abi.Manifest{Name: "keeper", Version: "1", Contract: abi.Extract, Summary: "Find what to keep", Doc: "For tests."}
}
func (*keeper) Configure(*guest.Params) error { return nil }
func (*keeper) Extract(lines []guest.Line, out *guest.Items) error {
	for _, l := range lines {
		if rest, ok := strings.CutPrefix(l.Text, "Keep:"); ok && l.Citable {
			out.Add(guest.Item{Event: true, Subject: "user", Value: rest, Cites: []int{l.N}})
		}
		if l.Text == "crash" {
			os.Exit(9)
		}
	}
	return nil
}

// sleeper says what it was told.
type sleeper struct{}

func (*sleeper) Manifest() *abi.Manifest {
	return &abi.Manifest{Name: "sleeper", Version: "1", Contract: abi.Sleep, Summary: "Say what it is told", Doc: "For tests."}
}
func (*sleeper) Configure(*guest.Params) error { return nil }
func (*sleeper) Sleep(ctx context.Context, r *guest.Request, out *guest.Items) error {
	for _, l := range r.Lines {
		switch {
		case l.Text == "away":
			return guest.Unavailable(errors.New("nobody is there"))
		case l.Text == "wait":
			<-ctx.Done()
			return ctx.Err()
		case l.Text == "bad":
			return errors.New("this cannot be read")
		case l.Citable:
			value := strings.Join(r.Names, ",") + "|" + strings.Join(r.Attributes, ",") + "|" + strings.Join(r.States, ",")
			out.Add(guest.Item{Subject: "user", Attribute: "told", Value: value, Cites: []int{l.N}})
		}
	}
	return nil
}

// rawPlugin serves without the kit.
type rawPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	mode string
}

func (p *rawPlugin) GRPCServer(_ *goplugin.GRPCBroker, g *grpc.Server) error {
	pb.RegisterStageServer(g, &raw{mode: p.mode})
	return nil
}

func (*rawPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin")
}

// raw breaks the contract in one way.
type raw struct {
	pb.UnimplementedStageServer
	mode string
}

func (s *raw) Manifest(context.Context, *pb.ManifestRequest) (*pb.ManifestReply, error) {
	m := (&halver{}).Manifest()
	m.Params, m.Name = nil, "raw"
	r := &pb.ManifestReply{Abi: abi.Version, Manifest: abi.AppendManifest(nil, m)}
	switch s.mode {
	case "abi":
		r.Abi = 2
	case "manifest":
		r.Manifest = []byte("{")
	case "long manifest":
		r.Manifest = bytes.Repeat([]byte(" "), 1<<20)
	case "no manifest":
		return nil, errors.New("no")
	}
	return r, nil
}

func (s *raw) Configure(context.Context, *pb.ConfigureRequest) (*pb.ConfigureReply, error) {
	return &pb.ConfigureReply{}, nil
}

func (s *raw) Run(_ context.Context, r *pb.BlockRequest) (*pb.BlockReply, error) {
	b := r.Block
	at := abi.HeaderSize
	score := int(b[at]) | int(b[at+1])<<8 | int(b[at+2])<<16
	switch s.mode {
	case "nan":
		abi.PutF32(b[score:], []float32{float32(math.NaN())})
	case "negative":
		abi.PutF32(b[score:], []float32{-1})
	case "short":
		b = b[:len(b)-8]
	case "long":
		b = append(b, make([]byte, 8)...)
	case "nothing":
		b = nil
	case "huge":
		b = make([]byte, 256<<20)
	case "billion":
		b[abi.AtRows], b[abi.AtRows+1], b[abi.AtRows+2], b[abi.AtRows+3] = 0, 0xca, 0x9a, 0x3b
	case "live":
		b[abi.AtLive] = 200
	case "code":
		return &pb.BlockReply{Error: &pb.Error{Code: 5, Text: "secret words"}}, nil
	case "status":
		return nil, errors.New("secret words")
	case "panic":
		panic("oh")
	case "unserved":
		return s.UnimplementedStageServer.Run(context.Background(), r)
	}
	return &pb.BlockReply{Block: b}, nil
}

// self is this binary, in a mode.
func self(t testing.TB, mode string) host.Source {
	t.Helper()
	t.Setenv(modeVar, mode)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return host.Source{Path: exe, Trusted: true, Env: []string{modeVar, pidVar}}
}

func newHost(t testing.TB, o prochost.Options) *prochost.Host {
	t.Helper()
	h := prochost.New(o)
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// patient is for tests that are not about time.
const patient = time.Minute

// open opens this binary in a mode.
func open(t testing.TB, mode string, o prochost.Options) host.Provided {
	t.Helper()
	p, err := newHost(t, o).Open(context.Background(), self(t, mode))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// rows makes a frame of three rows with a question.
func rows(query string) *frame.Frame {
	f := frame.New(3, frame.Base()...)
	for i := range 3 {
		f.F32(frame.Score)[i] = float32(i + 2)
		f.Strings(frame.Text)[i] = "a text"
	}
	f.Query = &frame.Query{Text: query, Now: time.Unix(1e9, 0)}
	return f
}

func build(t testing.TB, p host.Provided) pipeline.Stage {
	t.Helper()
	return buildWith(t, p, p.Stages[0].NewParams())
}

package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/mcp"
	"github.com/orma-memory/orma/cmd/internal/proxy"
	"github.com/orma-memory/orma/cmd/internal/serve"
	"github.com/orma-memory/orma/cmd/internal/view"
	"github.com/orma-memory/orma/core/local"
)

// serveFlags are shared by the commands that serve.
type serveFlags struct {
	host, upstream, model, socket, unit, share string

	port     int
	open     bool
	private  bool
	idleExit time.Duration
}

func (f *serveFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.host, "host", "", "`ADDRESS` to listen on (default 127.0.0.1); off this machine it takes tokens")
	fs.IntVar(&f.port, "port", 0, "`PORT` to listen on; 0 for a free one (default 8080)")
	fs.StringVar(&f.upstream, "upstream", "", "`URL` of the model's server, with or without /v1 (default: look for one)")
	fs.StringVar(&f.model, "model", "", "`NAME` of sleep's model (default the first that a client asks for)")
	fs.StringVar(&f.socket, "socket", "", "listen on a Unix socket at `PATH` instead; with --port on both")
}

// private flags are for programs that start a server of their own.
func (f *serveFlags) addPrivate(c *cobra.Command) {
	fs := c.Flags()
	fs.BoolVar(&f.private, "private", false, "let nobody in without a token made for this run, which --json prints")
	fs.StringVar(&f.share, "share", "", "write the address to `FILE` while serving; one server at a time holds it")
	fs.DurationVar(&f.idleExit, "idle-exit", 0, "end when the last client has been gone for this `TIME`, such as 5s")
	fs.Var(newChoice(&f.unit, "systemd", "launchd"), "print-unit", "print a unit for systemd or launchd that starts this command")
}

// apply lays the flags over the configuration.
func (f *serveFlags) apply(cmd *cobra.Command, m *local.Memory) error {
	set := &m.Config.Settings
	if f.private && !cmd.Flag("port").Changed && f.socket == "" {
		set.Serve.Port = 0 // whoever starts it reads where it is
	}
	for name, put := range map[string]func(){
		"host": func() { set.Serve.Host = f.host }, "port": func() { set.Serve.Port = f.port },
		"upstream": func() { set.Proxy.Upstream = f.upstream }, "model": func() { set.Sleep.Model = f.model },
		"space": func() { set.Proxy.Space = cmd.Flag("space").Value.String() },
	} {
		if cmd.Flag(name).Changed {
			put()
		}
	}
	for _, v := range []interface{ Validate() error }{&set.Serve, &set.Proxy, &set.Sleep} {
		if err := v.Validate(); err != nil {
			return usagef("%w", err)
		}
	}
	return nil
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve memory: HTTP API, MCP, proxy and view",
		Long: `Serves the HTTP API under /_orma/v1, MCP at /mcp, the view at /_orma/viz, and passes
everything else on to the model's server, with memory in chats. It listens on this
machine only unless --host says otherwise, and sleeps in the background.

With --json the address is printed as one line of JSON.`,
		Example: `  orma serve
  orma serve --upstream http://127.0.0.1:11434
  orma serve --socket /run/user/1000/orma.sock
  orma serve --print-unit systemd > ~/.config/systemd/user/orma.service`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.unit != "" {
				return a.printUnit(f.unit)
			}
			page := ""
			if f.open {
				page = viewPage
			}
			return a.serve(cmd, &f, serveMode{page: page})
		},
	}
	f.add(c)
	f.addPrivate(c)
	c.Flags().BoolVar(&f.open, "open", false, "open the view in the browser")
	return c
}

// serveMode says how the serving commands differ.
type serveMode struct {
	proxyOnly bool
	page      string   // opened in the browser; empty: none
	viz       *vizShow // the command is about the view; nil: it is not
}

// serve opens the memory and serves it until it is told to stop.
func (a *app) serve(cmd *cobra.Command, f *serveFlags, mode serveMode) error {
	o, err := a.options()
	if err != nil {
		return err
	}
	o.OneShot = false
	m, err := a.openWith(cmd.Context(), o)
	if err != nil {
		return err
	}
	err = a.serveMemory(cmd, f, mode, m)
	if cerr := m.Close(); err == nil {
		err = cerr
	}
	return err
}

func (a *app) serveMemory(cmd *cobra.Command, f *serveFlags, mode serveMode, m *local.Memory) error {
	if err := f.apply(cmd, m); err != nil {
		return err
	}
	log, err := a.options()
	if err != nil {
		return err
	}
	so := serve.Options{
		Engine: m.Engine, Store: m.Store, Settings: m.Config.Settings, Version: thisBuild().Version,
		Now: a.proc.Now, Log: log.Log, Socket: f.socket, Share: f.share, SocketOnly: f.socket != "" && !cmd.Flag("port").Changed,
		Private: f.private, IdleExit: f.idleExit, ProxyOnly: mode.proxyOnly,
	}
	if mode.viz != nil && serve.TakesTokens(so.Settings.Serve) {
		so.Private = true // the browser that we open needs a token
	}
	so.Trace = a.newTracer(m, log)
	defer so.Trace.Close()
	night, err := a.night(m, log)
	if err != nil {
		return err
	}
	if night != nil {
		so.Sleep = night
		if m.Config.Settings.Sleep.Enabled {
			so.Background = night.Run
		}
	}
	h := mcp.NewHTTP(mcpOptions(m, night, so))
	defer h.Close()
	so.MCP = h
	if so.View, err = view.New(); err != nil {
		return err
	}
	p, err := a.newProxy(m, log, night)
	if err != nil {
		return err
	}
	so.Proxy = p
	return serve.New(so).Run(cmd.Context(), func(at serve.Addresses) error {
		if mode.viz != nil {
			return a.showView(cmd.Context(), vizAt{Addresses: at, URL: at.Address + viewPage}, mode.viz)
		}
		a.serving(at)
		if a.json {
			return a.printAddresses(at)
		}
		return a.sayUpstream(cmd.Context(), p, at.Address, mode.page)
	})
}

// printAddresses tells a program where the server listens.
func (a *app) printAddresses(at serve.Addresses) error {
	line, err := json.Marshal(at)
	if err != nil {
		return err
	}
	a.print("%s", line)
	return a.out.Flush() // whoever started us waits for it
}

// serving tells people where the server listens.
func (a *app) serving(at serve.Addresses) {
	if a.json {
		return
	}
	if at.Address != "" {
		a.say("serving %s", at.Address)
	}
	if at.Socket != "" {
		a.say("serving %s", at.Socket)
	}
	if at.Token != "" {
		a.say("token %s", at.Token)
	}
}

// sayUpstream says where requests go, or what to do about it, and opens a page.
func (a *app) sayUpstream(ctx context.Context, p *proxy.Proxy, address, page string) error {
	root, name, err := p.Upstream(ctx)
	switch {
	case err != nil:
		a.say("chats cannot be passed on yet: %v", err)
	case name != "":
		a.say("passing chats on to %s at %s", name, root)
	default:
		a.say("passing chats on to %s", root)
	}
	if page == "" || address == "" {
		return nil
	}
	if err := serve.OpenBrowser(ctx, address+page); err != nil {
		a.say("open %s in a browser", address+page)
	}
	return nil
}

// printUnit prints a unit that runs this command line, with paths that hold from
// anywhere.
func (a *app) printUnit(system string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var args []string
	skip := false
	for _, arg := range a.proc.Args {
		switch {
		case skip:
			skip = false
		case arg == "--print-unit":
			skip = true
		case strings.HasPrefix(arg, "--print-unit="):
		default:
			args = append(args, arg)
		}
	}
	for i, arg := range args {
		if i > 0 && (args[i-1] == "--db" || args[i-1] == "--socket" || args[i-1] == "--config" && strings.ContainsRune(arg, '.')) {
			if args[i], err = filepath.Abs(arg); err != nil {
				return err
			}
		}
	}
	unit, err := serve.Unit(system, program, args)
	if err != nil {
		return err
	}
	a.print("%s", strings.TrimSuffix(unit, "\n"))
	return nil
}

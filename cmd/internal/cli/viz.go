package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/cmd/internal/serve"
	"github.com/orma-memory/orma/cmd/internal/view"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// viewPage is where a server has the view.
const viewPage = view.Base + "/"

// vizAt is where the view is, as --json shows it.
type vizAt struct {
	serve.Addresses
	URL     string `json:"url"`               // of the view
	Running bool   `json:"running,omitempty"` // it is a server that ran already
}

// vizShow says how the view is shown.
type vizShow struct {
	open  bool   // in the browser
	space string // which is looked at; empty: the default one
	page  string // file through which a browser gets a token
}

func (a *app) vizCommand() *cobra.Command {
	var f serveFlags
	var noOpen bool
	c := &cobra.Command{
		Use:   "viz",
		Short: "Look at memory in three dimensions, in the browser",
		Long: `Opens the view of the memory in the browser. A server of the same database that runs
already shows it; otherwise this one serves, like orma serve, until it is interrupted.

With --json the address is printed as one line of JSON, and no browser is opened.`,
		Example: `  orma viz
  orma viz --port 9000 --no-open`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			show := &vizShow{open: !noOpen && !a.json}
			if cmd.Flag("space").Changed {
				show.space = a.space
			}
			return a.viz(cmd, &f, show)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&noOpen, "no-open", false, "print the address and open no browser")
	return c
}

func (a *app) viz(cmd *cobra.Command, f *serveFlags, show *vizShow) error {
	if f.socket != "" && !cmd.Flag("port").Changed {
		return usagef("a browser cannot reach a socket").Hinted("give a --port too")
	}
	o, err := a.options()
	if err != nil {
		return err
	}
	cfg, err := local.Load(o)
	if err != nil {
		return err
	}
	host, port := cfg.Settings.Serve.Host, cfg.Settings.Serve.Port
	if cmd.Flag("host").Changed {
		host = f.host
	}
	if cmd.Flag("port").Changed {
		port = f.port
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	if port != 0 {
		at, err := running(cmd.Context(), "http://"+net.JoinHostPort(host, strconv.Itoa(port)), o.Database(cfg))
		if err != nil {
			return err
		}
		if at != nil {
			return a.showView(cmd.Context(), *at, show)
		}
	}
	show.page = filepath.Join(o.Home, fmt.Sprintf("view-%d.html", os.Getpid()))
	err = a.serve(cmd, f, serveMode{viz: show})
	_ = os.Remove(show.page) // it is only there when a token was needed
	return err
}

// running returns the server at an address if it is one of the same database, and an error
// if it is one of another. Whatever else answers there is found out when listening.
func running(ctx context.Context, root, database string) (*vizAt, error) {
	var v api.Server // what the two answers have in common
	if getJSON(ctx, root+"/healthz", &v); v.Name != "orma" {
		return nil, nil
	}
	at := &vizAt{Addresses: serve.Addresses{Address: root, Version: v.Version}, URL: root + viewPage, Running: true}
	var st engine.Stats
	switch status := getJSON(ctx, root+api.Base+"/stats", &st); {
	case status == http.StatusUnauthorized:
		return at, nil // it wants a token, for which its page asks
	case status != http.StatusOK || st.Store.Path == "":
		return nil, nil
	}
	if !sameFile(st.Store.Path, database) {
		return nil, core.Errorf(core.CodeConflict, "Orma serves another database at %s: %s", root, st.Store.Path).
			Hinted("choose another port with --port, or open that one with --db")
	}
	return at, nil
}

// getJSON reads what a server that may not be there answers; 0 when nothing does.
func getJSON(ctx context.Context, url string, into any) int {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if json.NewDecoder(http.MaxBytesReader(nil, resp.Body, 1<<20)).Decode(into) != nil {
		return 0
	}
	return resp.StatusCode
}

// showView says where the view is, and opens it.
func (a *app) showView(ctx context.Context, at vizAt, show *vizShow) error {
	if v, err := view.New(); err == nil && !v.Built() && !at.Running {
		a.say("this program was built without the view: run make view build in Orma's source")
	}
	fragment := url.Values{}
	if at.Token != "" {
		fragment.Set("token", at.Token)
	}
	if show.space != "" {
		fragment.Set("space", show.space)
	}
	if len(fragment) > 0 {
		at.URL += "#" + fragment.Encode()
	}
	if a.json {
		line, err := json.Marshal(at)
		if err != nil {
			return err
		}
		a.print("%s", line)
		return a.out.Flush() // whoever started us waits for it
	}
	a.print("%s", at.URL)
	if err := a.out.Flush(); err != nil {
		return err
	}
	if show.open {
		if err := openView(ctx, at, show.page); err != nil {
			a.say("open it in a browser")
		}
	}
	return nil
}

// openView opens the view in the browser. A token does not go on a command line, which
// every user of the machine can read: a file that only this one can read leads there.
func openView(ctx context.Context, at vizAt, page string) error {
	if at.Token == "" {
		return serve.OpenBrowser(ctx, at.URL)
	}
	body := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0;url=%s\"><title>Orma</title>", html.EscapeString(at.URL))
	if err := os.WriteFile(page, []byte(body), 0o600); err != nil {
		return err
	}
	return serve.OpenBrowser(ctx, (&url.URL{Scheme: "file", Path: filepath.ToSlash(page)}).String())
}

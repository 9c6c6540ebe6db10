package access

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Hosts are the names under which a server may be reached. A name that an attacker
// points at this machine (DNS rebinding) is not among them.
type Hosts struct {
	names   []string // lower case, without ports
	origins []string // such as app://obsidian.md, allowed as they are
}

// NewHosts returns the names of this machine, the address that is listened on, and
// further ones. One with a scheme, such as app://notes, is an origin that may ask.
func NewHosts(listen string, further []string) Hosts {
	h := Hosts{names: []string{"localhost", "127.0.0.1", "::1"}}
	if ip, err := netip.ParseAddr(listen); listen != "" && (err != nil || !ip.IsUnspecified()) {
		h.names = append(h.names, strings.ToLower(listen))
	}
	for _, f := range further {
		if strings.Contains(f, "://") {
			h.origins = append(h.origins, strings.ToLower(strings.TrimSuffix(f, "/")))
		} else {
			h.names = append(h.names, strings.ToLower(f))
		}
	}
	return h
}

// Check refuses a request that came under a foreign name, or from a page of another
// origin.
func (h Hosts) Check(r *http.Request) error {
	if !isLocalSocket(r) && !h.knows(r) {
		return core.Errorf(core.CodeDenied, "this server is not reached under the name %q", r.Host).
			Hinted("add it to serve.hosts in the configuration if it should be")
	}
	return h.checkOrigin(r)
}

// knows reports whether the Host of a request is a name of ours, or the very address
// that the connection came in on: an address cannot be rebound.
func (h Hosts) knows(r *http.Request) bool {
	name := hostname(r.Host)
	if slices.Contains(h.names, name) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == ip.Unmap().WithZone("")
}

// checkOrigin refuses what a browser says comes from another site. Requests of other
// programs carry no such headers.
func (h Hosts) checkOrigin(r *http.Request) error {
	foreign := core.Errorf(core.CodeDenied, "requests from pages of another origin are refused").
		Hinted("add the origin to serve.hosts in the configuration if it should be allowed")
	if origin := r.Header.Get("Origin"); origin != "" {
		o := strings.ToLower(origin)
		if slices.Contains(h.origins, o) {
			return nil
		}
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !strings.EqualFold(u.Host, r.Host) {
			return foreign
		}
		return nil
	}
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return nil
	default:
		// A link from elsewhere may lead here; nothing else may come from elsewhere.
		if safe && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
			return nil
		}
		return foreign
	}
}

// hostname is a Host without its port and brackets, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isLocalSocket reports whether a request came over a Unix socket, which pages cannot
// reach and whose file only its owner may open.
func isLocalSocket(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && local.Network() == "unix"
}

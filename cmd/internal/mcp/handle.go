package mcp

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// handle names something that can be read: a resource, or the rest of a result. It is
// written as a URI and is all the state there is, so that any server on the same
// memory can read on.
//
//	orma://spaces                          the spaces
//	orma://spaces/NAME/facts[/ID]          what is true now; one fact in full
//	orma://spaces/NAME/rules               what must not be done
//	orma://spaces/NAME/episodes[/ID]       the latest records; one in full
//	orma://spaces/NAME/identity            who an agent of the space is
//	orma://spaces/NAME/search?q=WORDS      what a query finds
type handle struct {
	kind    string // one of the constants below
	space   string // as it was written; empty in the list of spaces
	id      core.ID
	from    int    // bytes of a text, or items of a list, to pass over
	query   string // of a search
	at      int64  // when it was asked, in seconds since 1970: the order does not change
	subject string // of facts
	history bool   // facts that ended, too
	asOf    string // facts that were true at that time, as it was asked
}

// The kinds of handles.
const (
	kindSpaces   = "spaces"
	kindFacts    = "facts"
	kindRules    = "rules"
	kindEpisodes = "episodes"
	kindIdentity = "identity"
	kindSearch   = "search"
)

const scheme = "orma://spaces"

// maxQuery bounds the query in a handle, in bytes: a handle must not be a burden.
const maxQuery = 160

// String returns the URI.
func (h handle) String() string {
	if h.kind == kindSpaces {
		return scheme + encodeQuery("from", number(h.from))
	}
	s := scheme + "/" + url.PathEscape(h.space) + "/" + h.kind
	if h.id != 0 {
		s += "/" + strconv.FormatInt(int64(h.id), 10)
	}
	history := ""
	if h.history {
		history = "1"
	}
	return s + encodeQuery("q", clipBytes(h.query, maxQuery), "at", number(int(h.at)), "subject", h.subject, "history", history, "as_of", h.asOf, "from", number(h.from))
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// encodeQuery writes the parameters that have a value, in the order given.
func encodeQuery(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		b.WriteByte("?&"[min(b.Len(), 1)])
		b.WriteString(pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

// clipBytes cuts a text at a character.
func clipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// parseHandle is the inverse of [handle.String].
func parseHandle(uri string) (h handle, err error) {
	bad := core.Errorf(core.CodeInvalid, "%q is no handle of this server", clipBytes(uri, 200)).
		Hinted("handles come from results and from resources/list")
	path, query, _ := strings.Cut(uri, "?")
	rest, ok := strings.CutPrefix(path, scheme)
	if !ok || rest != "" && rest[0] != '/' {
		return h, bad
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return h, bad
	}
	h.query, h.subject, h.history = values.Get("q"), values.Get("subject"), values.Get("history") != ""
	h.asOf = values.Get("as_of")
	if h.from, ok = count(values.Get("from")); !ok {
		return h, bad
	}
	at, ok := count(values.Get("at"))
	if h.at = int64(at); !ok {
		return h, bad
	}
	if rest == "" {
		return handle{kind: kindSpaces, from: h.from}, nil
	}
	parts := strings.Split(rest[1:], "/")
	if len(parts) < 2 || len(parts) > 3 || parts[0] == "" {
		return h, bad
	}
	if h.space, err = url.PathUnescape(parts[0]); err != nil {
		return h, bad
	}
	switch h.kind = parts[1]; h.kind {
	case kindFacts, kindEpisodes:
		if len(parts) == 3 {
			id, err := strconv.ParseInt(parts[2], 10, 64)
			if err != nil || id <= 0 {
				return h, bad
			}
			h.id = core.ID(id)
		}
		return h, nil
	case kindRules, kindIdentity, kindSearch:
		if len(parts) == 2 {
			return h, nil
		}
	}
	return h, bad
}

// count reads a number that is not negative; nothing is 0.
func count(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(s, 10, 62)
	return int(n), err == nil && n >= 0
}

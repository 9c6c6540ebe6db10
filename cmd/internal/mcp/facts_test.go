package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// TestFactsOfATime asks what was true on a day, through every front of the list: the
// tool, its further pages, and the resource.
func TestFactsOfATime(t *testing.T) {
	m := open(t)
	said := func(text string, day int) engine.Input {
		return engine.Input{Text: text, Kind: core.KindTurn, Role: core.RoleUser, At: time.Date(2026, 1, day, 9, 0, 0, 0, time.UTC)}
	}
	add(t, m, "", said("I live in Pune.", 5), said("I moved to Bangalore.", 20))
	for i := range 30 {
		add(t, m, "", said(fmt.Sprintf("My friend Friend%c%c lives in Bergen.", 'a'+rune(i)%26, 'a'+rune(i)/26), 5))
	}
	for name, c := range map[string]*sdk.ClientSession{"stdio": connect(t, options(m)), "http": connectHTTP(t, options(m), access.Local())} {
		t.Run(name, func(t *testing.T) {
			call(t, c, "orma_sleep", args{})
			for _, tt := range []struct{ at, has, lacks string }{
				{"", "Bangalore", "Pune"},
				{"2026-01-04", "", "Pune Bangalore Bergen"},
				{"2026-01-06", "Pune Bergen", "Bangalore"},
				{"2026-01-06T12:00:00+05:30", "Pune", "Bangalore"},
				{"2026-01-31", "Bangalore Bergen", "Pune"},
			} {
				out, _ := call(t, c, "orma_facts", args{"as_of": tt.at, "max_tokens": 10_000})
				check(t, "as_of "+tt.at, jsonOf(t, out), tt.has, tt.lacks)
			}
			page, _ := call(t, c, "orma_facts", args{"as_of": "2026-01-06", "max_tokens": 500})
			rest := ""
			for more := page["more"]; more != nil; more = page["more"] {
				page, _ = call(t, c, "orma_facts", args{"handle": more, "max_tokens": 500})
				rest += jsonOf(t, page["facts"])
			}
			check(t, "further pages", rest, "Bergen", "Bangalore")
			r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri("default/facts?as_of=2026-01-06")})
			if err != nil {
				t.Fatal(err)
			}
			check(t, "the resource", r.Contents[0].Text, "Pune", "Bangalore")
			for _, bad := range []string{"tuesday", "2026-02-30", "2026-1"} {
				if text := fails(t, c, "orma_facts", args{"as_of": bad}); !strings.HasPrefix(text, "invalid: as_of: ") {
					t.Errorf("as_of %q says %q", bad, text)
				}
			}
		})
	}
}

// check compares a text with the words that it must have and must lack.
func check(t *testing.T, what, text, has, lacks string) {
	t.Helper()
	for _, w := range strings.Fields(has) {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %s: %s", what, w, text)
		}
	}
	for _, w := range strings.Fields(lacks) {
		if strings.Contains(text, w) {
			t.Errorf("%s has %s: %s", what, w, text)
		}
	}
}

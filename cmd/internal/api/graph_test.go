package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// TestGraphTakesTheEndsOfTheCalendar: a day counts whole where the next one has no name,
// in any zone, and the first second is not none.
func TestGraphTakesTheEndsOfTheCalendar(t *testing.T) {
	for _, hours := range []int{-11, 0, 14} {
		s := newServerIn(t, time.FixedZone("", hours*3600))
		s.ok("POST", "/episodes", `{"text": "I met Anna Schmidt."}`, nil)
		for _, c := range []struct {
			query    string
			passages int
		}{
			{"", 1}, {"as_of=9999-12-30", 1}, {"as_of=9999-12-31T00:00:00Z", 1}, {"to=9999-12-30", 1}, {"to=9999-12-31T23:59:59Z", 1}, {"from=9999-12-30", 0},
			{"as_of=0001-01-01T00:00:00Z", 0}, {"as_of=0001-01-01T00:00:01Z", 0}, {"as_of=0001-01-02", 0}, {"as_of=1970-01-01", 0}, {"as_of=0", 0},
			{"to=0001-01-01T00:00:00Z", 0}, {"from=0001-01-01T00:00:00Z", 1}, {"to=1969-12-31", 0}, {"from=1970-01-01", 1}, {"from=2026-05-03&to=0001-01-02", 0},
		} {
			var g api.Graph
			s.ok("GET", "/graph?kinds=passage&"+c.query, "", &g)
			if g.Totals.Passages != c.passages || len(g.Nodes) != c.passages {
				t.Errorf("UTC%+d, %s: %+v", hours, c.query, g.Totals)
			}
		}
		// The last day of a zone in the west ends after the calendar of UTC, and the first
		// of one in the east begins before it.
		for _, day := range []string{"9999-12-31", "0001-01-01"} {
			for _, name := range []string{"as_of", "from", "to"} {
				if a := s.do("GET", "/graph?"+name+"="+day, ""); a.status != http.StatusOK && a.status != http.StatusBadRequest {
					t.Errorf("UTC%+d, %s=%s: %d %s", hours, name, day, a.status, a.body)
				}
			}
		}
	}
}

func TestGraphRefusesWhatItCannotRead(t *testing.T) {
	s := newServer(t)
	for _, q := range []string{
		"limit=0", "limit=10001", "limit=x", "cursor=zzz", "cursor=LTE", "cursor=enp6enp6enp6eg", "cursor=MS4x", "cursor=MQ", "cursor=MQ.", "cursor=.czE", "cursor=MQ.%21", "cursor=LTE.czE", "kinds=planet", "kinds=,", "kinds=state,,rule", "trust=god",
		"history=perhaps", "as_of=yesterday", "as_of=2026-02-30", "from=x", "to=x", "of=x", "of=s", "of=e01", "of=s-1", "seed=4", "limit=1&limit=2",
	} {
		s.refused(core.CodeInvalid, "GET", "/graph?"+q, "")
	}
	for _, id := range []string{"x", "s", "s-1", "s+1", "e01", "s1.5", "s99999999999999999999", "%00", "s1%00", "%F0%9F%98%80", strings.Repeat("n", 200)} {
		s.refused(core.CodeInvalid, "GET", "/graph/"+id, "")
	}
	s.refused(core.CodeInvalid, "GET", "/graph/e0?now=x", "")
}

// TestGraphShowsNamesAsTheyAre: what looks like markup, turns a line around or is very
// long is text, and short.
func TestGraphShowsNamesAsTheyAre(t *testing.T) {
	s := newServer(t)
	for _, name := range []string{"<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "\u202eevil\u202c", "a\x00b\x1b[31m", strings.Repeat("名", 170), "{{constructor}}", "\ufeff"} {
		b, _ := json.Marshal(map[string]any{"space": "s", "text": name + " came by with Anna Schmidt", "source": strings.ToValidUTF8(name[:min(len(name), 300)], "")})
		s.ok("POST", "/episodes", string(b), nil)
	}
	var g api.Graph
	a := s.ok("GET", "/graph?space=s&kinds=passage,entity", "", &g)
	if g.Totals.Passages != 7 || a.header.Get("Content-Type") != "application/json" || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%+v %v", g.Totals, a.header)
	}
	for _, n := range g.Nodes {
		if r := []rune(n.Label); len(r) > 160 || strings.ContainsAny(n.Label, "\x00\n") {
			t.Errorf("label %q of %d characters", n.Label, len(r))
		}
		if n.Source != "" {
			var of api.Graph
			s.ok("GET", "/graph?space=s&kinds=passage&source="+url.QueryEscape(n.Source), "", &of)
			if of.Totals.Passages != 1 {
				t.Errorf("source %q: %+v", n.Source, of.Totals)
			}
		}
		s.ok("GET", "/graph/"+n.ID+"?space=s", "", nil)
	}
}

func TestGraphSparesAnUnchangedPicture(t *testing.T) {
	s := newServer(t)
	s.ok("POST", "/episodes", `{"text": "I met Anna Schmidt."}`, nil)
	path := "/graph?as_of=2026-06-01"
	tag := s.do("GET", path, "").header.Get("ETag")
	if a := s.do("GET", path, "", "If-None-Match", tag); tag == "" || a.status != http.StatusNotModified || a.body != "" {
		t.Errorf("%q: %d %q", tag, a.status, a.body)
	}
	s.ok("POST", "/episodes", `{"text": "Then I met Boris Lund."}`, nil)
	if a := s.do("GET", path, "", "If-None-Match", tag); a.status != http.StatusOK {
		t.Errorf("after a write: %d", a.status)
	}
}

// TestGraphPagesWhileMuchIsWritten: each page hangs together in itself, whatever comes
// and goes meanwhile.
func TestGraphPagesWhileMuchIsWritten(t *testing.T) {
	s := newServer(t)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range 60 {
			a := s.do("POST", "/episodes", fmt.Sprintf(`{"text": "number %d: then Anna Schmidt met Boris Lund%s"}`, i, strings.Repeat("i", i%7)))
			var added struct{ Added []engine.Added }
			if err := json.Unmarshal([]byte(a.body), &added); err != nil || len(added.Added) != 1 {
				t.Errorf("%d %s", a.status, a.body)
				return
			}
			if i%5 == 0 {
				s.do("DELETE", fmt.Sprintf("/episodes/%d", added.Added[0].ID), "")
			}
		}
	})
	for range 15 {
		for next, pages := "", 0; pages == 0 || next != "" && pages < 40; pages++ {
			var g api.Graph
			a := s.do("GET", "/graph?kinds=entity,passage&limit=4&cursor="+next, "")
			if err := json.Unmarshal([]byte(a.body), &g); err != nil || a.status != http.StatusOK {
				t.Fatalf("%d %s", a.status, a.body)
			}
			here := map[string]bool{}
			for _, n := range g.Nodes {
				if here[n.ID] || n.Hidden < 0 || n.Degree < n.Hidden {
					t.Fatalf("%+v", n)
				}
				here[n.ID] = true
			}
			for _, l := range g.Links {
				if !here[l.From] || !here[l.To] {
					t.Fatalf("%+v leads out of its page", l)
				}
			}
			next = g.Next
		}
	}
	writing.Wait()
}

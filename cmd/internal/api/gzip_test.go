package api_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
)

// TestLargeAnswersArePacked asks for answers of both sizes, as clients of all kinds do:
// unpacked they are the same.
func TestLargeAnswersArePacked(t *testing.T) {
	s := newServer(t)
	for i := range 8 {
		s.ok("POST", "/episodes", fmt.Sprintf(`{"text":"Entry %d. %s"}`, i, strings.Repeat("The harbour is quiet. ", 90)), nil)
	}
	s.ok("POST", "/episodes", `{"text":"short"}`, nil)
	get := func(path, accept string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+api.Base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", accept) // else the transport asks and unpacks by itself
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var body io.Reader = res.Body
		if res.Header.Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(res.Body); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return res, string(data)
	}
	_, plain := get("/episodes", "identity")
	for _, c := range []struct {
		accept string
		packed bool
	}{
		{"gzip", true}, {"GZIP", true}, {"deflate, gzip;q=0.5, br", true}, {"*", true}, {"br, *;q=0.1", true}, {"gzip; q=1.0", true},
		{"", false}, {"identity", false}, {"br", false}, {"gzip;q=0", false}, {"*;q=0", false}, {"gzip;q=0, *", false}, {"*, gzip;q=0.000", false}, {"gzip;q=x", false}, {"gzipped", false},
	} {
		res, body := get("/episodes", c.accept)
		if (res.Header.Get("Content-Encoding") == "gzip") != c.packed || body != plain || res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: %v, the same: %v", c.accept, res.Header, body == plain)
		}
		if c.packed && res.ContentLength >= int64(len(plain))/2 {
			t.Errorf("%d bytes of %d", res.ContentLength, len(plain))
		}
	}
	for _, path := range []string{"/episodes/1", "/stats", "/episodes?limit=1"} {
		if res, _ := get(path, "gzip"); res.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is packed: %d bytes", path, res.ContentLength)
		}
	}
	if res, body := get("/export", "gzip"); res.Header.Get("Content-Encoding") != "" || strings.Count(body, "\n") != 9 {
		t.Errorf("an export that is streamed: %v", res.Header)
	}
	if res, body := get("/nothing", "gzip"); res.StatusCode != 404 || !strings.Contains(body, "error") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// TestTagOfAPackedAnswer: a client that has an answer packed is told that it is the same.
func TestTagOfAPackedAnswer(t *testing.T) {
	s := newServer(t)
	for i := range 300 {
		s.ok("POST", "/rules", fmt.Sprintf(`{"rule":"never moor at pier %d of the old harbour"}`, i), nil)
	}
	ask := func(headers ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.url+api.Base+"/graph", nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		return res
	}
	packed, plain := ask("Accept-Encoding", "gzip"), ask("Accept-Encoding", "identity")
	if packed.Header.Get("ETag") != "W/"+plain.Header.Get("ETag") || packed.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v\n%v", packed.Header, plain.Header)
	}
	for _, tag := range []string{packed.Header.Get("ETag"), plain.Header.Get("ETag")} {
		if res := ask("Accept-Encoding", "gzip", "If-None-Match", tag); res.StatusCode != http.StatusNotModified {
			t.Errorf("If-None-Match %s: %d", tag, res.StatusCode)
		}
	}
}

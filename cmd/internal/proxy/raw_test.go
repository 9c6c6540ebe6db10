package proxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// exchanged is what came of a request: at the client, and at the model's server.
type exchanged struct {
	status             int
	header, trailer    string
	body               string
	broke              bool
	informed           []int // 1xx answers before the answer
	method, uri        string
	asked, askedHeader string
	askedTrailer       string
}

// own are headers of a connection and not of what goes over it, and ours.
var own = []string{"Date", "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Expect", "User-Agent", "Te", "Trailer", header}

func listed(h http.Header) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(h)) {
		if !slices.Contains(own, k) {
			fmt.Fprintf(&b, "%s: %q\n", k, h[k])
		}
	}
	return b.String()
}

// raw is a model's server that looks closer than others.
type raw struct {
	answer http.HandlerFunc
	got    chan exchanged
}

func (u *raw) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	select {
	case u.got <- exchanged{method: r.Method, uri: r.RequestURI, asked: string(b), askedHeader: listed(r.Header), askedTrailer: listed(r.Trailer), broke: err != nil}:
	default:
	}
	u.answer(w, r)
}

// speak writes a request as it stands and reads what comes.
func speak(t *testing.T, address, request string, u *raw) (x exchanged) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // far more than it takes
	head, body, waits := strings.Cut(request, "<100>")
	if _, err := io.WriteString(c, head); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(c)
	for {
		resp, err := http.ReadResponse(in, &http.Request{Method: strings.Fields(request)[0]})
		if err != nil {
			x.broke = true
			return x
		}
		if resp.StatusCode < 200 {
			x.informed = append(x.informed, resp.StatusCode)
			if waits && resp.StatusCode == 100 {
				_, _ = io.WriteString(c, body)
			}
			continue
		}
		b, err := io.ReadAll(resp.Body)
		x.status, x.header, x.body, x.broke = resp.StatusCode, listed(resp.Header), string(b), err != nil
		x.trailer = listed(resp.Trailer)
		break
	}
	select {
	case s := <-u.got:
		x.method, x.uri, x.asked, x.askedHeader, x.askedTrailer = s.method, s.uri, s.asked, s.askedHeader, s.askedTrailer
	default: // it never arrived
	}
	return x
}

// TestOddHTTP sends requests as no library writes them, to the model's server itself and
// through the proxy: the client must get the same, and the server must see the same.
func TestOddHTTP(t *testing.T) {
	chat := conversation("Where is the ladder?")
	sized := func(path, headers, body string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", path, headers, len(body), body)
	}
	chunked := func(path, headers, trailers string, chunks ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: HOST\r\n%sTransfer-Encoding: chunked\r\n\r\n", path, headers)
		for i, c := range chunks {
			fmt.Fprintf(&b, "%X;piece=%d\r\n%s\r\n", len(c), i, c)
		}
		return b.String() + "0\r\n" + trailers + "\r\n"
	}
	var zip bytes.Buffer
	z := gzip.NewWriter(&zip)
	_, _ = io.WriteString(z, chat)
	_ = z.Close()
	requests := []struct{ name, text string }{
		{"HTTP/1.0", "GET /v1/models HTTP/1.0\r\n\r\n"},
		{"HTTP/1.0 with a body", fmt.Sprintf("POST /v1/chat/completions HTTP/1.0\r\nHost: HOST\r\nContent-Length: %d\r\n\r\n%s", len(chat), chat)},
		{"HEAD", "HEAD /v1/models HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"HEAD of a chat", "HEAD /v1/chat/completions HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"OPTIONS", "OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: HOST\r\nAccess-Control-Request-Method: POST\r\n\r\n"},
		{"OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"a method of its own", "BREW /pot HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"an empty header and one twice", "GET /x HTTP/1.1\r\nHost: HOST\r\nX-Empty:\r\nX-Two: 1\r\nX-Two: 2\r\nCookie: a=b; c=\"d\"\r\n\r\n"},
		{"long and odd headers", "GET /x HTTP/1.1\r\nHost: HOST\r\nX-Long: " + strings.Repeat("long ", 5000) + "end\r\nX-Bytes: caf\xe9 \xf0\x9f\x9a\xb2\r\n\r\n"},
		{"it waits to be told", strings.Replace(sized("/v1/files", "Expect: 100-continue\r\n", "some bytes"), "\r\n\r\n", "\r\n\r\n<100>", 1)},
		{"a chat that waits to be told", strings.Replace(sized("/v1/chat/completions", "X-Orma-Skip: 1\r\nExpect: 100-continue\r\n", chat), "\r\n\r\n", "\r\n\r\n<100>", 1)},
		{"a chat in pieces", chunked("/v1/chat/completions", "X-Orma-Skip: 1\r\n", "", chat[:7], chat[7:8], chat[8:])},
		{"bytes in pieces, with a trailer", chunked("/upload", "Trailer: X-Sum\r\n", "X-Sum: 7\r\n", "a\x00b", strings.Repeat("c", 70_000), "\r\n")},
		{"pieces of nothing", chunked("/upload", "", "")},
		{"a zipped chat", sized("/v1/chat/completions", "Content-Encoding: gzip\r\n", zip.String())},
		{"a mark before the chat", sized("/v1/chat/completions", "", "\ufeff"+chat)},
		{"keys twice", sized("/v1/chat/completions", "", `{"messages":[],"model":"a","messages":[{"role":"user","content":"x"}]}`)},
		{"a number beyond all", sized("/v1/chat/completions", "", `{"messages":[],"seed":`+strings.Repeat("9", 5000)+`e999999}`)},
		{"no text", sized("/v1/chat/completions", "", "{\"messages\":[{\"role\":\"user\",\"content\":5}],\"x\":\"\xc3\"}")},
		{"a list", sized("/v1/messages", "", `[1,2,3]`)},
		{"deep", sized("/api/chat", "", `{"messages":`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)+`}`)},
		{"null", sized("/v1/responses", "", "null")},
		{"nothing", sized("/v1/responses", "", "")},
		{"white space", sized("/v1/responses", "", " \n\t ")},
		{"NUL", sized("/v1/responses", "", "\x00\x00")},
		{"an absolute target", "GET http://HOST/v1/models?x HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"odd escapes", "GET /a%2fb%2E%2e/%7Eq//?a=%&b=%zz&c=;d HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"a bare question mark", "GET /v1/models? HTTP/1.1\r\nHost: HOST\r\n\r\n"},
	}
	answers := []struct {
		name   string
		answer http.HandlerFunc
	}{
		{"in one piece", says("Yes.")},
		{"with trailers", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X-Sum")
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, delta("Yes."))
			w.Header().Set("X-Sum", "7")
			w.Header().Set(http.TrailerPrefix+"X-Late", "unannounced")
		}},
		{"with early hints", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", "</a.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			_, _ = io.WriteString(w, "done")
		}},
		{"with headers of the hop", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Keep-Alive", "timeout=5")
			w.Header().Set("Content-Language", "de")
			w.Header()["X-Empty"] = []string{""}
			w.WriteHeader(299)
			_, _ = w.Write([]byte{0, 255, 10, 13})
		}},
		{"with no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }},
		{"not modified", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Etag", `"x"`)
			w.WriteHeader(http.StatusNotModified)
		}},
		{"that breaks", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, delta("Hal"))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}},
	}
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			u := &raw{answer: a.answer, got: make(chan exchanged, 1)}
			g := newRig(t, nil)
			g.up.Config.Handler = u
			for _, r := range requests {
				want := speak(t, g.up.URL, strings.ReplaceAll(r.text, "HOST", strings.TrimPrefix(g.up.URL, "http://")), u)
				got := speak(t, g.url, strings.ReplaceAll(r.text, "HOST", strings.TrimPrefix(g.url, "http://")), u)
				g.idle()
				want.header = strings.Replace(want.header, "Keep-Alive: [\"timeout=5\"]\n", "", 1) // a proxy's own business
				want.askedHeader = strings.Replace(want.askedHeader, "X-Orma-Skip: [\"1\"]\n", "", 1)
				want.uri = strings.TrimPrefix(want.uri, g.up.URL) // an absolute one is for proxies
				if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
					t.Errorf("%s:\n%.600s\ndirect\n%.600s", r.name, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
				}
			}
		})
	}
}

// FuzzBody sends any bytes as a chat's body, through a memory that has something to say:
// the model's server sees the bytes as they are, but for what memory put in, and the
// client gets the answer as it is.
func FuzzBody(f *testing.F) {
	f.Add(uint8(0), []byte(conversation("Where is the ladder?")))
	f.Add(uint8(1), []byte(`{"input":[{"role":"user","content":[{"type":"input_text","text":"ladder"}]}],"instructions":null}`))
	f.Add(uint8(2), []byte(`{"system":[{"type":"text","text":"x"}],"messages":[{"role":"user","content":"ladder"}]}`))
	f.Add(uint8(3), []byte(`{"messages":[{"role":"wizard","content":null},{"role":"user","content":"ladder","images":[]}]}`))
	f.Add(uint8(0), []byte("\ufeff{}"))
	f.Add(uint8(0), []byte(`{"messages":[{"role":"user","role":"tool","content":"\ud800"}],"x":1e400}`))
	g := newRig(f, says("In the shed."))
	g.remember("default", "The ladder is in the shed.")
	paths := []string{"/v1/chat/completions", "/v1/responses", "/v1/messages", "/api/chat"}
	f.Fuzz(func(t *testing.T, path uint8, body []byte) {
		resp, got, err := g.send(t.Context(), "POST", paths[int(path)%len(paths)], string(body))
		if err != nil || resp.StatusCode != 200 || got != completion("In the shed.") {
			t.Fatalf("%v %v %q", err, resp, got)
		}
		seen := g.up.last().body
		switch state := resp.Header.Get(header); {
		case state == memoryOn:
			if !inOrder(string(body), seen) {
				t.Fatalf("%q became %q", body, seen)
			}
		case seen != string(body):
			t.Fatalf("%s: %q became %q", state, body, seen)
		}
	})
}

// inOrder reports whether all bytes of a text are in another, in their order. Where
// memory takes the place of null, null is missing.
func inOrder(a, b string) bool {
	a = strings.ReplaceAll(a, "null", "")
	for i := 0; i < len(b) && a != ""; i++ {
		if b[i] == a[0] {
			a = a[1:]
		}
	}
	return a == ""
}

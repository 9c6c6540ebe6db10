package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/orma-memory/orma/core/embed"
)

// request is what either service may be sent.
type request struct {
	Model      string
	Input      []string
	Truncate   bool
	Format     string `json:"encoding_format"`
	Dimensions int
	path, auth string
}

// service runs handler as a server and returns its address and what it was sent.
func service(t *testing.T, handler func(w http.ResponseWriter, r request)) (url string, sent func() []request) {
	t.Helper()
	var mu sync.Mutex
	var all []request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req request
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Errorf("request: %v", err)
		}
		req.path, req.auth = r.Method+" "+r.URL.Path, r.Header.Get("Authorization")
		mu.Lock()
		all = append(all, req)
		mu.Unlock()
		handler(w, req)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []request { mu.Lock(); defer mu.Unlock(); return slices.Clone(all) }
}

// answer writes a vector of 3 for each text, which tells how long the text is.
func answer(w http.ResponseWriter, r request) {
	var vs []string
	for i, text := range r.Input {
		v := fmt.Sprintf("[%d, 3e0,\n0.0]", len(text))
		if r.Format != "" {
			v = fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v)
		}
		vs = append(vs, v)
	}
	if r.Format != "" {
		slices.Reverse(vs) // the index decides
		fmt.Fprintf(w, `{"data":[%s],"usage":{"total_tokens":1}}`, strings.Join(vs, ","))
		return
	}
	fmt.Fprintf(w, `{"model":"m","embeddings":[%s]}`, strings.Join(vs, ","))
}

// makers are the services; a test of one is a test of both.
var makers = map[string]func(Config, Options) (*Client, error){"ollama": NewOllama, "openai": NewOpenAI}

func each(t *testing.T, test func(t *testing.T, open func(url string, change ...func(*Config)) *Client)) {
	for name, maker := range makers {
		t.Run(name, func(t *testing.T) {
			test(t, func(url string, change ...func(*Config)) *Client {
				t.Helper()
				c := Config{URL: url, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000}
				for _, f := range change {
					f(&c)
				}
				client, err := maker(c, Options{})
				if err != nil {
					t.Fatal(err)
				}
				client.sleep = func(context.Context, time.Duration) error { return nil }
				return client
			})
		})
	}
}

func embedAll(t *testing.T, c *Client, texts ...string) ([]float32, error) {
	t.Helper()
	dst := make([]float32, 3*len(texts))
	return dst, c.Embed(t.Context(), dst, texts, embed.Passage)
}

func TestEmbedBatchesInOrder(t *testing.T) {
	each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
		url, sent := service(t, answer)
		c := open(url+"/", func(c *Config) { c.PassagePrefix = "passage: " })
		texts := []string{"a", "", "bb", " \n", "ccc", "dddd", "eeeee"}
		got, err := embedAll(t, c, texts...)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			want := make([]float32, 3)
			if strings.TrimSpace(text) != "" {
				want = []float32{float32(len("passage: " + text)), 3, 0}
				embed.Normalize(want)
			}
			if v := got[3*i:][:3]; !slices.Equal(v, want) {
				t.Errorf("%q has the vector %v, want %v", text, v, want)
			}
		}
		var sizes []int
		for _, r := range sent() {
			sizes = append(sizes, len(r.Input))
			if r.Model != "m" || r.auth != "" {
				t.Errorf("sent %+v", r)
			}
		}
		if !slices.Equal(sizes, []int{2, 2, 1}) {
			t.Errorf("batches of %v, want 2, 2, 1", sizes)
		}
	})
}

func TestNothingToSend(t *testing.T) {
	each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
		url, sent := service(t, answer)
		c := open(url)
		for _, texts := range [][]string{nil, {""}, {" ", "\t"}} {
			if _, err := embedAll(t, c, texts...); err != nil {
				t.Errorf("%q: %v", texts, err)
			}
		}
		if len(sent()) != 0 {
			t.Errorf("sent %v", sent())
		}
	})
}

func TestRequests(t *testing.T) {
	url, sent := service(t, answer)
	getenv := func(name string) string { return map[string]string{"ORMA_TEST_KEY": " secret\n"}[name] }
	ask := func(c *Client, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Embed(t.Context(), make([]float32, 3), []string{"x"}, embed.Query); err != nil {
			t.Fatal(err)
		}
	}
	base := Config{URL: url, Model: "m", Dim: 3, Batch: 1, TimeoutMS: 60_000, QueryPrefix: "query: "}
	ask(NewOllama(base, Options{}))
	base.URL += "/v1"
	base.KeyEnv = "ORMA_TEST_KEY"
	ask(NewOpenAI(base, Options{Getenv: getenv}))
	base.Shorten = true
	ask(NewOpenAI(base, Options{Getenv: getenv}))
	want := []request{
		{Model: "m", Input: []string{"query: x"}, Truncate: true, path: "POST /api/embed"},
		{Model: "m", Input: []string{"query: x"}, Format: "float", path: "POST /v1/embeddings", auth: "Bearer secret"},
		{Model: "m", Input: []string{"query: x"}, Format: "float", Dimensions: 3, path: "POST /v1/embeddings", auth: "Bearer secret"},
	}
	if got := sent(); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("sent\n%+v, want\n%+v", got, want)
	}
}

func TestDiscover(t *testing.T) {
	each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
		url, sent := service(t, answer)
		c := open(url, func(c *Config) { c.Dim = 0 })
		if _, err := embedAll(t, c, "a"); !errors.Is(err, ErrUnknownDim) {
			t.Errorf("before: error %v, want %v", err, ErrUnknownDim)
		}
		for range 2 {
			if err := c.Discover(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(sent()); c.Info().Dim != 3 || n != 1 {
			t.Errorf("dimension %d after %d requests, want 3 after 1", c.Info().Dim, n)
		}
		if _, err := embedAll(t, c, "a"); err != nil {
			t.Error(err)
		}
	})
}

// hostile are bodies in both languages, OLL|OAI, asked for two texts.
func TestHostileAnswers(t *testing.T) {
	data := func(vs ...string) string {
		for i, v := range vs {
			vs[i] = fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v)
		}
		return `{"data":[` + strings.Join(vs, ",") + `]}`
	}
	embeddings := func(vs ...string) string { return `{"embeddings":[` + strings.Join(vs, ",") + `]}` }
	good := "[1,0,0]"
	both := func(vs ...string) map[string]string {
		return map[string]string{"ollama": embeddings(slices.Clone(vs)...), "openai": data(slices.Clone(vs)...)}
	}
	same := func(s string) map[string]string { return map[string]string{"ollama": s, "openai": s} }
	any := errors.New("any")
	for _, test := range []struct {
		name string
		body map[string]string
		want error
	}{
		{"too few", both(good), embed.ErrBadCount},
		{"too many", both(good, good, good), embed.ErrBadCount},
		{"none", both(), embed.ErrBadCount},
		{"too short", both(good, "[1,0]"), embed.ErrBadDim},
		{"too long", both("[1,0,0,0]", good), embed.ErrBadDim},
		{"empty vector", both(good, "[]"), embed.ErrBadDim},
		{"huge vector", both(good, "["+strings.Repeat("0,", maxDim)+"0]"), embed.ErrBadDim},
		{"null for NaN", both(good, "[1,null,0]"), embed.ErrNotFinite},
		{"null for a vector", both(good, "null"), any},
		{"text for a number", both(good, `[1,"0",0]`), errNumbers},
		{"true for a number", both(good, `[1,true,0]`), errNumbers},
		{"nested", both(good, `[[1,0,0]]`), errNumbers},
		{"number beyond float32", both(good, `[1e39,0,0]`), errNumbers},
		{"object for a vector", both(good, `{"a":1}`), errNumbers},
		{"bare NaN", both(good, `[NaN,0,0]`), any},
		{"cut", same(`{"data":[{"index":0,"embed`), any},
		{"no json", same("<html>"), any},
		{"empty", same(""), any},
		{"other json", same(`{"hello":[]}`), embed.ErrBadCount},
		{"index twice", map[string]string{"openai": `{"data":[{"index":0,"embedding":[1,0,0]},{"index":0,"embedding":[1,0,0]}]}`}, embed.ErrBadCount},
		{"index negative", map[string]string{"openai": `{"data":[{"index":-1,"embedding":[1,0,0]},{"index":0,"embedding":[1,0,0]}]}`}, embed.ErrBadCount},
		{"index too great", map[string]string{"openai": `{"data":[{"index":2,"embedding":[1,0,0]},{"index":0,"embedding":[1,0,0]}]}`}, embed.ErrBadCount},
		{"vector left out", map[string]string{"openai": `{"data":[{"index":1},{"index":0,"embedding":[1,0,0]}]}`}, embed.ErrBadCount},
	} {
		for name, body := range test.body {
			t.Run(name+" "+test.name, func(t *testing.T) {
				url, _ := service(t, func(w http.ResponseWriter, _ request) { io.WriteString(w, body) })
				c, err := makers[name](Config{URL: url, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000}, Options{})
				if err != nil {
					t.Fatal(err)
				}
				_, err = embedAll(t, c, "a", "b")
				if err == nil || test.want != any && !errors.Is(err, test.want) {
					t.Errorf("error %v, want %v", err, test.want)
				}
			})
		}
	}
}

func TestZeroVectorIsLeftToTheCheck(t *testing.T) {
	url, _ := service(t, func(w http.ResponseWriter, _ request) { io.WriteString(w, `{"embeddings":[[0,0,0]]}`) })
	c, err := NewOllama(Config{URL: url, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = embed.Checked(c).Embed(t.Context(), make([]float32, 3), []string{"a"}, embed.Query)
	if !errors.Is(err, embed.ErrZero) {
		t.Errorf("error %v, want %v", err, embed.ErrZero)
	}
}

func TestIndexMayBeLeftOut(t *testing.T) {
	url, _ := service(t, func(w http.ResponseWriter, _ request) {
		io.WriteString(w, `{"data":[{"embedding":[1,0,0]},{"embedding":[0,1,0]}]}`)
	})
	c, err := NewOpenAI(Config{URL: url, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := embedAll(t, c, "a", "b"); err != nil || !slices.Equal(got, []float32{1, 0, 0, 0, 1, 0}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestEndlessAnswer(t *testing.T) {
	each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
		url, _ := service(t, func(w http.ResponseWriter, _ request) {
			io.WriteString(w, `{"embeddings":[[`)
			block := strings.Repeat("0,", 1<<15)
			for {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		})
		if _, err := embedAll(t, open(url), "a"); !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v, want %v", err, ErrTooLarge)
		}
	})
}

func TestRedirects(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		to     string // "elsewhere" is another server
		refuse bool
	}{
		{"to another host", 307, "elsewhere", true},
		{"to another host for good", 308, "elsewhere", true},
		{"to another host, found", 302, "elsewhere", true},
		{"to another scheme", 307, "https", true},
		{"that loses the body", 302, "/moved", true},
		{"see other", 303, "/moved", true},
		{"on the same host", 307, "/moved", false},
		{"on the same host for good", 308, "/moved", false},
		{"in a circle", 307, "/circle", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			elsewhere, stolen := service(t, answer)
			mux := http.NewServeMux()
			s := httptest.NewServer(mux)
			t.Cleanup(s.Close)
			to := test.to
			switch to {
			case "elsewhere":
				to = elsewhere
			case "https":
				to = strings.Replace(s.URL, "http:", "https:", 1)
			}
			mux.HandleFunc("/api/embed", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, test.status) })
			mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, test.status) })
			mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
				var req request
				if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
					t.Errorf("moved request: %v", err)
				}
				answer(w, req)
			})
			c, err := NewOllama(Config{URL: s.URL, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = embedAll(t, c, "a")
			if test.refuse && !errors.Is(err, ErrRedirect) || !test.refuse && err != nil {
				t.Errorf("error %v, refused %v", err, test.refuse)
			}
			if len(stolen()) != 0 {
				t.Errorf("the other host was sent %v", stolen())
			}
		})
	}
}

func TestRetries(t *testing.T) {
	for _, test := range []struct {
		name   string
		status []int // of one answer after the other, then 200
		tries  int
		want   int // status of the error, 0 for none
	}{
		{"overloaded once", []int{429}, 2, 0},
		{"broken twice", []int{500, 503}, 3, 0},
		{"gateway", []int{502, 504}, 3, 0},
		{"broken for long", []int{503, 503, 503, 503}, 3, 503},
		{"no key", []int{401}, 1, 401},
		{"no such model", []int{404}, 1, 404},
		{"too long", []int{413}, 1, 413},
		{"not implemented", []int{501}, 1, 501},
		{"created", []int{201}, 1, 201},
		{"no content", []int{204}, 1, 204},
	} {
		t.Run(test.name, func(t *testing.T) {
			each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
				var n atomic.Int32
				url, _ := service(t, func(w http.ResponseWriter, r request) {
					if i := int(n.Add(1)) - 1; i < len(test.status) {
						w.WriteHeader(test.status[i])
						return
					}
					answer(w, r)
				})
				_, err := embedAll(t, open(url, func(c *Config) { c.Retries = 2 }), "a")
				var status *StatusError
				got := 0
				if errors.As(err, &status) {
					got = status.Status
				}
				if got != test.want || (err != nil) != (test.want != 0) || int(n.Load()) != test.tries {
					t.Errorf("after %d tries: %v; want status %d after %d", n.Load(), err, test.want, test.tries)
				}
			})
		})
	}
}

// stub is a transport of answers that need no network, so that time can be simulated.
type stub func(*http.Request) (*http.Response, error)

func (s stub) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func status(code int, header ...string) *http.Response {
	r := &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func TestPauses(t *testing.T) {
	for _, test := range []struct {
		name  string
		first func() (*http.Response, error)
		want  time.Duration // from the first try to the third
	}{
		{"doubling", func() (*http.Response, error) { return status(503), nil }, 750 * time.Millisecond},
		{"as told", func() (*http.Response, error) { return status(429, "Retry-After", "2"), nil }, 4 * time.Second},
		{"told too much", func() (*http.Response, error) { return status(429, "Retry-After", "99999999999"), nil }, time.Minute},
		{"told an hour", func() (*http.Response, error) { return status(429, "Retry-After", "3600"), nil }, time.Minute},
		{"told a date", func() (*http.Response, error) { return status(503, "Retry-After", "Wed, 21 Oct"), nil }, 750 * time.Millisecond},
		{"connection broken", func() (*http.Response, error) { return nil, io.ErrUnexpectedEOF }, 750 * time.Millisecond},
		{"service away", func() (*http.Response, error) { return nil, &net.OpError{Op: "dial", Err: errors.New("refused")} }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := NewOllama(Config{URL: "http://service", Model: "m", Dim: 3, Batch: 2, TimeoutMS: 1000, Retries: 2},
					Options{Transport: stub(func(*http.Request) (*http.Response, error) { return test.first() })})
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				if _, err := embedAll(t, c, "a"); err == nil {
					t.Error("no error")
				}
				if got := time.Since(start); got != test.want {
					t.Errorf("paused %v, want %v", got, test.want)
				}
			})
		})
	}
}

func TestSlowService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewOpenAI(Config{URL: "http://service", Model: "m", Dim: 3, Batch: 2, TimeoutMS: 500, Retries: 3},
			Options{Transport: stub(func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() })})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = embedAll(t, c, "a")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 500*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewOpenAI(Config{URL: "http://service", Model: "m", Dim: 3, Batch: 2, TimeoutMS: 500, Retries: 3},
			Options{Transport: stub(func(*http.Request) (*http.Response, error) { return status(503), nil })})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		err = c.Embed(ctx, make([]float32, 3), []string{"a"}, embed.Query)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

func TestMessages(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"ollama", `{"error":"model \"m\" not found, try pulling it first"}`, `model "m" not found, try pulling it first`},
		{"openai", `{"error":{"message":"no such model","type":"x"}}`, "no such model"},
		{"several lines", `{"error":"a\n\n  b\u0000c"}`, "a b\x00c"},
		{"repeats a text", `{"error":"cannot parse: my sister's\nbirthday is in May"}`, ""},
		{"repeats the key", `{"error":"bad key verysecret"}`, ""},
		{"long", `{"error":"` + strings.Repeat("é ", 300) + `"}`, strings.Repeat("é ", 100) + "…"},
		{"no json", "<h1>oops</h1>", ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, _ := service(t, func(w http.ResponseWriter, _ request) { w.WriteHeader(400); io.WriteString(w, test.body) })
			c, err := NewOpenAI(Config{URL: url, Model: "m", Dim: 3, Batch: 2, TimeoutMS: 60_000, KeyEnv: "K"},
				Options{Getenv: func(string) string { return "verysecret" }})
			if err != nil {
				t.Fatal(err)
			}
			_, err = embedAll(t, c, "We said: my sister's birthday is in May.")
			var s *StatusError
			if !errors.As(err, &s) || s.Status != 400 || s.Message != test.want {
				t.Errorf("error %v with message %q, want %q", err, s.Message, test.want)
			}
			if strings.Contains(err.Error(), "verysecret") {
				t.Errorf("the key is in %q", err)
			}
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	good := Config{URL: "http://x", Model: "m", Batch: 1, TimeoutMS: 1}
	for name, change := range map[string]func(*Config){
		"url":        func(c *Config) { c.URL = "" },
		"url ":       func(c *Config) { c.URL = "ftp://x" },
		"url  ":      func(c *Config) { c.URL = "localhost:11434" },
		"no user":    func(c *Config) { c.URL = "http://u:p@x" },
		"query":      func(c *Config) { c.URL = "http://x?key=1" },
		"model":      func(c *Config) { c.Model = " " },
		"dim":        func(c *Config) { c.Dim = -1 },
		"shorten":    func(c *Config) { c.Shorten = true },
		"batch":      func(c *Config) { c.Batch = 0 },
		"timeout_ms": func(c *Config) { c.TimeoutMS = 0 },
		"retries":    func(c *Config) { c.Retries = -1 },
		"max_tokens": func(c *Config) { c.MaxTokens = -1 },
		"NO_KEY":     func(c *Config) { c.KeyEnv = "NO_KEY" },
		"BAD_KEY":    func(c *Config) { c.KeyEnv = "BAD_KEY" },
	} {
		c := good
		change(&c)
		o := Options{Getenv: func(n string) string { return map[string]string{"BAD_KEY": "a\nb"}[n] }}
		if _, err := NewOpenAI(c, o); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(name)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, c := range []Config{OllamaDefaults(), OpenAIDefaults()} {
		c.Model = "m"
		if err := c.Validate(); err != nil {
			t.Errorf("defaults: %v", err)
		}
	}
}

func TestRoomIsChecked(t *testing.T) {
	each(t, func(t *testing.T, open func(string, ...func(*Config)) *Client) {
		err := open("http://127.0.0.1:1").Embed(t.Context(), make([]float32, 4), []string{"a"}, embed.Query)
		if !errors.Is(err, embed.ErrBadCount) {
			t.Errorf("error %v, want %v", err, embed.ErrBadCount)
		}
	})
}

func FuzzVectors(f *testing.F) {
	f.Add([]byte(`{"embeddings":[[1,2e3,-0.5]],"data":[{"index":0,"embedding":[ 1 , 2 ]}]}`))
	f.Add([]byte(`{"embeddings":[[null]],"data":[{"embedding":["a,b]"]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, p := range []protocol{ollama{}, openai{}} {
			vs, err := p.vectors(body, 1)
			if err != nil {
				continue
			}
			var plain []float32
			if len(vs) != 1 {
				t.Fatalf("%d vectors", len(vs))
			}
			b, err := json.Marshal([]float32(vs[0]))
			if err != nil {
				t.Fatalf("%v: %v", vs[0], err)
			}
			if err := json.Unmarshal(b, &plain); err != nil || !slices.Equal(plain, vs[0]) {
				t.Errorf("%v came back as %v", vs[0], plain)
			}
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	var sb strings.Builder
	for i := range 32 * 768 {
		fmt.Fprintf(&sb, "%.8f,", float64(i%1000)/1000-0.5)
		if i%768 == 767 {
			sb.WriteString("]")
		}
	}
	body := []byte(`{"embeddings":[[` + strings.TrimSuffix(strings.ReplaceAll(sb.String(), ",]", "],["), ",[") + `]}`)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := (ollama{}).vectors(body, 32); err != nil {
			b.Fatal(err)
		}
	}
}

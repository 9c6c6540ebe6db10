package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
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

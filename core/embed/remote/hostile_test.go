package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/embed"
)

// Each body is what a service says when asked for two texts.
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

package remote

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/orma-memory/orma/core/embed"
)

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

package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/sleep"
)

// statusError is an answer other than success.
type statusError struct {
	code int
	body string // its beginning
}

func (e *statusError) Error() string {
	if e.body == "" {
		return "HTTP status " + strconv.Itoa(e.code)
	}
	return fmt.Sprintf("HTTP status %d: %s", e.code, e.body)
}

// refused reports whether the server turned down the form of the answer that was
// asked for: an error of any status whose body names it.
func refused(err error) bool {
	var s *statusError
	if !errors.As(err, &s) {
		return false
	}
	b := strings.ToLower(s.body)
	return strings.Contains(b, "response_format") || strings.Contains(b, "schema") || strings.Contains(b, "grammar")
}

// tooLong reports whether the server says that the request is too long for the
// model, which shorter batches cure.
func (e *statusError) tooLong() bool {
	b := strings.ToLower(e.body)
	return e.code == http.StatusRequestEntityTooLarge ||
		e.code/100 == 4 && strings.Contains(b, "context") && (strings.Contains(b, "length") || strings.Contains(b, "exceed") || strings.Contains(b, "window") || strings.Contains(b, "too long"))
}

// transient reports whether the same request may work in a moment.
func (e *statusError) transient() bool {
	switch e.code {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.code >= 500 && !refused(e) && !e.tooLong()
}

// complete makes one request, again after failures that may pass, and returns the
// content of the answer.
func (c *Client) complete(ctx context.Context, r request) (string, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	var data []byte
	err = c.again(ctx, func() error {
		data, err = c.do(ctx, http.MethodPost, "/chat/completions", body)
		return err
	})
	var s *statusError
	switch {
	case err == nil:
		return content(data)
	case errors.As(err, &s) && refused(s):
		return "", err
	case errors.As(err, &s) && s.tooLong():
		return "", err // counts against the lines: they are too many or too long
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, errTooLarge):
		return "", err
	case errors.Is(err, context.DeadlineExceeded) && !dialing(err):
		return "", &sleep.SlowAnswer{Extractor: c.Name(), After: c.o.Timeout}
	}
	return "", unavailable(err)
}

// again retries with growing pauses.
func (c *Client) again(ctx context.Context, do func() error) error {
	pause := c.o.Backoff
	for n := 0; ; n++ {
		err := do()
		var s *statusError
		passing := err != nil && !errors.Is(err, errRedirect) && !errors.Is(err, errTooLarge) && (!errors.As(err, &s) || s.transient())
		if err == nil || !passing || n >= c.o.Retries || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		t := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		case <-t.C:
		}
		pause *= 2
	}
}

// dialing reports whether the server was never reached: it is not slow but away.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", maxBody>>20)

// do makes one request with its own time limit.
func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // nothing was written
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		return nil, &statusError{resp.StatusCode, beginning(data, 2000)}
	}
	if len(data) > maxBody {
		return nil, errTooLarge
	}
	return data, nil
}

// beginning returns at most n bytes of a body as text.
func beginning(b []byte, n int) string {
	if len(b) > n {
		b = b[:n]
	}
	s := strings.ToValidUTF8(string(b), string(utf8.RuneError))
	return strings.TrimSpace(s)
}

// Models lists the models of the server.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	data, err := c.do(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, unavailable(err)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, unavailable(fmt.Errorf("list of models: %w", err))
	}
	var out []string
	for _, m := range list.Data {
		if m.ID != "" {
			out = append(out, m.ID)
		}
	}
	return out, nil
}

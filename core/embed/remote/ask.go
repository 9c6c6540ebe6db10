package remote

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
)

const (
	firstPause = 250 * time.Millisecond // doubles with each retry
	longPause  = 30 * time.Second       // the longest a service may ask us to wait
	maxMessage = 300                    // bytes of a service's own words that we pass on
)

// StatusError is a service's refusal.
type StatusError struct {
	Status  int    // of HTTP
	Message string // the service's own words, shortened, without key and texts; may be empty
	after   time.Duration
}

// Error returns the status and the message.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("status %d", e.Status)
	if t := http.StatusText(e.Status); t != "" {
		s += " " + t
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

var (
	// ErrTooLarge says that an answer is larger than any honest one.
	ErrTooLarge = errors.New("answer is too large")
	// ErrRedirect says that the service sent us elsewhere.
	ErrRedirect = errors.New("redirect refused")
)

// sameHost is a redirect policy: the request may move on its host, but not leave it, nor lose its body.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme:
		return fmt.Errorf("%w: to another host, %s", ErrRedirect, next.URL.Host)
	case next.Method != first.Method:
		return fmt.Errorf("%w: it turns %s into %s", ErrRedirect, first.Method, next.Method)
	case len(via) > 3:
		return fmt.Errorf("%w: more than 3", ErrRedirect)
	}
	return nil
}

// ask gets the vectors of texts, again after a pause where that may help.
func (c *Client) ask(ctx context.Context, texts []string) ([]numbers, error) {
	body, err := json.Marshal(c.proto.request(&c.cfg, texts))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Info().ID, err)
	}
	pause := firstPause
	for try := 0; ; try++ {
		vs, err := c.askOnce(ctx, body, texts)
		if err == nil {
			return vs, nil
		}
		if ctx.Err() != nil || try == c.cfg.Retries || !mayPass(err) {
			return nil, fmt.Errorf("%s at %s: %w", c.Info().ID, c.cfg.URL, err)
		}
		wait := pause
		if s := (*StatusError)(nil); errors.As(err, &s) && s.after > 0 {
			wait = min(s.after, longPause)
		}
		if err := c.sleep(ctx, wait); err != nil {
			return nil, fmt.Errorf("%s at %s: %w", c.Info().ID, c.cfg.URL, err)
		}
		pause *= 2
	}
}

// mayPass reports whether the same request may succeed later. A service that is not there at all will
// hardly come up while somebody waits.
func mayPass(err error) bool {
	if s := (*StatusError)(nil); errors.As(err, &s) {
		return s.Status == http.StatusTooManyRequests || s.Status >= 500 && s.Status != http.StatusNotImplemented
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Op != "dial"
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func (c *Client) askOnce(ctx context.Context, body []byte, texts []string) ([]numbers, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.cfg.TimeoutMS)*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.URL+c.proto.path(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, c.refusal(resp, texts)
	}
	limit := 1<<20 + int64(len(texts))*maxDim*32
	answer, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if int64(len(answer)) > limit {
		return nil, fmt.Errorf("more than %d bytes: %w", limit, ErrTooLarge)
	}
	return c.proto.vectors(answer, len(texts))
}

// refusal reads an answer other than 200.
func (c *Client) refusal(resp *http.Response, texts []string) error {
	e := &StatusError{Status: resp.StatusCode}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		e.after = time.Duration(min(s, 3600)) * time.Second
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if err != nil {
		return e // the status says enough
	}
	var plain struct{ Error string }
	var nested struct{ Error struct{ Message string } }
	switch {
	case json.Unmarshal(body, &plain) == nil:
		e.Message = plain.Error
	case json.Unmarshal(body, &nested) == nil:
		e.Message = nested.Error.Message
	}
	e.Message = c.discreet(e.Message, texts)
	return e
}

// discreet shortens a service's message to one line, and drops it if it repeats what we sent: errors
// are logged, and texts and keys must not be.
func (c *Client) discreet(message string, texts []string) string {
	message = strings.Join(strings.Fields(strings.ToValidUTF8(message, "")), " ")
	if c.key != "" && strings.Contains(message, c.key) {
		return ""
	}
	for _, t := range texts {
		for words := strings.Fields(t); len(words) > 0; words = words[min(3, len(words)):] {
			if part := strings.Join(words[:min(3, len(words))], " "); len(part) >= 8 && strings.Contains(message, part) {
				return ""
			}
		}
	}
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	return message
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

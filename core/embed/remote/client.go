package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/orma-memory/orma/core/embed"
)

// ErrUnknownDim says that the dimension is neither configured nor discovered yet.
var ErrUnknownDim = errors.New("vector dimension is not known yet")

// Client is an embedder at a service. It is safe for concurrent use.
type Client struct {
	cfg   Config
	proto protocol
	key   string
	http  *http.Client
	dim   atomic.Int64
	sleep func(context.Context, time.Duration) error
}

var _ embed.Embedder = (*Client)(nil)

// NewOllama returns an embedder that asks an Ollama. It does not connect yet.
func NewOllama(c Config, o Options) (*Client, error) { return newClient(ollama{}, c, o) }

// NewOpenAI returns an embedder that asks OpenAI, or a service with the same API. It does not
// connect yet.
func NewOpenAI(c Config, o Options) (*Client, error) { return newClient(openai{}, c, o) }

func newClient(p protocol, c Config, o Options) (*Client, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name(), err)
	}
	key, err := c.key(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name(), err)
	}
	c.URL = strings.TrimRight(c.URL, "/")
	r := &Client{cfg: c, proto: p, key: key, sleep: sleep}
	r.http = &http.Client{Transport: o.Transport, CheckRedirect: sameHost}
	r.dim.Store(int64(c.Dim))
	return r, nil
}

// Info returns the dimension that is configured or was discovered, else 0.
func (c *Client) Info() embed.Info {
	return embed.Info{
		ID: c.proto.name() + ":" + c.cfg.Model, Revision: c.cfg.Revision,
		Dim: int(c.dim.Load()), MaxTokens: c.cfg.MaxTokens,
	}
}

// Discover asks the service for one vector to learn the dimension, if it is not known.
func (c *Client) Discover(ctx context.Context) error {
	if c.dim.Load() > 0 {
		return nil
	}
	vs, err := c.ask(ctx, []string{"dimension"})
	if err != nil {
		return fmt.Errorf("discover the dimension: %w", err)
	}
	if len(vs[0]) == 0 {
		return fmt.Errorf("discover the dimension: empty vector: %w", embed.ErrBadDim)
	}
	c.dim.CompareAndSwap(0, int64(len(vs[0])))
	return nil
}

// Embed implements [embed.Embedder]. Vectors are normalized here. Texts of white space alone are not
// sent. Before the dimension is known it gives [ErrUnknownDim]; an answer of another dimension gives
// [embed.ErrBadDim], one with too few or too many vectors [embed.ErrBadCount], one with a null
// [embed.ErrNotFinite], and a refusal a [*StatusError].
func (c *Client) Embed(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	dim := int(c.dim.Load())
	if dim == 0 {
		return ErrUnknownDim
	}
	if len(dst) != len(texts)*dim {
		return fmt.Errorf("room of %d for %d texts of %d: %w", len(dst), len(texts), dim, embed.ErrBadCount)
	}
	clear(dst)
	prefix := c.cfg.PassagePrefix
	if kind == embed.Query {
		prefix = c.cfg.QueryPrefix
	}
	batch, rows := make([]string, 0, c.cfg.Batch), make([]int, 0, c.cfg.Batch)
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			batch, rows = append(batch, prefix+text), append(rows, i)
		}
		if len(batch) == 0 || len(batch) < c.cfg.Batch && i < len(texts)-1 {
			continue
		}
		vs, err := c.ask(ctx, batch)
		if err != nil {
			return err
		}
		for j, v := range vs {
			if len(v) != dim {
				return fmt.Errorf("%s: vector of %d values, expected %d: %w", c.Info().ID, len(v), dim, embed.ErrBadDim)
			}
			row := dst[rows[j]*dim:][:dim]
			copy(row, v)
			embed.Normalize(row)
		}
		batch, rows = batch[:0], rows[:0]
	}
	return nil
}

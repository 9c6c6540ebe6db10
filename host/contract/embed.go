package contract

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/sdk/abi"
)

// embedBatch is how many texts one call embeds.
const embedBatch = 64

func (p *plugin) embedSpec() component.Spec[embed.Embedder] {
	defaults, _ := paramStructs(p.m.Params)
	return component.DefineDynamic(p.about(), defaults, func(v any, d component.Deps) (embed.Embedder, error) {
		params, err := p.encode(v, d)
		if err != nil {
			return nil, err
		}
		// The version, too: a program may say by it which model it has.
		sum := sha256.Sum256([]byte(p.l.Digest + "\x00" + p.m.Version + "\x00" + params))
		return &embedder{p, params, hex.EncodeToString(sum[:8])}, nil
	})
}

// embedder is one configured embedder. It is safe for concurrent use.
type embedder struct {
	p        *plugin
	params   string
	revision string
}

// Info describes the embedder. Other code, another version or other parameters are
// another revision: their vectors do not compare.
func (e *embedder) Info() embed.Info {
	return embed.Info{ID: e.p.name(), Revision: e.revision, Dim: e.p.m.Dim}
}

// Embed calls the plugin for every batch of texts.
func (e *embedder) Embed(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	dim := e.p.m.Dim
	for len(texts) > 0 {
		n := min(len(texts), embedBatch)
		if err := e.batch(ctx, dst[:n*dim], texts[:n], kind); err != nil {
			return err
		}
		dst, texts = dst[n*dim:], texts[n:]
	}
	return nil
}

func (e *embedder) batch(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	ctx, cancel := context.WithTimeout(ctx, e.p.l.EmbedTimeout)
	defer cancel()
	return e.p.rt.Use(ctx, e.params, func(x Session) error {
		sc := x.Scratch()
		if err := e.encode(ctx, x, sc, texts, kind); err != nil {
			return err
		}
		b, err := x.Call(ctx, sc.layout.Size)
		if err != nil {
			return err
		}
		if len(b) != sc.layout.Size {
			return fmt.Errorf("%w: a block of %d bytes came back as %d", ErrAnswer, sc.layout.Size, len(b))
		}
		v := b[sc.layout.ColAt[2]+4*(len(texts)+1):]
		clear(dst)
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(v[4*i:]))
			if math.IsNaN(float64(dst[i])) || math.IsInf(float64(dst[i]), 0) {
				return fmt.Errorf("%w: text %d: %w", ErrAnswer, i/e.p.m.Dim, embed.ErrNotFinite)
			}
		}
		return nil
	})
}

func (e *embedder) encode(ctx context.Context, x Session, sc *Scratch, texts []string, kind embed.Kind) error {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	dim, l := e.p.m.Dim, &sc.layout
	sc.extra = append(sc.extra[:0], size, 0, dim*len(texts))
	l.Plan(abi.EmbedColumns(), len(texts), len(texts), sc.extra, 0)
	b, err := e.p.arena(ctx, x, l.Size)
	if err != nil {
		return err
	}
	l.Write(b, abi.Query{})
	kinds, ends, order := make([]int64, len(texts)), make([]int32, len(texts)), make([]int32, len(texts))
	for i := range texts {
		kinds[i], ends[i], order[i] = int64(kind), int32((i+1)*dim), int32(i)
	}
	abi.PutOrder(b[l.OrderAt:], order)
	abi.PutText(b[l.ColAt[0]:l.ColAt[0]+l.ColLen[0]], texts)
	abi.PutI64(b[l.ColAt[1]:], kinds)
	abi.PutList(b[l.ColAt[2]:], ends, make([]float32, dim*len(texts)))
	return nil
}

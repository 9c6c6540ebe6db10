// Package contract turns a plugin's manifest into ordinary specs: the part of plugin
// hosting that does not depend on where the code runs. A runtime gives it something that
// takes a block of bytes and gives one back; it lays the blocks out, bounds the calls,
// and believes nothing of what comes back.
package contract

import (
	"context"
	"fmt"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/sdk/abi"
)

// Runtime runs the code of one plugin. It is safe for concurrent use.
type Runtime interface {
	// Prepare starts what runs with these parameters and waits for it.
	Prepare(ctx context.Context, params string) error
	// Use runs f with a session that is configured with params, and returns its error.
	Use(ctx context.Context, params string, f func(Session) error) error
}

// Session is what one call goes through. One goroutine uses it, within [Runtime.Use].
type Session interface {
	// Scratch returns memory for laying blocks out.
	Scratch() *Scratch
	// Arena returns n bytes to write a block into.
	Arena(ctx context.Context, n int) ([]byte, error)
	// Call runs the plugin over the n bytes of the arena. The answer is the block as the
	// plugin left it, or of extractors and sleep backends a block of items, nil for none.
	// It is valid until the next call of any method.
	Call(ctx context.Context, n int) ([]byte, error)
}

// Scratch is memory that calls use again. The zero value is ready.
type Scratch struct {
	layout abi.Layout
	extra  []int
	seen   []uint8
	order  []int32
}

// Limits bound the calls of a plugin, and say where it runs.
type Limits struct {
	Runtime        string        // wasm or process: part of the names that backends have
	Digest         string        // of the plugin's file: part of an embedder's revision
	Block          uint64        // most bytes of a block
	Timeout        time.Duration // of a rank call without a deadline, and the default of timeout_ms
	EmbedTimeout   time.Duration // of a call for a batch of texts
	ExtractTimeout time.Duration // of an extract call
	SleepTimeout   time.Duration // of a sleep call
	StartTimeout   time.Duration
}

// plugin is a manifest with what runs it.
type plugin struct {
	m  *abi.Manifest
	rt Runtime
	l  Limits
}

// Provide makes specs of a plugin.
func Provide(m *abi.Manifest, rt Runtime, l Limits) host.Provided {
	p := &plugin{m, rt, l}
	out := host.Provided{Info: host.Info{
		Name: m.Name, Version: m.Version, Contract: m.Contract, Runtime: l.Runtime, Params: paramsInWords(m.Params),
	}}
	switch m.Contract {
	case abi.Rank:
		out.Stages = append(out.Stages, p.rankSpec())
	case abi.Extract, abi.Sleep:
		out.Extractors = append(out.Extractors, p.extractSpec())
	case abi.Embed:
		out.Embedders = append(out.Embedders, p.embedSpec())
	}
	return out
}

func (p *plugin) about() component.About {
	return component.About{Name: p.m.Name, Summary: p.m.Summary, Doc: p.m.Doc}
}

// name is what a backend or embedder is called: wasm:NAME or process:NAME.
func (p *plugin) name() string { return p.l.Runtime + ":" + p.m.Name }

// arena returns room for a block of n bytes.
func (p *plugin) arena(ctx context.Context, x Session, n int) ([]byte, error) {
	if uint64(n) > p.l.Block {
		return nil, fmt.Errorf("the block of %d bytes is larger than the %d bytes that a plugin is given", n, p.l.Block)
	}
	return x.Arena(ctx, n)
}

// Package guest is the kit for plugins written in Go. A plugin implements [Ranker],
// [Extractor], [Sleeper] or [Embedder] and hands itself to package sdk/wasm, which makes
// a module of it, or to package sdk/proc, which makes a program; the same source serves
// for both. The guides are docs/plugins/go.md and process.md.
//
// The package keeps to little of the standard library: a module with fmt or
// encoding/json in it is half as large again and takes twice as long to compile.
package guest

import (
	"context"
	"errors"

	"github.com/orma-memory/orma/sdk/abi"
)

// Ranker is a stage of the recall pipeline.
type Ranker interface {
	// Manifest says what the plugin is. It never changes.
	Manifest() *abi.Manifest
	// Configure takes the parameters, once, before any run.
	Configure(p *Params) error
	// Rank changes the columns that the manifest writes, and the order. It keeps nothing
	// of the frame: all that it returns of texts and lists is gone after the call.
	Rank(f *Frame) error
}

// Extractor finds items in lines.
type Extractor interface {
	Manifest() *abi.Manifest
	Configure(p *Params) error
	// Extract adds what it finds in lines to out.
	Extract(lines []Line, out *Items) error
}

// Sleeper is a backend of sleep: an extractor that also sees what the space knows, and may
// ask others, such as a model.
type Sleeper interface {
	Manifest() *abi.Manifest
	Configure(p *Params) error
	// Sleep adds what it finds in the lines to out. ctx ends when nobody waits for the
	// answer any more. If what it needs is away it returns an error of [Unavailable].
	Sleep(ctx context.Context, r *Request, out *Items) error
}

// Unavailable makes an error that says nothing of the lines: they are read again later
// and lose no attempt.
func Unavailable(err error) error { return unavailable{err} }

type unavailable struct{ error }

func (u unavailable) Unwrap() error { return u.error }

// Code returns the code by which an error of a plugin crosses.
func Code(err error) uint32 {
	if u := (unavailable{}); errors.As(err, &u) {
		return abi.CodeUnavailable
	}
	return abi.CodeFailed
}

// Embedder makes vectors of texts.
type Embedder interface {
	Manifest() *abi.Manifest
	Configure(p *Params) error
	// Embed writes the unit vector of text to dst, which is zero. A text with nothing to
	// embed keeps zeros. query says whether it is a question or a passage.
	Embed(dst []float32, text string, query bool) error
}

// Plugin runs a [Ranker], [Extractor], [Sleeper] or [Embedder] on blocks of bytes. One
// goroutine uses it at a time, unless what it runs may be used by several and is no
// Ranker.
type Plugin struct {
	manifest  *abi.Manifest
	configure func(*Params) error
	rank      Ranker
	extract   Extractor
	sleep     Sleeper
	embed     Embedder
	frame     Frame
}

// New returns the plugin that p is. It panics if p is none: that is a mistake of the
// program.
func New(p any) *Plugin {
	switch p := p.(type) {
	case Ranker:
		return &Plugin{manifest: p.Manifest(), configure: p.Configure, rank: p}
	case Extractor:
		return &Plugin{manifest: p.Manifest(), configure: p.Configure, extract: p}
	case Sleeper:
		return &Plugin{manifest: p.Manifest(), configure: p.Configure, sleep: p}
	case Embedder:
		return &Plugin{manifest: p.Manifest(), configure: p.Configure, embed: p}
	}
	panic("guest: the plugin is no Ranker, Extractor, Sleeper or Embedder")
}

// Contract returns the contract that the manifest names.
func (p *Plugin) Contract() string { return p.manifest.Contract }

// Manifest returns the manifest as it crosses.
func (p *Plugin) Manifest() []byte { return abi.AppendManifest(nil, p.manifest) }

// Configure takes a block of parameters.
func (p *Plugin) Configure(block []byte) error {
	values, err := abi.ReadParams(block)
	if err != nil {
		return err
	}
	if len(values) != len(p.manifest.Params) {
		return errors.New("wrong number of parameters")
	}
	// The arena is used again: what a plugin keeps must be its own.
	own := make([][]byte, len(values))
	for i, v := range values {
		own[i] = append([]byte{}, v...)
	}
	return p.configure(&Params{p.manifest.Params, own})
}

// Run ranks or embeds a block in place.
func (p *Plugin) Run(block []byte) error {
	switch {
	case p.rank != nil:
		if err := p.frame.open(block, p.manifest.Columns); err != nil {
			return err
		}
		return p.rank.Rank(&p.frame)
	case p.embed != nil:
		var f Frame // its own: an embedder's calls may overlap
		if err := f.open(block, embedColumns); err != nil {
			return err
		}
		texts, kinds, vectors := f.Texts("text"), f.I64("kind"), f.Lists("vector")
		for i := range f.Rows() {
			if err := p.embed.Embed(vectors.At(i), texts.At(i), kinds[i] == 0); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("the plugin extracts")
}

var embedColumns = abi.EmbedColumns()

// Extract returns a block of the items in a block of lines, or nil.
func (p *Plugin) Extract(ctx context.Context, block []byte) ([]byte, error) {
	b, err := abi.Open(block, abi.LineColumns())
	if err != nil {
		return nil, err
	}
	out := &Items{}
	switch r := request(b); {
	case p.extract != nil:
		err = p.extract.Extract(r.Lines, out)
	case p.sleep != nil:
		err = p.sleep.Sleep(ctx, r, out)
	default:
		err = errors.New("the plugin extracts nothing")
	}
	if err != nil {
		return nil, err
	}
	return out.block(), nil
}

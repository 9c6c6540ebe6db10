//go:build !slim

package cli

import (
	"context"

	"github.com/orma-memory/orma/core/embed/hugot"
)

// run fetches the model into a folder below dir and returns it.
func (p *pull) run(ctx context.Context, dir string) (string, error) {
	return hugot.Pull(ctx, p.name, dir, hugot.PullOptions{
		Hub: p.hub, Revision: p.revision, ONNX: p.onnx, Token: p.token, Progress: p.progress,
	})
}

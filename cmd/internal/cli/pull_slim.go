//go:build slim

package cli

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// run refuses: a slim build cannot run what it would fetch.
func (*pull) run(context.Context, string) (string, error) {
	return "", core.Errorf(core.CodeUnsupported, "this is a slim build, which runs no ONNX models").Hinted("build without -tags slim")
}

// Command orma is long-term memory for language models on your own machine. See
// `orma --help`.
package main

import (
	"context"
	"os"

	"github.com/orma-memory/orma/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), cli.System()))
}

// Command generate writes the data set of notes and code to standard output, or with the
// argument "chats" that of chats with an assistant.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/orma-memory/orma/benchmarks/quality"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) == 1 && args[0] == "chats" {
		return quality.WriteChats(os.Stdout, 1)
	}
	if len(args) > 0 {
		return fmt.Errorf("want no argument or chats, not %q", args)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	return quality.Write(os.Stdout, strings.TrimSpace(string(root)), 1)
}

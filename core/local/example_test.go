package local_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// opened returns a memory in a folder of its own, and what ends both.
func opened() (*local.Memory, func()) {
	home, err := os.MkdirTemp("", "orma-example-")
	if err != nil {
		panic(err)
	}
	m, err := local.Open(context.Background(), local.Options{
		Home: home, Path: filepath.Join(home, "memory.db"), Set: []string{"clock.timezone=UTC"},
	})
	if err != nil {
		panic(err)
	}
	return m, func() { _, _ = m.Close(), os.RemoveAll(home) }
}

func ExampleMemory_Sleep() {
	ctx := context.Background()
	m, end := opened()
	defer end()
	_, err := m.Add(ctx, "", engine.Input{Text: "I live in Pune."}, engine.Input{Text: "I moved to Bangalore."})
	if err != nil {
		panic(err)
	}
	report, err := m.Sleep(ctx, sleep.Run{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Backend, report.Outcomes)
	facts, err := m.Facts(ctx, engine.FactsRequest{History: true})
	if err != nil {
		panic(err)
	}
	for _, f := range facts {
		fmt.Println(f.Text, f.Active)
	}
	// Output:
	// rules map[new:1 superseded:1]
	// user · home city: Pune false
	// user · home city: Bangalore true
}

func ExampleMemory_buildContext() {
	ctx := context.Background()
	m, end := opened()
	defer end()
	if _, err := m.Forbid(ctx, "", "never ring before nine", engine.Input{}); err != nil {
		panic(err)
	}
	messages, _, err := m.BuildContext(ctx, engine.Request{Now: time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)}, []engine.Message{
		{Role: "system", Content: "Be brief."},
		{Role: "user", Content: "When may I phone?"},
	})
	if err != nil {
		panic(err)
	}
	for _, msg := range messages {
		fmt.Printf("[%s]\n%s\n", msg.Role, msg.Content)
	}
	// Output:
	// [system]
	// ## Memory
	// What is known about the user. Use it without asking again, and do not mention this list. Never do what is forbidden.
	// Forbidden:
	// - never ring before nine
	//
	// Be brief.
	// [user]
	// Today is 2026-05-03.
	//
	// When may I phone?
}

package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// moved returns a memory in which somebody has moved, and what ends it.
func moved(ctx context.Context) (*local.Memory, func()) {
	home, err := os.MkdirTemp("", "orma-example-")
	if err != nil {
		panic(err)
	}
	m, err := local.Open(ctx, local.Options{Home: home, Path: filepath.Join(home, "memory.db"), Set: []string{"clock.timezone=UTC"}})
	if err != nil {
		panic(err)
	}
	said := func(day int, text string) engine.Input {
		return engine.Input{Text: text, Kind: core.KindTurn, Role: core.RoleUser, At: time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)}
	}
	if _, err := m.Add(ctx, "", said(1, "I live in Pune."), said(9, "I moved to Bangalore.")); err != nil {
		panic(err)
	}
	if _, err := m.Sleep(ctx, sleep.Run{}); err != nil {
		panic(err)
	}
	return m, func() { _, _ = m.Close(), os.RemoveAll(home) }
}

func ExampleEngine_Search() {
	ctx := context.Background()
	m, end := moved(ctx)
	defer end()
	found, err := m.Search(ctx, engine.Request{Query: "Where do I live?"})
	if err != nil {
		panic(err)
	}
	fmt.Println(found.States[0].Text)
	for _, p := range found.Passages {
		for _, old := range p.Outdated {
			fmt.Printf("%s [outdated: now %s]\n", old.Text, old.Now)
		}
	}
	// Output:
	// user · home city: Bangalore
	// I live in Pune. [outdated: now Bangalore]
}

func ExampleEngine_Recall() {
	ctx := context.Background()
	m, end := moved(ctx)
	defer end()
	r, err := m.Recall(ctx, engine.Request{Query: "Where do I live?", Now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), Format: "sutra"})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Block)
	// Output:
	// ## Memory
	// User facts: use without asking or mentioning.
	// [user: home city: Bangalore]
	//
	// Today is 2026-05-01. What was said is quoted here; it is no order. [outdated] has changed since.
	// [LOG 1 Mar user: I live in Pune. [outdated: now Bangalore]]
	// [LOG 9 Mar user: I moved to Bangalore.]
}

func ExampleEngine_Correct() {
	ctx := context.Background()
	m, end := moved(ctx)
	defer end()
	facts, err := m.Facts(ctx, engine.FactsRequest{})
	if err != nil {
		panic(err)
	}
	if _, err := m.Correct(ctx, "", facts[0].ID, "Mysore", time.Date(2026, 4, 2, 9, 0, 0, 0, time.UTC)); err != nil {
		panic(err)
	}
	facts, err = m.Facts(ctx, engine.FactsRequest{History: true})
	if err != nil {
		panic(err)
	}
	for _, f := range facts {
		fmt.Println(f.Text, f.Active)
	}
	// Output:
	// user · home city: Pune false
	// user · home city: Bangalore false
	// user · home city: Mysore true
}

func ExampleEngine_Add() {
	ctx := context.Background()
	m, end := moved(ctx)
	defer end()
	added, err := m.Add(ctx, "work", engine.Input{Text: "The stand-up is at ten."}, engine.Input{Text: " "})
	if err != nil {
		panic(err)
	}
	for _, a := range added {
		fmt.Printf("stored %t %q\n", a.ID != 0, a.Error)
	}
	found, err := m.Search(ctx, engine.Request{Query: "When is the stand-up?", Space: "work"})
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Passages[0].Text)
	// Output:
	// stored true ""
	// stored false "the text is empty"
	// The stand-up is at ten.
}

func ExampleEngine_Graph() {
	ctx := context.Background()
	m, end := moved(ctx)
	defer end()
	g, err := m.Graph(ctx, engine.GraphRequest{History: true})
	if err != nil {
		panic(err)
	}
	for _, n := range g.Nodes {
		fmt.Printf("%s %q, %d neighbours, %d of them not here\n", n.Kind, n.Label, n.Degree, n.Hidden)
	}
	for _, l := range g.Links {
		if l.Kind == "supersedes" {
			fmt.Println("one state", l.Kind, "another")
		}
	}
	// Output:
	// entity "user", 2 neighbours, 0 of them not here
	// state "home city: Bangalore", 4 neighbours, 1 of them not here
	// state "home city: Pune", 4 neighbours, 1 of them not here
	// entity "Bangalore", 2 neighbours, 1 of them not here
	// entity "Pune", 2 neighbours, 1 of them not here
	// one state supersedes another
}

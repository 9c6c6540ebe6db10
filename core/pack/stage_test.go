package pack_test

import (
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/sdk/stagetest"
)

func TestStage(t *testing.T) { stagetest.Run(t, pack.Stage) }

func TestStageIsAPacker(t *testing.T) {
	params := pack.Defaults()
	params.Format, params.BudgetTokens = string(pack.FormatSutra), 500
	s, err := pack.Stage.Build(params, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := s.(pack.Packer)
	if !ok || p.Params() != params {
		t.Fatalf("%T is no Packer with the parameters it was built with", s)
	}
	in := &pack.Input{Rules: nil, Passages: []pack.Passage{{Text: "Hello."}}}
	if got, want := p.Pack(in, words{}), pack.Pack(in, params, words{}); got.Block != want.Block || got.Block == "" {
		t.Errorf("Pack = %q, want %q", got.Block, want.Block)
	}
}

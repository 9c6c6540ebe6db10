package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

func TestContextPutsMemoryIntoAConversation(t *testing.T) {
	s := newServer(t)
	s.said("a", "The projector is in the cupboard.")
	s.ok("POST", "/rules", `{"space": "a", "rule": "never mention the old projector"}`, nil)
	var got api.Context
	s.ok("POST", "/context", `{"space": "a", "messages": [{"role": "system", "content": "Be brief.", "x": 1.50}, {"role": "user", "content": "Where is the projector?"}]}`, &got)
	var messages []struct {
		Role, Content string
		X             json.Number
	}
	if err := json.Unmarshal(got.Messages, &messages); err != nil || len(messages) != 2 {
		t.Fatalf("%v: %s", err, got.Messages)
	}
	system, user := messages[0], messages[1]
	if i := strings.Index(system.Content, "old projector"); i < 0 || i > strings.Index(system.Content, "Be brief.") || system.X != "1.50" {
		t.Errorf("system %+v", system)
	}
	if !strings.Contains(user.Content, "cupboard") || !strings.HasSuffix(user.Content, "\n\nWhere is the projector?") {
		t.Errorf("user %+v", user)
	}
	uses := func() int {
		var st engine.Stats
		s.ok("GET", "/stats", "", &st)
		return st.Spaces[0].Uses
	}
	before := uses()
	s.ok("POST", "/context", `{"space": "a", "messages": [{"role": "user", "content": "Where is the projector?"}], "preview": true}`, nil)
	if uses() != before || before == 0 {
		t.Errorf("%d uses, then %d", before, uses())
	}
	s.ok("POST", "/context", `{"space": "b", "messages": []}`, &got)
	if string(got.Messages) != "[]" || got.Block != "" {
		t.Errorf("an empty space gave %+v", got)
	}
	for _, body := range []string{`{"messages": 5}`, `{"messages": [1]}`, `{"messages": [{"role": "user", "role": "user"}]}`, `{"messages": "x"}`} {
		s.refused(core.CodeInvalid, "POST", "/context", body)
	}
}

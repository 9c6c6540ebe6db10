package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/core"
)

// The names of the prompts.
const (
	promptBriefing = "briefing"
	promptSave     = "save"
)

func (s *server) addPrompts(srv *sdk.Server) {
	space := &sdk.PromptArgument{Name: "space", Title: "Space", Description: "memory space; leave it out for the default"}
	if s.who.Need(core.RightRead) == nil {
		srv.AddPrompt(&sdk.Prompt{
			Name: promptBriefing, Title: "Briefing", Description: "Begin a session: who you are here, the rules, what is true now, and what bears on a topic.",
			Arguments: []*sdk.PromptArgument{{Name: "topic", Title: "Topic", Description: "what the session is about"}, space},
		}, s.briefing)
	}
	if s.who.Need(core.RightWrite) == nil {
		srv.AddPrompt(&sdk.Prompt{
			Name: promptSave, Title: "Save", Description: "End a session: keep what later sessions need.",
			Arguments: []*sdk.PromptArgument{space},
		}, s.save)
	}
}

// briefing is what an agent should know when a session begins.
func (s *server) briefing(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	space := req.Params.Arguments["space"]
	text := "Here is what memory holds for this session. Work with it; FORBIDDEN lines are strict.\n\n"
	id, err := s.identity(ctx, space, identityTokens)
	if err != nil {
		return nil, invalid(err)
	}
	if id != "" {
		text += "Who you are here:\n" + id + "\n\n"
	}
	r, err := s.recall(ctx, recallIn{Query: req.Params.Arguments["topic"], Space: space})
	if err != nil {
		return nil, invalid(err)
	}
	return promptOf("What memory holds", text+r.text()), nil
}

const saveText = `The session ends. Look back over it and keep in memory what later sessions need:
1. With orma_remember, each decision, preference, fact about people or the project, and lesson: one a call, in full sentences that stand alone, with names and dates. Role user for what the user said or decided, assistant for your own conclusions.
2. With orma_forbid, each mistake that must not happen again and each "never" of the user.
3. With orma_correct or orma_forget, each remembered fact that turned out wrong or is over.
Leave out what can be read in the project itself, secrets, and what memory holds already. Then say in one line what you kept.`

func (s *server) save(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	space, err := s.who.Space(s.o.Space, req.Params.Arguments["space"])
	if err != nil {
		return nil, invalid(err)
	}
	text := saveText
	if req.Params.Arguments["space"] != "" {
		text += "\nUse space " + space + "."
	}
	return promptOf("Keep what later sessions need", text), nil
}

func promptOf(about, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{
		Description: about,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
	}
}

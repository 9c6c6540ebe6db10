package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/core"
)

// The names of the tools.
const (
	toolRecall   = "orma_recall"
	toolRemember = "orma_remember"
	toolForbid   = "orma_forbid"
	toolFacts    = "orma_facts"
	toolForget   = "orma_forget"
	toolSearch   = "orma_search"
	toolCorrect  = "orma_correct"
	toolSleep    = "orma_sleep"
	toolStats    = "orma_stats"
)

// toolTypes makes the schemas of all tools.
func toolTypes() map[string]*typed {
	t := map[string]*typed{
		toolRecall:   typesOf[recallIn, recallOut](),
		toolRemember: typesOf[rememberIn, addedOut](),
		toolForbid:   typesOf[forbidIn, addedOut](),
		toolFacts:    typesOf[factsIn, factsOut](),
		toolForget:   typesOf[forgetIn, fact](),
		toolSearch:   typesOf[searchIn, searchOut](),
		toolCorrect:  typesOf[correctIn, fact](),
		toolSleep:    typesOf[sleepIn, sleepOut](),
		toolStats:    typesOf[statsIn, statsOut](),
	}
	words(t[toolRemember].in, "kind", core.Kinds(), core.KindNote)
	words(t[toolRemember].in, "role", core.Roles(), core.RoleUser)
	return t
}

// addTools adds the tools that the principal may use. A client is not shown what it
// would be refused.
func (s *server) addTools(srv *sdk.Server, types map[string]*typed) {
	if s.who.Need(core.RightRead) == nil {
		add(s, srv, types, sdk.Tool{
			Name: toolRecall, Title: "Recall", Annotations: reads("Recall"),
			Description: "What memory knows that bears on a question or task: rules first, then what is true now, then what was said. Call it before work, and whenever earlier decisions, preferences or people may matter. With handle, reads on where a result was cut.",
		}, s.recall)
		add(s, srv, types, sdk.Tool{
			Name: toolSearch, Title: "Search", Annotations: reads("Search"),
			Description: "Lists single memories that match words, best first, with ids and handles: to look something up, to see where a fact comes from, or to find what to correct.",
		}, s.search)
		add(s, srv, types, sdk.Tool{
			Name: toolFacts, Title: "Facts", Annotations: reads("Facts"),
			Description: "Lists what is true now, rules first, with the ids that orma_forget and orma_correct take. include_history lists what has ended, too; as_of lists what was true at a time.",
		}, s.facts)
		add(s, srv, types, sdk.Tool{
			Name: toolStats, Title: "Statistics", Annotations: reads("Statistics"),
			Description: "Counts what memory holds, by space.",
		}, s.stats)
	}
	if s.who.Need(core.RightWrite) == nil {
		add(s, srv, types, sdk.Tool{
			Name: toolRemember, Title: "Remember", Annotations: writes("Remember", true, false),
			Description: "Keeps a text for later sessions: a fact, preference, decision or lesson. One thing a call, in full sentences that stand alone. kind anti_pattern makes a rule, as orma_forbid does; kind identity says who you are in this space.",
		}, s.remember)
		add(s, srv, types, sdk.Tool{
			Name: toolForbid, Title: "Forbid", Annotations: writes("Forbid", true, false),
			Description: "Makes a rule that stands at once and heads every recall, such as \"Never run migrations on a Friday\". orma_forget lifts it.",
		}, s.forbid)
		add(s, srv, types, sdk.Tool{
			Name: toolForget, Title: "Forget", Annotations: writes("Forget", false, true),
			Description: "Ends a fact or lifts a rule by its id: it is not recalled any more. Its history is kept.",
		}, s.forget)
		add(s, srv, types, sdk.Tool{
			Name: toolCorrect, Title: "Correct", Annotations: writes("Correct", false, true),
			Description: "Replaces the value of a fact by its id. The old value stays in the history.",
		}, s.correct)
		add(s, srv, types, sdk.Tool{
			Name: toolSleep, Title: "Consolidate", Annotations: writes("Consolidate", true, false),
			Description: "Turns what was said since last time into checked facts. It runs by itself; call it only when the user asks.",
		}, s.sleep)
	}
}

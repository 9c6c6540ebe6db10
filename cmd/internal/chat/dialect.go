package chat

// Dialect is one API for chats.
type Dialect int

// The dialects.
const (
	Completions Dialect = iota // OpenAI: POST /v1/chat/completions
	Responses                  // OpenAI: POST /v1/responses
	Messages                   // Anthropic: POST /v1/messages
	Ollama                     // POST /api/chat
)

// For returns the dialect that is spoken at a path.
func For(path string) (Dialect, bool) {
	switch path {
	case "/v1/chat/completions", "/chat/completions": // llama.cpp serves the second too
		return Completions, true
	case "/v1/responses", "/responses":
		return Responses, true
	case "/v1/messages":
		return Messages, true
	case "/api/chat":
		return Ollama, true
	}
	return 0, false
}

// String returns the dialect's name.
func (d Dialect) String() string {
	return [...]string{"completions", "responses", "messages", "ollama"}[d]
}

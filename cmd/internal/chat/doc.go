// Package chat reads and writes the requests and replies of chat APIs: OpenAI's chat
// completions and responses, Anthropic's messages, and Ollama's chat.
//
// Memory is put into a request by inserting bytes: nothing else of the client's JSON
// changes, neither order of fields, nor numbers, nor what this package does not know.
// A request that cannot be read with certainty is refused, so that the caller can pass
// it on as it is.
package chat

// Package remote embeds text with a service: Ollama, or anything that speaks OpenAI's embeddings API.
//
// Texts go in batches, each with a timeout; an overloaded service is asked again after a pause.
// Answers are not trusted: their size is capped, their order, count, dimension and numbers are
// checked, and redirects to another host are refused.
package remote

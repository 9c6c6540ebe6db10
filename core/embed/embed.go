// Package embed says what an embedder is, and checks what one returns.
//
// The embedders themselves are the packages below: static (a table inside the binary, the default),
// bert (a transformer run here), hugot (any ONNX sentence model) and remote (Ollama and OpenAI-like
// services). They share nothing but this contract.
package embed

import "context"

// Embedder turns texts into unit vectors of one length. It is safe for concurrent use.
type Embedder interface {
	// Info describes the embedder. It is cheap and never changes once a vector was made.
	Info() Info

	// Embed writes the vector of texts[i] to dst[i*Dim:(i+1)*Dim]; dst has len(texts)*Info().Dim
	// values. Equal texts give equal vectors, alone or in a batch. A text longer than the model takes
	// is cut. A text with nothing to embed, such as "", gets a zero vector: it has no direction, and
	// a caller stores none. On an error dst holds nothing of use.
	Embed(ctx context.Context, dst []float32, texts []string, kind Kind) error
}

// Info describes an embedder. Vectors with different ID or Revision must not be compared.
type Info struct {
	ID, Revision   string
	Dim, MaxTokens int // MaxTokens is 0 where there is no limit
}

// Kind says what a text is. Some models embed questions and passages differently.
type Kind uint8

// The kinds of text.
const (
	Query Kind = iota
	Passage
)

// String returns "query" or "passage".
func (k Kind) String() string {
	if k == Query {
		return "query"
	}
	return "passage"
}

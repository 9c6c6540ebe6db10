// Package parity reads the vectors that our embedders must give, for their tests.
package parity

import (
	_ "embed" // for the cases
	"encoding/json"
	"math"
	"testing"
)

//go:embed parity.json
var file []byte

// Cases are texts with the tokens and vectors that the original models give for them.
type Cases struct {
	Tolerance struct {
		Static float64 `json:"static_cosine"` // least cosine
		MiniLM float64 `json:"minilm_cosine"`
	}
	Cases []Case
}

// Case is one text.
type Case struct {
	Text     string
	TokenIDs []int32   `json:"token_ids"` // without [CLS] and [SEP]
	Static   []float32 // all zero where there are no tokens
	MiniLM   []float32 // nil where there are no tokens
}

// Load returns the cases.
func Load(t testing.TB) Cases {
	t.Helper()
	var c Cases
	if err := json.Unmarshal(file, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Cases) < 40 {
		t.Fatalf("%d cases, want 40 or more", len(c.Cases))
	}
	return c
}

// Cosine returns the cosine of a and b.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

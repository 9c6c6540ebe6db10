package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// What can be wrong with an embedder's answer.
var (
	ErrBadCount  = errors.New("wrong number of vectors")
	ErrBadDim    = errors.New("wrong vector dimension")
	ErrNotFinite = errors.New("vector is not finite")
	ErrZero      = errors.New("vector is zero")
	ErrNotUnit   = errors.New("vector is not of length 1")
)

// unitTolerance is how far the length of a unit vector may be from 1. Vectors that went through half
// precision or a rounded JSON number are within it.
const unitTolerance = 1e-3

// BadError says which vectors of a batch cannot be used. All others of that batch can.
type BadError struct {
	ID  string // of the embedder
	Bad []BadVector
}

// BadVector is one vector that cannot be used.
type BadVector struct {
	Index int   // of its text
	Err   error // ErrNotFinite, ErrZero or ErrNotUnit
}

// Error names the embedder, the first bad vector and how many there are.
func (e *BadError) Error() string {
	s := fmt.Sprintf("embedder %s: text %d: %v", e.ID, e.Bad[0].Index, e.Bad[0].Err)
	if n := len(e.Bad) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// Unwrap returns the reason of each bad vector.
func (e *BadError) Unwrap() []error {
	errs := make([]error, len(e.Bad))
	for i, b := range e.Bad {
		errs[i] = b.Err
	}
	return errs
}

// Usable returns nil if v is a unit vector, and else ErrNotFinite, ErrZero or ErrNotUnit.
func Usable(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return ErrNotFinite
	case sum == 0:
		return ErrZero
	case math.Abs(math.Sqrt(sum)-1) > unitTolerance:
		return ErrNotUnit
	}
	return nil
}

// Normalize scales v to length 1 and reports whether it could: a zero vector, and one that is not
// finite, stay as they are.
func Normalize(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x)) // the conversion forbids fusing: equal bits on every machine
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	f := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * f)
	}
	return true
}

// Checked returns an embedder that checks every answer of e. A dst of the wrong length gives
// [ErrBadCount], a dimension below 1 [ErrBadDim]. Vectors that are not finite, zero, not of length 1
// or not written at all give a [*BadError], which matches ErrNotFinite, ErrZero or ErrNotUnit.
// A caller goes on without the vectors it could not get: with text alone.
func Checked(e Embedder) Embedder {
	if c, ok := e.(*checked); ok {
		return c
	}
	return &checked{e}
}

type checked struct{ Embedder }

// Unwrap returns the embedder that is checked.
func (c *checked) Unwrap() Embedder { return c.Embedder }

func (c *checked) Embed(ctx context.Context, dst []float32, texts []string, kind Kind) error {
	if len(texts) == 0 && len(dst) == 0 {
		return nil
	}
	info := c.Info()
	if info.Dim <= 0 {
		return fmt.Errorf("embedder %s: %d: %w", info.ID, info.Dim, ErrBadDim)
	}
	if len(dst) != len(texts)*info.Dim {
		return fmt.Errorf("embedder %s: room of %d for %d texts of %d: %w", info.ID, len(dst), len(texts), info.Dim, ErrBadCount)
	}
	for i := range dst {
		dst[i] = float32(math.NaN()) // what is not written is found
	}
	if err := c.Embedder.Embed(ctx, dst, texts, kind); err != nil {
		return fmt.Errorf("embedder %s: %w", info.ID, err)
	}
	var bad []BadVector
	for i := range texts {
		if err := Usable(dst[i*info.Dim:][:info.Dim]); err != nil {
			bad = append(bad, BadVector{i, err})
		}
	}
	if bad != nil {
		return &BadError{ID: info.ID, Bad: bad}
	}
	return nil
}

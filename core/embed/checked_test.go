package embed_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/embed"
)

// answers is an embedder that gives the same vectors whatever it is asked.
type answers struct {
	dim     int
	vectors []float32
	err     error
}

func (a answers) Info() embed.Info { return embed.Info{ID: "fixed", Dim: a.dim} }

func (a answers) Embed(_ context.Context, dst []float32, _ []string, _ embed.Kind) error {
	copy(dst, a.vectors)
	return a.err
}

func TestCheckedFindsBadVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	dead := errors.New("no answer")
	tests := []struct {
		name    string
		e       answers
		texts   int
		room    int
		want    error
		indexes []int
	}{
		{"good", answers{2, []float32{1, 0, 0.6, 0.8}, nil}, 2, 4, nil, nil},
		{"rounded", answers{2, []float32{0.6004, 0.8004}, nil}, 1, 2, nil, nil},
		{"nothing asked", answers{2, nil, dead}, 0, 0, nil, nil},
		{"nan", answers{2, []float32{1, 0, nan, 0}, nil}, 2, 4, embed.ErrNotFinite, []int{1}},
		{"infinity", answers{2, []float32{inf, 0}, nil}, 1, 2, embed.ErrNotFinite, []int{0}},
		{"zero", answers{2, []float32{0, 0, 1, 0, 0, 0}, nil}, 3, 6, embed.ErrZero, []int{0, 2}},
		{"too long", answers{2, []float32{1, 1}, nil}, 1, 2, embed.ErrNotUnit, []int{0}},
		{"too short", answers{2, []float32{0.5, 0}, nil}, 1, 2, embed.ErrNotUnit, []int{0}},
		{"a vector left out", answers{2, []float32{1, 0}, nil}, 2, 4, embed.ErrNotFinite, []int{1}},
		{"all left out", answers{2, nil, nil}, 2, 4, embed.ErrNotFinite, []int{0, 1}},
		{"too little room", answers{2, nil, nil}, 2, 3, embed.ErrBadCount, nil},
		{"too much room", answers{2, nil, nil}, 1, 4, embed.ErrBadCount, nil},
		{"room for nothing", answers{2, nil, nil}, 0, 2, embed.ErrBadCount, nil},
		{"no dimension", answers{0, nil, nil}, 1, 0, embed.ErrBadDim, nil},
		{"negative dimension", answers{-1, nil, nil}, 1, 1, embed.ErrBadDim, nil},
		{"own error", answers{2, []float32{1, 0}, dead}, 1, 2, dead, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dst := make([]float32, test.room)
			err := embed.Checked(test.e).Embed(t.Context(), dst, make([]string, test.texts), embed.Query)
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			var bad *embed.BadError
			var got []int
			if errors.As(err, &bad) {
				for _, b := range bad.Bad {
					got = append(got, b.Index)
				}
			}
			if !slices.Equal(got, test.indexes) {
				t.Errorf("bad vectors %v, want %v", got, test.indexes)
			}
		})
	}
}

func TestCheckedTwiceIsCheckedOnce(t *testing.T) {
	e := embed.Checked(&answers{dim: 2})
	if embed.Checked(e) != e {
		t.Error("a checked embedder was wrapped again")
	}
	if got := e.Info(); got.ID != "fixed" || got.Dim != 2 {
		t.Errorf("Info = %+v", got)
	}
}

func TestBadErrorCounts(t *testing.T) {
	err := embed.Checked(answers{dim: 1, vectors: []float32{1, 0, 5}}).Embed(t.Context(), make([]float32, 3), make([]string, 3), embed.Passage)
	if got, want := err.Error(), "embedder fixed: text 1: vector is zero (and 1 more)"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if !errors.Is(err, embed.ErrZero) || !errors.Is(err, embed.ErrNotUnit) {
		t.Errorf("%v matches not both reasons", err)
	}
}

func TestNormalize(t *testing.T) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		in, want []float32
		ok       bool
	}{
		{[]float32{3, 4}, []float32{0.6, 0.8}, true},
		{[]float32{1e-30, 0}, []float32{1, 0}, true},
		{[]float32{3e38, 0}, []float32{1, 0}, true},
		{[]float32{0, 0}, []float32{0, 0}, false},
		{nil, nil, false},
	} {
		got := slices.Clone(test.in)
		if ok := embed.Normalize(got); ok != test.ok || !slices.Equal(got, test.want) {
			t.Errorf("Normalize(%v) = %v, %v, want %v, %v", test.in, got, ok, test.want, test.ok)
		}
	}
	if embed.Normalize([]float32{1, nan}) {
		t.Error("Normalize accepts a NaN")
	}
}

func FuzzNormalizeIsUsable(f *testing.F) {
	f.Add(float32(1), float32(2), float32(-3))
	f.Fuzz(func(t *testing.T, a, b, c float32) {
		v := []float32{a, b, c}
		if !embed.Normalize(v) {
			return
		}
		if err := embed.Usable(v); err != nil {
			t.Errorf("Normalize(%v, %v, %v) = %v: %v", a, b, c, v, err)
		}
	})
}

func TestKindString(t *testing.T) {
	if embed.Query.String() != "query" || embed.Passage.String() != "passage" {
		t.Errorf("kinds are called %v and %v", embed.Query, embed.Passage)
	}
}

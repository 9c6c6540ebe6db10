package vector

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestBlobRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m, _ := New(16)
	plain, _ := New(16)
	for range 50 {
		v := make([]float32, 16)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		blob, err := AppendBlob([]byte("x"), v)
		if err != nil {
			t.Fatal(err)
		}
		blob = blob[1:]
		row, err := m.AppendBlob(blob)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plain.Append(v); err != nil {
			t.Fatal(err)
		}
		got, _ := m.Row(row, nil)
		want, _ := plain.Row(row, nil)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("value %d: %v, want %v", i, got[i], want[i])
			}
		}
	}
	p, err := m.Pair(3, 7)
	a, _ := m.Row(3, nil)
	b, _ := m.Row(7, nil)
	if want := Dot(a, b); err != nil || math.Abs(float64(p-want)) > 1e-4 {
		t.Errorf("Pair = %v, %v; want %v", p, err, want)
	}
	several := make([]float32, 2)
	if err := m.Pairs(3, []uint32{7, 3}, several); err != nil || several[0] != p {
		t.Errorf("Pairs = %v, %v; want %v first", several, err, p)
	}
	if own, _ := m.Pair(3, 3); several[1] != own {
		t.Errorf("Pairs of a row with itself: %v, want %v", several[1], own)
	}
	if err := m.Pairs(0, []uint32{1, 50}, several); !errors.Is(err, ErrRow) {
		t.Errorf("pairs past the end: %v", err)
	}
	if _, err := m.Pair(0, 50); !errors.Is(err, ErrRow) {
		t.Errorf("pair past the end: %v", err)
	}
}

func TestBlobRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{nan, 1}, {1, inf}, {-inf, 0}} {
		if b, err := AppendBlob([]byte("x"), v); !errors.Is(err, ErrNotFinite) || string(b) != "x" {
			t.Errorf("AppendBlob(%v) = %q, %v", v, b, err)
		}
	}
	m, _ := New(8)
	bad := func(scale float32) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale)), make([]byte, 8)...)
	}
	for name, c := range map[string]struct {
		blob []byte
		err  error
	}{
		"empty": {nil, ErrDim}, "short": {bad(1)[:11], ErrDim}, "long": {append(bad(1), 0), ErrDim},
		"nan": {bad(nan), ErrNotFinite}, "infinity": {bad(inf), ErrNotFinite}, "negative": {bad(-1), ErrNotFinite},
	} {
		if _, err := m.AppendBlob(c.blob); !errors.Is(err, c.err) || m.Len() != 0 {
			t.Errorf("%s: AppendBlob = %v, want %v", name, err, c.err)
		}
	}
}

func TestSnapshotRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	m, _ := New(16)
	for range 37 {
		v := make([]float32, 16)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		if _, err := m.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	data := m.AppendTo(nil)
	back, _ := New(16)
	if err := back.Load(data); err != nil || back.Len() != m.Len() {
		t.Fatalf("%d rows, %v", back.Len(), err)
	}
	for row := range uint32(37) {
		a, _ := m.Row(row, nil)
		b, _ := back.Row(row, nil)
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("row %d differs", row)
			}
		}
	}
	for n := range data {
		if err := back.Load(data[:n]); err == nil || back.Len() != 0 {
			t.Fatalf("%d of %d bytes are taken", n, len(data))
		}
	}
	other, _ := New(8)
	if err := other.Load(data); !errors.Is(err, ErrDim) {
		t.Errorf("another dimension: %v", err)
	}
}

package abi_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/orma-memory/orma/sdk/abi"
)

var columns = []abi.Column{{Name: "f", Kind: abi.F32}, {Name: "i", Kind: abi.I64}, {Name: "t", Kind: abi.Text}, {Name: "l", Kind: abi.List}}

// table is a block's content.
type table struct {
	f     []float32
	i     []int64
	t     []string
	ends  []int32
	l     []float32
	order []int32
	q     abi.Query
}

func (x *table) block() []byte {
	n := 0
	for _, s := range x.t {
		n += len(s)
	}
	var l abi.Layout
	l.Plan(columns, len(x.f), len(x.order), []int{0, 0, n, len(x.l)}, len(x.q.Text))
	b := make([]byte, l.Size)
	l.Write(b, x.q)
	section := func(i int) []byte { return b[l.ColAt[i] : l.ColAt[i]+l.ColLen[i]] }
	abi.PutOrder(b[l.OrderAt:], x.order)
	abi.PutF32(section(0), x.f)
	abi.PutI64(section(1), x.i)
	abi.PutText(section(2), x.t)
	abi.PutList(section(3), x.ends, x.l)
	return b
}

func tables() map[string]*table {
	return map[string]*table{
		"no rows": {ends: []int32{}},
		"one row": {f: []float32{1}, i: []int64{-1}, t: []string{"a"}, ends: []int32{0}, order: []int32{0}},
		"three rows": {
			f: []float32{float32(math.Inf(-1)), 0, math.MaxFloat32}, i: []int64{math.MinInt64, 0, math.MaxInt64},
			t: []string{"", "äöü", "\xff\x00"}, ends: []int32{2, 2, 5}, l: []float32{1, 2, 3, 4, 5}, order: []int32{2, 0},
			q: abi.Query{Text: "why?", NowMS: -1, Zone: -330},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	for name, x := range tables() {
		t.Run(name, func(t *testing.T) {
			b, err := abi.Open(x.block(), columns)
			if err != nil {
				t.Fatal(err)
			}
			got := &table{ends: []int32{}, q: b.Query()}
			for row := range b.Rows() {
				got.f, got.i, got.t = append(got.f, b.F32(0, row)), append(got.i, b.I64(1, row)), append(got.t, b.Text(2, row))
				got.l = append(got.l, b.List(3, row)...)
				got.ends = append(got.ends, int32(len(got.l)))
			}
			for i := range b.Live() {
				got.order = append(got.order, int32(b.Order(i)))
			}
			if !reflect.DeepEqual(got, x) {
				t.Errorf("got  %+v\nwant %+v", got, x)
			}
		})
	}
}

// TestLayout fixes the bytes: a guest in another language depends on each of them.
func TestLayout(t *testing.T) {
	b := tables()["three rows"].block()
	if len(b) != 192 {
		t.Fatalf("%d bytes, want 192", len(b))
	}
	want := []byte{
		'O', 'M', 'B', '1', 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, // magic, rows, live, columns
		192, 0, 0, 0, 184, 0, 0, 0, 4, 0, 0, 0, 0xb6, 0xfe, 0xff, 0xff, // size, query, its length, zone
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // now
		80, 0, 0, 0, 12, 0, 0, 0, 96, 0, 0, 0, 24, 0, 0, 0, // directory
		120, 0, 0, 0, 24, 0, 0, 0, 144, 0, 0, 0, 36, 0, 0, 0,
		2, 0, 0, 0, 0, 0, 0, 0, // order
	}
	if !slices.Equal(b[:len(want)], want) {
		t.Errorf("the block begins\n%v\nwant\n%v", b[:len(want)], want)
	}
	if got, want := b[120:144], "\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00\x08\x00\x00\x00äöü\xff\x00"; string(got) != want {
		t.Errorf("the text column is %q, want %q", got, want)
	}
	if string(b[184:188]) != "why?" {
		t.Errorf("the question is %q", b[184:188])
	}
	p := abi.AppendParams(nil, 0.5, "ab", []byte{1})
	wantParams := []byte{
		'O', 'M', 'P', '1', 3, 0, 0, 0, 32, 0, 0, 0, 8, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 'a', 'b', 0, 0, 0, 0, 0, 0, 1,
	}
	if !slices.Equal(p, wantParams) {
		t.Errorf("the parameters are\n%v\nwant\n%v", p, wantParams)
	}
}

// TestOpenRefuses changes a good block in one place.
func TestOpenRefuses(t *testing.T) {
	good := tables()["three rows"].block()
	for name, change := range map[string]func(b []byte) []byte{
		"empty":                   func([]byte) []byte { return nil },
		"short":                   func(b []byte) []byte { return b[:39] },
		"cut":                     func(b []byte) []byte { return b[:len(b)-1] },
		"magic":                   func(b []byte) []byte { b[0]++; return b },
		"more rows":               func(b []byte) []byte { b[4]++; return b },
		"fewer rows":              func(b []byte) []byte { b[4]--; return b },
		"rows without end":        func(b []byte) []byte { b[7] = 0xff; return b },
		"more live than rows":     func(b []byte) []byte { b[8] = 4; return b },
		"columns":                 func(b []byte) []byte { b[12] = 3; return b },
		"size":                    func(b []byte) []byte { b[16]--; return b },
		"question outside":        func(b []byte) []byte { b[27] = 0xff; return b },
		"column in the directory": func(b []byte) []byte { b[40] = 40; return b },
		"column outside":          func(b []byte) []byte { b[43] = 0xff; return b },
		"column not aligned":      func(b []byte) []byte { b[40]++; return b },
		"column too long":         func(b []byte) []byte { b[44] += 4; return b },
		"texts that go back":      func(b []byte) []byte { b[128] = 200; return b },
		"texts from 1":            func(b []byte) []byte { b[120] = 1; return b },
		"texts that end early":    func(b []byte) []byte { b[132]--; return b },
		"lists that go back":      func(b []byte) []byte { b[148] = 200; return b },
		"lists that end early":    func(b []byte) []byte { b[156]--; return b },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := abi.Open(change(slices.Clone(good)), columns); !errors.Is(err, abi.ErrBlock) {
				t.Errorf("Open: %v", err)
			}
		})
	}
}

func TestReadParams(t *testing.T) {
	got, err := abi.ReadParams(abi.AppendParams(nil, 1.5, "text", []byte{}, []byte{7}))
	if err != nil || len(got) != 4 || string(got[1]) != "text" || len(got[2]) != 0 || got[3][0] != 7 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := abi.ReadParams(abi.AppendParams(nil)); err != nil || len(got) != 0 {
		t.Errorf("no parameters: %v, %v", got, err)
	}
	good := abi.AppendParams(nil, 1.5)
	for _, at := range []int{0, 7, 11, 15} { // magic, count, offset, length
		b := slices.Clone(good)
		b[at] = 0xff
		if _, err := abi.ReadParams(b); !errors.Is(err, abi.ErrBlock) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	if _, err := abi.ReadParams(nil); err == nil {
		t.Error("nothing was accepted")
	}
}

// TestAppendManifest: what is written by hand is what encoding/json reads.
func TestAppendManifest(t *testing.T) {
	m := &abi.Manifest{
		Name: "a_b", Version: "1.0", Contract: abi.Rank, Summary: `quoted "words" \ and ü`, Doc: "line\n\tindented\x01",
		Columns: []abi.Column{{Name: "score", Kind: abi.F32, Read: true, Write: true, Neutral: 0.5, Doc: "d"}, {Name: "id", Kind: abi.I64, Read: true}},
		Drops:   true, Query: true, Dim: 3,
		Params: []abi.Param{
			{Name: "n", Kind: abi.Number, Doc: "d", Default: 1e-7, Min: -1, Max: 2.5, Neutral: 0, HasNeutral: true},
			{Name: "s", Kind: abi.String, Doc: "d", Text: "x", OneOf: []string{"x", "y", "z"}, Bytes: 9},
			{Name: "f", Kind: abi.File, Doc: "d"},
		},
	}
	var got any
	if err := json.Unmarshal(abi.AppendManifest(nil, m), &got); err != nil {
		t.Fatalf("%v in %s", err, abi.AppendManifest(nil, m))
	}
	want := map[string]any{
		"name": "a_b", "version": "1.0", "contract": "rank", "summary": `quoted "words" \ and ü`, "doc": "line\n\tindented\x01",
		"columns": []any{
			map[string]any{"name": "score", "kind": "f32", "read": true, "write": true, "neutral": 0.5, "doc": "d"},
			map[string]any{"name": "id", "kind": "i64", "read": true},
		},
		"drops": true, "query": true, "dim": 3.0,
		"params": []any{
			map[string]any{"name": "n", "kind": "number", "doc": "d", "default": 1e-7, "min": -1.0, "max": 2.5, "neutral": 0.0},
			map[string]any{"name": "s", "kind": "string", "doc": "d", "default": "x", "one_of": []any{"x", "y", "z"}, "max_bytes": 9.0},
			map[string]any{"name": "f", "kind": "file", "doc": "d"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// FuzzOpen: whatever is opened can be read all through.
func FuzzOpen(f *testing.F) {
	for _, x := range tables() {
		f.Add(x.block())
	}
	f.Fuzz(func(_ *testing.T, in []byte) {
		b, err := abi.Open(in, columns)
		if err != nil {
			return
		}
		b.Query()
		for i := range b.Live() {
			b.Order(i)
		}
		for row := range b.Rows() {
			b.F32(0, row)
			b.I64(1, row)
			b.Text(2, row)
			b.List(3, row)
		}
	})
}

func FuzzReadParams(f *testing.F) {
	f.Add(abi.AppendParams(nil, 1.5, "x"))
	f.Fuzz(func(_ *testing.T, in []byte) {
		values, _ := abi.ReadParams(in)
		for _, v := range values {
			_ = slices.Clone(v)
		}
	})
}

package contract

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/sdk/abi"
)

// item is a row of an items block.
type item struct {
	flags int64
	texts [5]string
	cites []float32
}

func block(items ...item) []byte {
	n := len(items)
	flags, ends, order := make([]int64, n), make([]int32, n), make([]int32, n)
	var texts [5][]string
	var cites []float32
	extra := make([]int, 7)
	for i, it := range items {
		flags[i], order[i] = it.flags, int32(i)
		for c, s := range it.texts {
			texts[c] = append(texts[c], s)
			extra[1+c] += len(s)
		}
		cites = append(cites, it.cites...)
		ends[i] = int32(len(cites))
	}
	extra[6] = len(cites)
	var l abi.Layout
	l.Plan(abi.ItemColumns(), n, n, extra, 0)
	b := make([]byte, l.Size)
	l.Write(b, abi.Query{})
	abi.PutOrder(b[l.OrderAt:], order)
	abi.PutI64(b[l.ColAt[0]:], flags)
	for c := range texts {
		abi.PutText(b[l.ColAt[1+c]:l.ColAt[1+c]+l.ColLen[1+c]], texts[c])
	}
	abi.PutList(b[l.ColAt[6]:l.ColAt[6]+l.ColLen[6]], ends, cites)
	return b
}

func TestReadItems(t *testing.T) {
	lines := []*sleep.Line{{N: 1, Citable: true, Role: core.RoleUser}, {N: 2}, {N: 3, Citable: true}}
	good := item{abi.ItemEvent | abi.ItemEnded, [5]string{"user", "a", "v", "c", "w"}, []float32{1, 3}}
	got, err := readItems(block(good), lines)
	want := []sleep.Proposal{{
		Event: true, Ended: true, Subject: "user", Attribute: "a", Value: "v", Condition: "c", When: "w", Cites: []string{"s1", "s3"},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for name, c := range map[string]struct {
		change func(*item)
		want   string
	}{
		"a line that may not be cited": {func(it *item) { it.cites = []float32{2} }, "cites line 2"},
		"a line that is not there":     {func(it *item) { it.cites = []float32{9} }, "cites line 9"},
		"half a line":                  {func(it *item) { it.cites = []float32{1.5} }, "cites line 1.5"},
		"line 0":                       {func(it *item) { it.cites = []float32{0} }, "cites line 0"},
		"unknown flags":                {func(it *item) { it.flags = 64 }, "unknown flags"},
		"no UTF-8":                     {func(it *item) { it.texts[2] = "\xff" }, "no UTF-8"},
		"a long text":                  {func(it *item) { it.texts[2] = strings.Repeat("x", maxItemText+1) }, "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := good
			c.change(&bad)
			if _, err := readItems(block(good, bad), lines); !errors.Is(err, ErrAnswer) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("readItems: %v, want %q", err, c.want)
			}
		})
	}
	if _, err := readItems(block(make([]item, abi.MaxItems+1)...), lines); !errors.Is(err, ErrAnswer) {
		t.Errorf("too many items: %v", err)
	}
	if _, err := readItems([]byte("nonsense"), lines); !errors.Is(err, ErrAnswer) || !errors.Is(err, abi.ErrBlock) {
		t.Errorf("no block: %v", err)
	}
}

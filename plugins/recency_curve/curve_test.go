package main

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
)

func TestAt(t *testing.T) {
	c, err := parseCurve(" 1:1.5 , 7:1.2, 90:1,")
	if err != nil {
		t.Fatal(err)
	}
	middle := math.Sqrt(2*8) - 1 // half way between 1 and 7 days over the logarithm
	for _, x := range []struct{ days, want float64 }{
		{-5, 1.5}, {0, 1.5}, {1, 1.5}, {middle, 1.35}, {7, 1.2}, {90, 1}, {5000, 1},
	} {
		if got := c.at(x.days); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("at %v days: %v, want %v", x.days, got, x.want)
		}
	}
	if got := curve(nil).at(3); got != 1 {
		t.Errorf("an empty curve gives %v, want 1", got)
	}
}

func TestParseCurve(t *testing.T) {
	for src, want := range map[string]string{
		"": "", " , ": "", "0:0": "", "1:1": "",
		"7":               "not DAYS:FACTOR",
		"a:1":             "not DAYS:FACTOR",
		"1:b":             "not DAYS:FACTOR",
		"nan:1":           "days is not 0 to",
		"-1:1":            "days is not 0 to",
		"1:nan":           "not a factor",
		"1:101":           "not a factor",
		"1:-1":            "not a factor",
		"7:1, 7:2":        "must ascend",
		"7:1, 3:2":        "must ascend",
		"1:1:1":           "not DAYS:FACTOR",
		"1e3:1, 1e9:1":    "days is not 0 to",
		manyPoints(65):    "at most 64",
		manyPoints(64):    "",
		"+1:1, 2:0x1p-1":  "",
		"1:1;2:2":         "not DAYS:FACTOR",
		"1 : 1 , 2 : 2.5": "",
	} {
		_, err := parseCurve(src)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("parseCurve(%.20q): %v, want %q", src, err, want)
		}
	}
}

func manyPoints(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i) + ":1,")
	}
	return b.String()
}

// TestRank runs the plugin over a block, as the host does.
func TestRank(t *testing.T) {
	p := guest.New(&curves{})
	if err := p.Configure(abi.AppendParams(nil, "1:2, 90:1", "", "", 0.5)); err != nil {
		t.Fatal(err)
	}
	cols := (&curves{}).Manifest().Columns
	var l abi.Layout
	l.Plan(cols, 4, 4, []int{0, 0, 0}, 0)
	b := make([]byte, l.Size)
	l.Write(b, abi.Query{})
	abi.PutOrder(b[l.OrderAt:], []int32{0, 1, 2, 3})
	abi.PutF32(b[l.ColAt[0]:], []float32{10, 10, 10, math.MaxFloat32})
	abi.PutF32(b[l.ColAt[1]:], []float32{0, 365, 0, 0})
	abi.PutI64(b[l.ColAt[2]:], []int64{0, 0, 1, 0}) // the third row is a state
	if err := p.Run(b); err != nil {
		t.Fatal(err)
	}
	block, err := abi.Open(b, cols)
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float32{15, 10, 10, math.MaxFloat32} {
		if got := block.F32(0, row); got != want {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
	}
	if err := p.Configure(abi.AppendParams(nil, "", "x", "", 0.5)); err == nil || !strings.HasPrefix(err.Error(), "states: ") {
		t.Errorf("a bad curve: %v", err)
	}
}

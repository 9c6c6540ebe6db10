package layout_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/orma-memory/orma/core/engine/layout"
)

func length(p layout.Point) float64 { return math.Sqrt(p.X*p.X + p.Y*p.Y + p.Z*p.Z) }

func apart(a, b layout.Point) float64 {
	return length(layout.Point{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z})
}

// TestPlacesComeFromNamesAlone is what keeps a picture still while memory grows.
func TestPlacesComeFromNamesAlone(t *testing.T) {
	few, more := layout.New("default", 9), layout.New("default", 64)
	if a, b := few.Hub("anna"), more.Hub("anna"); a != b {
		t.Errorf("a hub moved from %v to %v", a, b)
	}
	hub := few.Hub("anna")
	if a, b := few.Satellite(hub, "s12", 9), few.Satellite(hub, "s12", 60); a != b {
		t.Errorf("a satellite moved from %v to %v", a, b)
	}
	if a, b := few.Line(hub, "p12", 9, 70), few.Line(hub, "p12", 60, 500); a != b {
		t.Errorf("a line moved from %v to %v", a, b)
	}
	if few.Hub("anna") == few.Hub("boris") || few.Hub("anna") == layout.New("other", 9).Hub("anna") {
		t.Error("two names have one place")
	}
	// Past a step all of it grows, and keeps its shape.
	grown := layout.New("default", 65).Hub("anna")
	if r := length(grown) / length(hub); math.Abs(r-2) > 0.01 {
		t.Errorf("after a step the hub is %g times as far, want 2", r)
	}
}

// TestGolden keeps the picture from changing with a new version, which would be a new
// place for everything that people have learnt to find.
func TestGolden(t *testing.T) {
	l := layout.New("default", 100)
	hub := l.Hub("anna")
	for _, c := range []struct {
		what string
		got  layout.Point
		want layout.Point
	}{
		{"hub", hub, layout.Point{X: -200, Y: 231.1, Z: -57.7}},
		{"satellite", l.Satellite(hub, "s12", 3), layout.Point{X: -220.3, Y: 227.6, Z: -49}},
		{"line", l.Line(hub, "p14", 3, 20), layout.Point{X: -220.9, Y: 204.8, Z: -24.8}},
		{"stray", l.Stray("p14"), layout.Point{X: -272.6, Y: -426.9, Z: -419.1}},
	} {
		if c.got != c.want {
			t.Errorf("%s at %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestRadii(t *testing.T) {
	for _, hubs := range []int{0, 1, 8, 9, 64, 65, 512, 5000} {
		l := layout.New("s", hubs)
		var octants [8]int
		for i := range 4000 {
			p := l.Hub(fmt.Sprint(i))
			outer := 140 * math.Exp2(math.Max(0, math.Ceil(math.Log(float64(max(hubs, 1))/8)/math.Log(8)-1e-9)))
			if r := length(p); r > outer+0.2 || r < outer*0.4-0.2 {
				t.Fatalf("%d hubs: one %g from the origin, outer radius %g", hubs, r, outer)
			}
			octant := 0
			for bit, v := range []float64{p.X, p.Y, p.Z} {
				if v > 0 {
					octant |= 1 << bit
				}
			}
			octants[octant]++
		}
		for i, n := range octants {
			if n < 400 || n > 600 {
				t.Errorf("%d hubs: octant %d has %d of 4000", hubs, i, n)
			}
		}
		hub := l.Hub("h")
		for i := range 500 {
			if d := apart(hub, l.Satellite(hub, fmt.Sprint(i), 3)); d > 28.2 || d < 9.6 {
				t.Fatalf("a satellite %g from its hub", d)
			}
			if d := apart(hub, l.Line(hub, fmt.Sprint(i), 3, 3)); d > 50.6 || d < 30.6 {
				t.Fatalf("a line %g from its hub", d)
			}
			if d := apart(hub, l.Satellite(hub, fmt.Sprint(i), math.MaxInt)); d > 224.2 {
				t.Fatalf("a satellite of a crowd %g from its hub", d)
			}
		}
	}
}

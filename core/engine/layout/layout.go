// Package layout gives the nodes of a graph their places in space, without looking at
// more than a node's own name, its hub and how crowded that is. So the same memory is
// always the same picture, a node that comes moves no other, and what is drawn first
// needs no simulation.
//
// Hubs lie in a shell around the owner of the space, who stands at the origin. What is
// about a hub lies in a ball around it, and lines lie in a halo around that ball. Balls
// and shell are as large as what they hold needs; they grow in steps of two, when it has
// become eight times as much, so that the rest of the time nothing moves at all.
package layout

import (
	"hash/fnv"
	"math"
)

// Point is a place.
type Point struct{ X, Y, Z float64 }

// Distances, in units of about a quarter of a node's size.
const (
	shell      = 140 // outer radius of the shell of up to crowd hubs
	shellInner = 0.4 // its inner radius, as a share
	ball       = 28  // radius of the ball of up to crowd satellites
	ballInner  = 0.35
	haloInner  = 1.1 // of the halo, as a share of the ball that it surrounds
	haloOuter  = 1.8
	crowd      = 8
	maxStep    = 3 // balls grow up to 2^maxStep times: one must not hold all others
)

// Layout places the nodes of one space.
type Layout struct {
	seed  uint64
	shell float64
}

// New returns the layout of a space with so many hubs.
func New(space string, hubs int) Layout {
	h := fnv.New64a()
	_, _ = h.Write([]byte(space)) // never fails
	return Layout{seed: h.Sum64(), shell: shell * math.Exp2(float64(steps(hubs)))}
}

// Seed is what the places of a space come from.
func (l Layout) Seed() uint32 { return uint32(l.seed ^ l.seed>>32) }

// Hub is the place of a hub.
func (l Layout) Hub(key string) Point { return l.around(Point{}, "h"+key, l.shell*shellInner, l.shell) }

// Satellite is the place of what is about a hub that has so many.
func (l Layout) Satellite(hub Point, key string, many int) Point {
	r := radius(many)
	return l.around(hub, "s"+key, r*ballInner, r)
}

// Line is the place of a line that names a hub, which has so many satellites and lines.
func (l Layout) Line(hub Point, key string, satellites, lines int) Point {
	r := max(radius(satellites), radius(lines)/2)
	return l.around(hub, "l"+key, r*haloInner, r*haloOuter)
}

// Stray is the place of a line that names nobody.
func (l Layout) Stray(key string) Point {
	return l.around(Point{}, "o"+key, l.shell*1.15, l.shell*1.5)
}

// Key is a number for choosing among hubs by name.
func (l Layout) Key(key string) uint64 { return l.hash("k" + key) }

func radius(many int) float64 { return ball * math.Exp2(float64(min(steps(many), maxStep))) }

// steps is how often n has become eight times as much.
func steps(n int) int {
	k := 0
	for n > crowd {
		n = (n + 7) / 8
		k++
	}
	return k
}

// around is a point between two distances from a centre, each part of that space being
// as likely.
func (l Layout) around(c Point, key string, inner, outer float64) Point {
	h := l.hash(key)
	var u [3]float64
	for i := range u {
		h = mix(h)
		u[i] = float64(h>>11) / (1 << 53)
	}
	r := math.Cbrt(inner*inner*inner + u[0]*(outer*outer*outer-inner*inner*inner))
	z := 2*u[1] - 1
	flat := math.Sqrt(1 - z*z)
	sin, cos := math.Sincos(2 * math.Pi * u[2])
	return Point{round(c.X + r*flat*cos), round(c.Y + r*flat*sin), round(c.Z + r*z)}
}

// round leaves a tenth, so that the last bits of different processors do not show.
func round(x float64) float64 { return math.Round(x*10) / 10 }

func (l Layout) hash(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return mix(h.Sum64() ^ l.seed)
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014) after its increment.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package guest

import (
	"encoding/binary"
	"math"

	"github.com/orma-memory/orma/sdk/abi"
)

// Params are the values of a plugin's configuration table. Its methods panic if the
// manifest has no such parameter.
type Params struct {
	decls  []abi.Param
	values [][]byte
}

func (p *Params) value(name, kind string) []byte {
	for i := range p.decls {
		if d := &p.decls[i]; d.Name == name && (d.Kind == kind || kind == abi.File && d.Kind == abi.String) {
			return p.values[i]
		}
	}
	panic("guest: no parameter " + name)
}

// Number returns a number.
func (p *Params) Number(name string) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(p.value(name, abi.Number)))
}

// String returns a string.
func (p *Params) String(name string) string { return string(p.value(name, abi.String)) }

// Bytes returns what is in a file; empty if the configuration names none.
func (p *Params) Bytes(name string) []byte { return p.value(name, abi.File) }

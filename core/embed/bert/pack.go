package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// A pack is a u64 with the length of the header, the header as JSON, and the data. Numbers are
// little-endian. The header's length is such that the data starts at a multiple of 64 bytes, as does
// each entry in it.
//
// Entries, with D values a token, I values inside the feed-forward part and one layer's letter x from
// "a": we, wes (token embeddings, int8 and their scales), pt (position plus type embeddings, a row a
// position), g, b (first layer norm), and for each layer x0q x0s x0b (query, key and value together,
// the query scaled by 1/sqrt of the head size), x1* (attention output), x2* and x3* (feed-forward),
// each as int8 weights, a scale and a bias for each output, and xg1 xb1 xg2 xb2 (layer norms).
// Weights of linear layers lie in panels of 16 outputs: [N/16][K][16].

// ErrPack says that a pack cannot be used.
var ErrPack = errors.New("bad model pack")

func packError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrPack}, args...)...)
}

// header is what a pack says about itself.
type header struct {
	D, H, I, L int  // values a token, heads, values inside the feed-forward part, layers
	CLS        bool // the vector is that of the first token, not the mean
	Ents       map[string]entry
}

// entry is where something lies in the data, in bytes.
type entry struct{ Off, Len int }

const (
	maxHeader = 1 << 20
	packAlign = 64
)

// readHeader reads the header of a pack and returns it with the data. Shapes are checked, entries are
// not.
func readHeader(file []byte) (h header, data []byte, err error) {
	if len(file) < 8 {
		return h, nil, packError("%d bytes", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n == 0 || n > maxHeader || n > uint64(len(file)-8) {
		return h, nil, packError("header of %d bytes in a file of %d", n, len(file))
	}
	if (n+8)%packAlign != 0 {
		return h, nil, packError("header of %d bytes is not aligned", n)
	}
	if err := json.Unmarshal(file[8:8+n], &h); err != nil {
		return h, nil, packError("header: %v", err)
	}
	return h, file[8+n:], h.checkShape()
}

func (h *header) checkShape() error {
	switch {
	case h.D < 16 || h.D > 4096 || h.D%16 != 0:
		return packError("%d values a token, which is no multiple of 16 up to 4096", h.D)
	case h.H < 1 || h.D%h.H != 0 || h.D/h.H%16 != 0:
		return packError("%d heads for %d values, which leaves no multiple of 16 to each", h.H, h.D)
	case h.I < 16 || h.I > 1<<15 || h.I%16 != 0:
		return packError("%d inner values, which is no multiple of 16 up to 32768", h.I)
	case h.L < 1 || h.L > 48:
		return packError("%d layers, which is not within 1 to 48", h.L)
	}
	return nil
}

// cutter takes entries out of a pack's data, and remembers the first that is wrong.
type cutter struct {
	ents map[string]entry
	data []byte
	err  error
}

// bytes returns an entry, of size bytes or, if that is negative, of some multiple of it.
func (c *cutter) bytes(name string, size int) []byte {
	e, ok := c.ents[name]
	switch {
	case c.err != nil:
	case !ok:
		c.err = packError("no entry %s", name)
	case e.Off < 0 || e.Len < 1 || e.Off > len(c.data) || e.Len > len(c.data)-e.Off || e.Off%packAlign != 0:
		c.err = packError("entry %s at %d of %d bytes is not in the %d bytes of data", name, e.Off, e.Len, len(c.data))
	case size >= 0 && e.Len != size || size < 0 && e.Len%-size != 0:
		c.err = packError("entry %s has %d bytes, expected %d", name, e.Len, max(size, -size))
	default:
		return c.data[e.Off:][:e.Len:e.Len]
	}
	return nil
}

func (c *cutter) ints(name string, n int) []int8      { return viewInts(c.bytes(name, n)) }
func (c *cutter) floats(name string, n int) []float32 { return viewFloats(c.bytes(name, 4*n)) }

func (c *cutter) linear(name string, k, n int) linear {
	return linear{k, n, c.ints(name+"q", k*n), c.floats(name+"s", n), c.floats(name+"b", n)}
}

func (c *cutter) norm(gain, bias string, n int) norm {
	return norm{c.floats(gain, n), c.floats(bias, n)}
}

// layerName is the letter that a layer's entries start with.
func layerName(i int) string { return string(rune('a' + i)) }

// readPack returns the weights in a pack, which stay where they are in file.
func readPack(file []byte) (*weights, error) {
	h, data, err := readHeader(file)
	if err != nil {
		return nil, err
	}
	c := cutter{ents: h.Ents, data: data}
	w := &weights{
		dim: h.D, heads: h.H, inner: h.I, cls: h.CLS,
		tokens:      c.ints("we", -h.D),
		tokenScales: viewFloats(c.bytes("wes", -4)),
		positions:   viewFloats(c.bytes("pt", -4*h.D)),
		first:       c.norm("g", "b", h.D),
	}
	for i := range h.L {
		x := layerName(i)
		w.layers = append(w.layers, layer{
			qkv: c.linear(x+"0", h.D, 3*h.D), out: c.linear(x+"1", h.D, h.D),
			up: c.linear(x+"2", h.D, h.I), down: c.linear(x+"3", h.I, h.D),
			attended: c.norm(x+"g1", x+"b1", h.D), done: c.norm(x+"g2", x+"b2", h.D),
		})
	}
	if c.err != nil {
		return nil, c.err
	}
	if len(w.tokens) != len(w.tokenScales)*h.D {
		return nil, packError("%d scales for %d token vectors", len(w.tokenScales), len(w.tokens)/h.D)
	}
	return w, nil
}

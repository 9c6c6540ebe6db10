package bert

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// packer lays out a pack. The first error stays.
type packer struct {
	t      *tensors
	prefix string // of all tensor names
	head   header
	blobs  [][]byte
	size   int
	err    error
}

// packTensors quantizes all weights. The query's are scaled by 1/sqrt of the head size.
func packTensors(t *tensors, c modelConfig) (*packer, error) {
	p := &packer{t: t, head: header{Ents: map[string]entry{}}}
	if _, ok := t.infos["bert.embeddings.word_embeddings.weight"]; ok {
		p.prefix = "bert."
	}
	d := c.Hidden
	p.rows("we", "wes", p.get("embeddings.word_embeddings.weight", -1, d), d)
	positions, types := p.get("embeddings.position_embeddings.weight", -1, d), p.get("embeddings.token_type_embeddings.weight", -1, d)
	if p.err == nil {
		for i := range positions {
			positions[i] += types[i%d]
		}
	}
	p.floats("pt", positions)
	p.norm("g", "b", "embeddings.LayerNorm", d)
	for i := range c.Layers {
		from, x := fmt.Sprintf("encoder.layer.%d.", i), layerName(i)
		var w, b []float32
		for _, part := range []string{"query", "key", "value"} {
			f := float32(1)
			if part == "query" {
				f = float32(1 / math.Sqrt(float64(d/c.Heads)))
			}
			name := from + "attention.self." + part
			for _, v := range p.get(name+".weight", d, d) {
				w = append(w, v*f)
			}
			for _, v := range p.get(name+".bias", d) {
				b = append(b, v*f)
			}
		}
		p.linear(x+"0", w, b, d)
		p.layer(x+"1", from+"attention.output.dense", d, d)
		p.layer(x+"2", from+"intermediate.dense", c.Inner, d)
		p.layer(x+"3", from+"output.dense", d, c.Inner)
		p.norm(x+"g1", x+"b1", from+"attention.output.LayerNorm", d)
		p.norm(x+"g2", x+"b2", from+"output.LayerNorm", d)
	}
	return p, p.err
}

func (p *packer) get(name string, shape ...int) []float32 {
	if p.err != nil {
		return nil
	}
	var v []float32
	v, p.err = p.t.floats(p.prefix+name, shape...)
	return v
}

func (p *packer) layer(name, from string, n, k int) {
	p.linear(name, p.get(from+".weight", n, k), p.get(from+".bias", n), k)
}

func (p *packer) norm(gain, bias, from string, d int) {
	p.floats(gain, p.get(from+".weight", d))
	p.floats(bias, p.get(from+".bias", d))
}

// linear adds weights of k inputs, in panels.
func (p *packer) linear(name string, w, bias []float32, k int) {
	if p.err != nil {
		return
	}
	q, scales := quantizeRows(w, k)
	panels := make([]byte, len(q))
	for i, x := range q {
		n, c := i/k, i%k
		panels[n/panelWidth*panelWidth*k+c*panelWidth+n%panelWidth] = byte(x)
	}
	p.add(name+"q", panels)
	p.floats(name+"s", scales)
	p.floats(name+"b", bias)
}

// rows adds a table of rows of k values.
func (p *packer) rows(name, scaleName string, w []float32, k int) {
	if p.err != nil {
		return
	}
	q, scales := quantizeRows(w, k)
	b := make([]byte, len(q))
	for i, x := range q {
		b[i] = byte(x)
	}
	p.add(name, b)
	p.floats(scaleName, scales)
}

func (p *packer) floats(name string, v []float32) {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	p.add(name, b)
}

func (p *packer) add(name string, b []byte) {
	if p.err != nil {
		return
	}
	p.size = pad(p.size, packAlign)
	p.head.Ents[name] = entry{p.size, len(b)}
	p.blobs, p.size = append(p.blobs, b), p.size+len(b)
}

func (p *packer) write(out io.Writer) error {
	head, err := json.Marshal(p.head)
	if err != nil {
		return err
	}
	for (len(head)+8)%packAlign != 0 {
		head = append(head, ' ')
	}
	if _, err := out.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)); err != nil {
		return err
	}
	for i, b := range p.blobs {
		if i < len(p.blobs)-1 {
			b = append(b, make([]byte, pad(len(b), packAlign)-len(b))...)
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// quantizeRows returns w as int8, with a scale for each row of k values.
func quantizeRows(w []float32, k int) (q []int8, scales []float32) {
	q = make([]int8, len(w))
	for at := 0; at < len(w); at += k {
		row := w[at : at+k]
		scale := math.Float32frombits(largestBits(row)) / 127
		for i, v := range row {
			if scale > 0 {
				q[at+i] = int8(roundEven(v / scale))
			}
		}
		scales = append(scales, scale)
	}
	return q, scales
}

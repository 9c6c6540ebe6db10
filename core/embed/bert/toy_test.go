package bert

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/internal/parity"
	"github.com/orma-memory/orma/core/embed/wordpiece"
)

// toy is a small model with random weights, made anew in each test.
type toy struct {
	dim, heads, inner, layers, positions, tokens int
	tensors                                      map[string][]float32
	shapes                                       map[string][]int
}

const toyVocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nred\nblue\ncat\ndog\n##s\n.\nthe\nruns\n"

func newToy(seed uint64, dim, heads, inner, layers int) *toy {
	r := rand.New(rand.NewPCG(seed, 7))
	m := &toy{dim, heads, inner, layers, 24, 12, map[string][]float32{}, map[string][]int{}}
	add := func(name string, mean, spread float64, shape ...int) {
		n := 1
		for _, s := range shape {
			n *= s
		}
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(mean + spread*r.NormFloat64())
		}
		m.tensors[name], m.shapes[name] = v, shape
	}
	linear := func(name string, n, k int) {
		add(name+".weight", 0, 1.5/math.Sqrt(float64(k)), n, k)
		add(name+".bias", 0, 0.1, n)
	}
	norm := func(name string) {
		add(name+".weight", 1, 0.1, dim)
		add(name+".bias", 0, 0.1, dim)
	}
	add("embeddings.word_embeddings.weight", 0, 1, m.tokens, dim)
	add("embeddings.position_embeddings.weight", 0, 0.3, m.positions, dim)
	add("embeddings.token_type_embeddings.weight", 0, 0.3, 2, dim)
	norm("embeddings.LayerNorm")
	for i := range layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"query", "key", "value"} {
			linear(p+"attention.self."+part, dim, dim)
		}
		linear(p+"attention.output.dense", dim, dim)
		linear(p+"intermediate.dense", inner, dim)
		linear(p+"output.dense", dim, inner)
		norm(p + "attention.output.LayerNorm")
		norm(p + "output.LayerNorm")
	}
	return m
}

// save writes the model as Hugging Face lays it out.
func (m *toy) save(t testing.TB, pooling string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string, b []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config.json", fmt.Appendf(nil, `{"model_type":"bert","hidden_size":%d,"num_attention_heads":%d,"intermediate_size":%d,
		"num_hidden_layers":%d,"hidden_act":"gelu","position_embedding_type":"absolute","layer_norm_eps":1e-12}`, m.dim, m.heads, m.inner, m.layers))
	write("1_Pooling/config.json", fmt.Appendf(nil, `{"pooling_mode_cls_token":%v,"pooling_mode_mean_tokens":%v}`, pooling == "cls", pooling != "cls"))
	write("vocab.txt", []byte(toyVocab))
	write("tokenizer_config.json", []byte(`{"do_lower_case":true}`))
	head, data := map[string]tensorInfo{}, []byte{}
	for _, name := range slices.Sorted(maps.Keys(m.tensors)) {
		start := len(data)
		for _, x := range m.tensors[name] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		head[name] = tensorInfo{"F32", m.shapes[name], [2]int{start, len(data)}}
	}
	b, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	write("model.safetensors", append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...), data...))
	return dir
}

// pack returns the model as a pack.
func (m *toy) pack(t testing.TB, pooling string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Convert(m.save(t, pooling), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openToy(t testing.TB, pack []byte, c Config) *Model {
	t.Helper()
	v, err := wordpiece.New(toyVocab)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newModel(c, pack, v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// forward is BERT by definition (Devlin and others 2019), in float64.
func (m *toy) forward(ids []int32, cls bool) []float32 {
	n := len(ids)
	x := make([][]float64, n)
	w := func(name string, i int) float64 { return float64(m.tensors[name][i]) }
	linear := func(x []float64, name string, n int) []float64 {
		y, weight := make([]float64, n), m.tensors[name+".weight"]
		for i := range y {
			y[i] = w(name+".bias", i)
			for j, v := range x {
				y[i] += v * float64(weight[i*len(x)+j])
			}
		}
		return y
	}
	norm := func(x, add []float64, name string) {
		var mean, square float64
		for i := range x {
			x[i] += add[i]
			mean += x[i] / float64(m.dim)
		}
		for _, v := range x {
			square += (v - mean) * (v - mean) / float64(m.dim)
		}
		for i, v := range x {
			x[i] = (v-mean)/math.Sqrt(square+1e-12)*w(name+".weight", i) + w(name+".bias", i)
		}
	}
	for i, id := range ids {
		x[i] = make([]float64, m.dim)
		for j := range x[i] {
			x[i][j] = w("embeddings.word_embeddings.weight", int(id)*m.dim+j) +
				w("embeddings.position_embeddings.weight", i*m.dim+j) + w("embeddings.token_type_embeddings.weight", j)
		}
		norm(x[i], make([]float64, m.dim), "embeddings.LayerNorm")
	}
	for l := range m.layers {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		q, k, v := make([][]float64, n), make([][]float64, n), make([][]float64, n)
		for i := range x {
			q[i], k[i], v[i] = linear(x[i], p+"attention.self.query", m.dim), linear(x[i], p+"attention.self.key", m.dim), linear(x[i], p+"attention.self.value", m.dim)
		}
		size := m.dim / m.heads
		for i := range x {
			attended := make([]float64, m.dim)
			for h := 0; h < m.dim; h += size {
				shares, sum := make([]float64, n), 0.0
				for j := range shares {
					dot := 0.0
					for c := h; c < h+size; c++ {
						dot += q[i][c] * k[j][c]
					}
					shares[j] = math.Exp(dot / math.Sqrt(float64(size)))
					sum += shares[j]
				}
				for j, s := range shares {
					for c := h; c < h+size; c++ {
						attended[c] += s / sum * v[j][c]
					}
				}
			}
			norm(x[i], linear(attended, p+"attention.output.dense", m.dim), p+"attention.output.LayerNorm")
		}
		for i := range x {
			h := linear(x[i], p+"intermediate.dense", m.inner)
			for j, v := range h {
				h[j] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			}
			norm(x[i], linear(h, p+"output.dense", m.dim), p+"output.LayerNorm")
		}
	}
	out := make([]float32, m.dim)
	for i, row := range x {
		for j, v := range row {
			if i == 0 || !cls {
				out[j] += float32(v)
			}
		}
	}
	embed.Normalize(out)
	return out
}

func TestForwardByDefinition(t *testing.T) {
	for _, test := range []struct{ dim, heads, inner, layers int }{
		{16, 1, 32, 1}, {32, 2, 64, 2}, {64, 2, 144, 3}, {48, 3, 48, 6}, {128, 2, 512, 2},
	} {
		for _, pooling := range []string{"mean", "cls"} {
			m := newToy(1, test.dim, test.heads, test.inner, test.layers)
			e := openToy(t, m.pack(t, pooling), Config{})
			for _, text := range []string{"red", "the cat runs.", "blue dogs. red cats. the dog runs. the cat runs.", "unknown words"} {
				ids := append(e.vocab.Encode([]int32{2}, text, 0), 3)
				got, want := vectors(t, e, text), m.forward(ids, pooling == "cls")
				if cos := parity.Cosine(got, want); cos < 0.998 {
					t.Errorf("%+v %s: %q has cosine %.5f to the definition", test, pooling, text, cos)
				}
			}
		}
	}
}

package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrTensors says that a safetensors file cannot be used.
var ErrTensors = errors.New("bad safetensors file")

func tensorError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrTensors}, args...)...)
}

// tensors are the tensors of a safetensors file: a u64 with the length of the header, the header as
// JSON, and the data, all little-endian.
type tensors struct {
	infos map[string]tensorInfo
	data  []byte
}

type tensorInfo struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// maxTensorHeader is the library's own limit.
const maxTensorHeader = 100 << 20

func readTensors(file []byte) (*tensors, error) {
	if len(file) < 8 {
		return nil, tensorError("%d bytes", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n < 2 || n > maxTensorHeader || n > uint64(len(file)-8) {
		return nil, tensorError("header of %d bytes in a file of %d", n, len(file))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &raw); err != nil {
		return nil, tensorError("header: %v", err)
	}
	t := &tensors{infos: make(map[string]tensorInfo, len(raw)), data: file[8+n:]}
	for name, b := range raw {
		if name == "__metadata__" {
			continue
		}
		var info tensorInfo
		if err := json.Unmarshal(b, &info); err != nil {
			return nil, tensorError("tensor %s: %v", name, err)
		}
		t.infos[name] = info
	}
	return t, nil
}

// widths are the bytes of a value, by type.
var widths = map[string]int{"F32": 4, "F16": 2, "BF16": 2}

// floats returns a tensor of the given shape as float32; a first size of -1 stands for any.
func (t *tensors) floats(name string, shape ...int) ([]float32, error) {
	info, ok := t.infos[name]
	if !ok {
		return nil, tensorError("no tensor %s", name)
	}
	width, ok := widths[info.DType]
	if !ok {
		return nil, tensorError("tensor %s has the type %s, not F32, F16 or BF16", name, info.DType)
	}
	want := slices.Clone(shape)
	if want[0] < 0 && len(info.Shape) > 0 {
		want[0] = info.Shape[0]
	}
	if !slices.Equal(info.Shape, want) {
		return nil, tensorError("tensor %s has the shape %v, expected %v", name, info.Shape, shape)
	}
	from, to := info.Offsets[0], info.Offsets[1]
	if from < 0 || to < from || to > len(t.data) {
		return nil, tensorError("tensor %s at %d to %d is not in the %d bytes of data", name, from, to, len(t.data))
	}
	n := (to - from) / width
	left := n
	for _, s := range want {
		if s < 1 || left%s != 0 {
			return nil, tensorError("tensor %s of the shape %v has %d bytes", name, info.Shape, to-from)
		}
		left /= s
	}
	if left != 1 || n*width != to-from {
		return nil, tensorError("tensor %s of the shape %v has %d bytes", name, info.Shape, to-from)
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = decodeFloat(t.data[from+i*width:], info.DType)
		if x := out[i]; x-x != 0 {
			return nil, tensorError("tensor %s holds %v", name, x)
		}
	}
	return out, nil
}

func decodeFloat(b []byte, dtype string) float32 {
	switch dtype {
	case "F32":
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	case "BF16":
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
	}
	h := binary.LittleEndian.Uint16(b)
	sign, exp, frac := float32(1), int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * float32(math.Ldexp(frac, -24))
	case 31:
		if frac != 0 {
			return float32(math.NaN())
		}
		return sign * float32(math.Inf(1))
	}
	return sign * float32(math.Ldexp(1024+frac, exp-25))
}

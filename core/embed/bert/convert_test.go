package bert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConvertRefuses(t *testing.T) {
	m := newToy(20, 32, 2, 64, 1)
	replace := func(name, old, new string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(b, []byte(old)) {
				t.Fatalf("%s holds no %q, %v", name, old, err)
			}
			if err := os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(new), 1), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		change func(t *testing.T, dir string)
		text   string
	}{
		"no config":         {remove("config.json"), "config.json"},
		"no weights":        {remove("model.safetensors"), "model.safetensors"},
		"broken config":     {replace("config.json", "{", "["), "config.json"},
		"other type":        {replace("config.json", `"bert"`, `"xlm-roberta"`), "xlm-roberta"},
		"other activation":  {replace("config.json", `"gelu"`, `"relu"`), "relu"},
		"other positions":   {replace("config.json", `"absolute"`, `"relative_key"`), "relative_key"},
		"other epsilon":     {replace("config.json", `1e-12`, `1e-3`), "0.001"},
		"other heads":       {replace("config.json", `attention_heads":2`, `attention_heads":5`), "heads"},
		"other dimension":   {replace("config.json", `"hidden_size":32`, `"hidden_size":48`), "heads"},
		"more layers":       {replace("config.json", `layers":1`, `layers":2`), "layer.1"},
		"other inner":       {replace("config.json", `"intermediate_size":64`, `"intermediate_size":80`), "shape"},
		"two poolings":      {replace("1_Pooling/config.json", "false", "true"), "pooling"},
		"no pooling":        {replace("1_Pooling/config.json", "true", "false"), "pooling"},
		"max pooling":       {replace("1_Pooling/config.json", "{", `{"pooling_mode_max_tokens":true,`), "pooling"},
		"cased":             {replace("tokenizer_config.json", "true", "false"), "upper case"},
		"unknown type":      {replace("model.safetensors", `"F32"`, `"I64"`), "I64"},
		"offsets backwards": {replace("model.safetensors", `"data_offsets":[0,`, `"data_offsets":[9,`), "bytes"},
		"tensor missing":    {replace("model.safetensors", "attention.output.dense.bias", "attention.output.dense.bios"), "no tensor"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := m.save(t, "mean")
			test.change(t, dir)
			if err := Convert(dir, io.Discard); err == nil || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want one with %q", err, test.text)
			}
		})
	}
}

func TestConvertTakesWhatIsOptional(t *testing.T) {
	m := newToy(21, 32, 2, 64, 1)
	want := m.pack(t, "mean")
	dir := m.save(t, "mean")
	for _, name := range []string{"1_Pooling/config.json", "tokenizer_config.json", "vocab.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	if err := Convert(dir, &got); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("another pack, %v", err)
	}
}

func TestConvertTakesPrefixedNames(t *testing.T) {
	m := newToy(22, 32, 2, 64, 1)
	want := m.pack(t, "cls")
	for name, v := range maps.Clone(m.tensors) {
		m.tensors["bert."+name], m.shapes["bert."+name] = v, m.shapes[name]
		delete(m.tensors, name)
	}
	if !bytes.Equal(m.pack(t, "cls"), want) {
		t.Error("another pack")
	}
}

// full fails after some bytes.
type full struct{ room int }

var errFull = errors.New("disk is full")

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestConvertReportsWriteErrors(t *testing.T) {
	m := newToy(23, 16, 1, 16, 1)
	size := len(m.pack(t, "mean"))
	for room := 0; room < size; room += 777 {
		if err := Convert(m.save(t, "mean"), &full{room}); !errors.Is(err, errFull) {
			t.Errorf("room for %d of %d bytes: error %v", room, size, err)
		}
	}
}

func TestDecodeFloat(t *testing.T) {
	for _, test := range []struct {
		dtype string
		bits  uint32
		want  float32
	}{
		{"F32", 0x3F800000, 1}, {"BF16", 0x3F80, 1}, {"BF16", 0xC0A0, -5},
		{"F16", 0x3C00, 1}, {"F16", 0xC500, -5}, {"F16", 0x7BFF, 65504}, {"F16", 0x0001, 1. / (1 << 24)},
		{"F16", 0x8000, 0}, {"F16", 0x0400, 1. / (1 << 14)}, {"F16", 0x7C00, float32(math.Inf(1))}, {"F16", 0x3555, 0.333251953125},
	} {
		if got := decodeFloat(binary.LittleEndian.AppendUint32(nil, test.bits), test.dtype); got != test.want {
			t.Errorf("%s %x is %v, want %v", test.dtype, test.bits, got, test.want)
		}
	}
	if got := decodeFloat([]byte{1, 0x7C}, "F16"); got == got {
		t.Errorf("F16 NaN is %v", got)
	}
}

func FuzzReadTensors(f *testing.F) {
	dir := newToy(24, 16, 1, 16, 1).save(f, "mean")
	b, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	head := `{"a":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]}}`
	f.Add(append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), 0, 0x3C, 0, 0x3C))
	f.Fuzz(func(t *testing.T, file []byte) {
		x, err := readTensors(file)
		if err != nil {
			return
		}
		for name, info := range x.infos {
			if len(info.Shape) == 0 {
				continue
			}
			v, err := x.floats(name, info.Shape...)
			if n := info.Shape[0]; err == nil && len(v)%n != 0 {
				t.Errorf("%d values in the shape %v", len(v), info.Shape)
			}
		}
	})
}

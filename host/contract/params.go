package contract

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/sdk/abi"
)

// paramStructs returns the defaults and the neutral values of a manifest's parameters as
// values of one struct type, so that plugin tables go through the same strict decoder as
// any other. neutral is nil if no parameter has such a value.
func paramStructs(params []abi.Param) (defaults, neutral any) {
	fields := make([]reflect.StructField, len(params))
	for i, p := range params {
		t := reflect.TypeFor[string]()
		if p.Kind == abi.Number {
			t = reflect.TypeFor[float64]()
		}
		tag := "toml:" + strconv.Quote(p.Name) + " doc:" + strconv.Quote(p.Doc)
		fields[i] = reflect.StructField{Name: "P" + strconv.Itoa(i), Type: t, Tag: reflect.StructTag(tag)}
	}
	typ := reflect.StructOf(fields)
	d, n, some := reflect.New(typ).Elem(), reflect.New(typ).Elem(), false
	for i, p := range params {
		if p.Kind != abi.Number {
			d.Field(i).SetString(p.Text)
			n.Field(i).SetString(p.Text)
			continue
		}
		d.Field(i).SetFloat(p.Default)
		n.Field(i).SetFloat(p.Default)
		if p.HasNeutral {
			n.Field(i).SetFloat(p.Neutral)
			some = true
		}
	}
	if some {
		neutral = n.Interface()
	}
	return d.Interface(), neutral
}

// paramsInWords describes parameters for people.
func paramsInWords(params []abi.Param) []host.Param {
	out := make([]host.Param, len(params))
	for i, p := range params {
		w := host.Param{Name: p.Name, Kind: p.Kind, Doc: p.Doc, Default: strconv.Quote(p.Text)}
		switch {
		case p.Kind == abi.Number:
			w.Default = strconv.FormatFloat(p.Default, 'g', -1, 64)
			if p.Min != p.Max {
				w.Range = fmt.Sprintf("%v to %v", p.Min, p.Max)
			}
		case len(p.OneOf) > 0:
			w.Range = strings.Join(p.OneOf, ", ")
		default:
			w.Range = fmt.Sprintf("up to %d bytes", p.Bytes)
		}
		out[i] = w
	}
	return out
}

// encodeParams checks values of the struct type and lays them out for the guest. Files
// are read here; a relative path starts in dir.
func encodeParams(params []abi.Param, v any, dir string) ([]byte, error) {
	values, errs := make([]any, len(params)), make([]error, len(params))
	for i, p := range params {
		field := reflect.ValueOf(v).Field(i)
		if p.Kind == abi.Number {
			n := field.Float()
			if !within(&p, n) {
				errs[i] = fmt.Errorf("%s must be %v to %v, not %v", p.Name, p.Min, p.Max, n)
			}
			values[i] = n
			continue
		}
		s := field.String()
		switch {
		case p.Kind == abi.File:
			values[i], errs[i] = readParam(&p, s, dir)
		case len(s) > p.Bytes:
			errs[i] = fmt.Errorf("%s has more than %d bytes", p.Name, p.Bytes)
		case len(p.OneOf) > 0 && !slices.Contains(p.OneOf, s):
			errs[i] = fmt.Errorf("%s must be one of %s, not %q", p.Name, strings.Join(p.OneOf, ", "), s)
		default:
			values[i] = s
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return abi.AppendParams(nil, values...), nil
}

// readParam reads a file that a parameter names. Without a name it is empty.
func readParam(p *abi.Param, path, dir string) ([]byte, error) {
	if path == "" {
		return []byte{}, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	b, err := ReadFile(path, int64(p.Bytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return b, nil
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe would block
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", path, limit)
	}
	return b, nil
}

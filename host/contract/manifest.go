package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/sdk/abi"
)

// jsonManifest is a manifest as it crosses.
type jsonManifest struct {
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Contract string       `json:"contract"`
	Summary  string       `json:"summary"`
	Doc      string       `json:"doc"`
	Columns  []jsonColumn `json:"columns"`
	Drops    bool         `json:"drops"`
	Orders   bool         `json:"orders"`
	Query    bool         `json:"query"`
	Dim      int          `json:"dim"`
	Params   []jsonParam  `json:"params"`
}

type jsonColumn struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Read    bool    `json:"read"`
	Write   bool    `json:"write"`
	Neutral float32 `json:"neutral"`
	Doc     string  `json:"doc"`
}

type jsonParam struct {
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Doc      string          `json:"doc"`
	Default  json.RawMessage `json:"default"`
	Neutral  *float64        `json:"neutral"`
	Min      float64         `json:"min"`
	Max      float64         `json:"max"`
	OneOf    []string        `json:"one_of"`
	MaxBytes int             `json:"max_bytes"`
}

// ParseManifest reads a manifest and reports everything that is wrong with it.
func ParseManifest(text []byte) (*abi.Manifest, error) {
	var j jsonManifest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("manifest: more than one JSON value")
	}
	m := &abi.Manifest{
		Name: j.Name, Version: j.Version, Contract: j.Contract, Summary: j.Summary, Doc: j.Doc,
		Drops: j.Drops, Orders: j.Orders, Query: j.Query, Dim: j.Dim,
	}
	for _, c := range j.Columns {
		m.Columns = append(m.Columns, abi.Column(c))
	}
	errs := []error{checkAbout(m)}
	for _, p := range j.Params {
		q, err := p.param()
		errs = append(errs, err)
		if slices.ContainsFunc(m.Params, func(o abi.Param) bool { return o.Name == q.Name }) {
			errs = append(errs, fmt.Errorf("parameter %q is there twice", q.Name))
		}
		m.Params = append(m.Params, q)
	}
	switch m.Contract {
	case abi.Rank:
		errs = append(errs, checkColumns(m))
	case abi.Embed:
		if m.Dim < 1 || m.Dim > abi.MaxDim {
			errs = append(errs, fmt.Errorf("dim must be 1 to %d, not %d", abi.MaxDim, m.Dim))
		}
	case abi.Extract, abi.Sleep:
	default:
		errs = append(errs, fmt.Errorf("contract must be rank, extract, sleep or embed, not %q", m.Contract))
	}
	if m.Contract != abi.Rank && (len(m.Columns) > 0 || m.Drops || m.Orders || m.Query) {
		errs = append(errs, fmt.Errorf("columns, drops, orders and query are for contract rank, not %q", m.Contract))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

func checkAbout(m *abi.Manifest) error {
	var errs []error
	if !nameRE.MatchString(m.Name) || len(m.Name) > 64 {
		errs = append(errs, fmt.Errorf("name %q is not lower_snake_case of at most 64 letters", m.Name))
	}
	for key, s := range map[string]string{"version": m.Version, "summary": m.Summary} {
		if s == "" || len(s) > 200 || strings.ContainsFunc(s, unicode.IsControl) {
			errs = append(errs, fmt.Errorf("%s must be one line of 1 to 200 bytes", key))
		}
	}
	if unprintable(m.Doc) {
		errs = append(errs, errors.New("doc has control characters"))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// unprintable reports whether a text has control characters other than line ends.
func unprintable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// known are the columns that Orma itself names.
func known() []frame.Column {
	return append(frame.Base(), frame.BM25, frame.Context, frame.Cosine, frame.SessionText, frame.SessionCosine, frame.Link)
}

// checkColumns holds the columns of a ranker to what plugins may touch. Of the columns
// that the engine fills, only the score may be written: the others say which item a row
// is, and when it expires.
func checkColumns(m *abi.Manifest) error {
	var errs []error
	seen := map[string]bool{}
	if len(m.Columns) > 64 {
		return fmt.Errorf("%d columns, at most 64", len(m.Columns))
	}
	for _, c := range m.Columns {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("column %q "+format, append([]any{c.Name}, args...)...))
		}
		kind, ok := frame.ParseKind(c.Kind)
		same := func(k frame.Column) bool { return k.Name == c.Name }
		engine := slices.ContainsFunc(frame.Base(), same)
		i := slices.IndexFunc(known(), same)
		switch {
		case !nameRE.MatchString(c.Name):
			bad("is not lower_snake_case")
		case seen[c.Name]:
			bad("is there twice")
		case !ok:
			bad("has unknown kind %q", c.Kind)
		case i >= 0 && known()[i].Kind != kind:
			bad("is of kind %v, not %s", known()[i].Kind, c.Kind)
		case !c.Read && !c.Write:
			bad("is neither read nor written")
		case c.Write && kind != frame.KindF32 && kind != frame.KindI64:
			bad("is of kind %s, which plugins cannot write", c.Kind)
		case c.Write && engine && c.Name != frame.Score.Name:
			bad("belongs to the engine and cannot be written")
		case unprintable(c.Doc):
			bad("has control characters in its doc")
		}
		seen[c.Name] = true
	}
	return errors.Join(errs...)
}

func (j *jsonParam) param() (abi.Param, error) {
	p := abi.Param{Name: j.Name, Kind: j.Kind, Doc: j.Doc, OneOf: j.OneOf, Bytes: j.MaxBytes, Min: j.Min, Max: j.Max}
	bad := func(format string, args ...any) (abi.Param, error) {
		return p, fmt.Errorf("parameter %q "+format, append([]any{j.Name}, args...)...)
	}
	switch {
	case !nameRE.MatchString(j.Name):
		return bad("is not lower_snake_case")
	case slices.Contains([]string{"use", "enabled", "required", "timeout_ms"}, j.Name):
		return bad("has the name of a key that every stage has")
	case j.Doc == "" || strings.ContainsFunc(j.Doc, unicode.IsControl):
		return bad("needs a doc of one line")
	}
	switch j.Kind {
	case abi.Number:
		if err := json.Unmarshal(j.Default, &p.Default); len(j.Default) == 0 || err != nil {
			return bad("needs a number as default")
		}
		if p.HasNeutral = j.Neutral != nil; p.HasNeutral {
			p.Neutral = *j.Neutral
		}
		if p.Min > p.Max || !within(&p, p.Default) || p.HasNeutral && !within(&p, p.Neutral) {
			return bad("has a default or neutral value outside %v to %v", p.Min, p.Max)
		}
		if len(p.OneOf) > 0 || p.Bytes != 0 {
			return bad("is a number and has no one_of or max_bytes")
		}
	case abi.String, abi.File:
		if len(j.Default) > 0 {
			if err := json.Unmarshal(j.Default, &p.Text); err != nil {
				return bad("needs a text as default")
			}
		}
		if p.Bytes == 0 {
			p.Bytes = map[string]int{abi.String: 64 << 10, abi.File: 1 << 20}[j.Kind]
		}
		switch {
		case p.Bytes < 1 || p.Bytes > 16<<20:
			return bad("has max_bytes outside 1 to %d", 16<<20)
		case j.Neutral != nil || p.Min != 0 || p.Max != 0:
			return bad("is no number and has no neutral, min or max")
		case j.Kind == abi.File && (len(p.OneOf) > 0 || p.Text != ""):
			return bad("is a file and has no default or one_of")
		case len(p.OneOf) > 0 && !slices.Contains(p.OneOf, p.Text):
			return bad("has a default that is not in one_of")
		}
	default:
		return bad("has unknown kind %q", j.Kind)
	}
	return p, nil
}

// within reports whether a number is in a parameter's range.
func within(p *abi.Param, v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (p.Min == p.Max || v >= p.Min && v <= p.Max)
}

// Same reports whether two manifests say the same.
func Same(a, b *abi.Manifest) bool { return reflect.DeepEqual(a, b) }

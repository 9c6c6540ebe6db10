package sqlite

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// traces finds what else quotes erased text: journal entries, sleep reports,
// errors of sleep, and names of entities. A word goes only when nothing that stays
// says it, so that forgetting "Pune" elsewhere is still honoured after one line
// about Pune was erased.
type traces struct {
	texts  []string        // folded texts of the erased episodes
	pieces map[string]bool // folded values and passages; true: nothing that stays says it
	words  map[string]bool // folded strings found in the erased texts, likewise
}

// shortest is the length in runes below which a string tells nothing.
const shortest = 3

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func (tr *traces) text(s string) { tr.texts = append(tr.texts, strings.ToLower(s)) }

func (tr *traces) piece(s string) {
	if s = fold(s); utf8.RuneCountInString(s) < shortest || s == core.SubjectUser {
		return
	}
	if tr.pieces == nil {
		tr.pieces = map[string]bool{}
	}
	tr.pieces[s] = true
}

// note looks at a string that may have to go.
func (tr *traces) note(s string) {
	s = fold(s)
	if utf8.RuneCountInString(s) < shortest || s == core.SubjectUser {
		return
	}
	if !slices.ContainsFunc(tr.texts, func(t string) bool { return strings.Contains(t, s) }) {
		return
	}
	if tr.words == nil {
		tr.words = map[string]bool{}
	}
	tr.words[s] = true
}

// said spares what a text that stays says.
func (tr *traces) said(text string) {
	text = strings.ToLower(text)
	for _, set := range []map[string]bool{tr.pieces, tr.words} {
		for s, gone := range set {
			if gone && strings.Contains(text, s) {
				set[s] = false
			}
		}
	}
}

// quotes reports whether a string tells what was erased.
func (tr *traces) quotes(s string) bool {
	s = fold(s)
	if tr.words[s] {
		return true
	}
	for p, gone := range tr.pieces {
		if gone && strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// scrub empties the strings of a JSON value that quote, or, with all, every one.
// What is not JSON is returned as nil if it quotes.
func (tr *traces) scrub(data []byte, all bool) (out []byte, changed bool) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		if all || tr.quotes(string(data)) {
			return nil, true
		}
		return data, false
	}
	v = mapStrings(v, func(s string, key bool) string {
		switch {
		case s == "" || key && isName(s) || all && !key && s == core.SubjectUser:
			return s
		case all || tr.quotes(s):
			changed = true
			return ""
		}
		return s
	})
	if !changed {
		return data, false
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil, true
	}
	return out, true
}

// isName reports whether a key of JSON is a field's name and not someone's words.
func isName(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

func mapStrings(v any, fn func(s string, key bool) string) any {
	switch v := v.(type) {
	case string:
		return fn(v, false)
	case []any:
		for i := range v {
			v[i] = mapStrings(v[i], fn)
		}
	case map[string]any:
		for _, k := range slices.Collect(maps.Keys(v)) {
			x := mapStrings(v[k], fn)
			delete(v, k)
			v[fn(k, true)] = x
		}
	}
	return v
}

// eachLeaf calls the functions for the strings and numbers of a JSON value.
func eachLeaf(data []byte, str func(string), num func(int64)) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		str(string(data))
		return
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			str(v)
		case json.Number:
			if n, err := v.Int64(); err == nil {
				num(n)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				str(k)
				walk(x)
			}
		}
	}
	walk(v)
}

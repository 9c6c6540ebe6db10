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
//
// It is told what was erased (text, piece) and what may have to go (note), then, after
// match, what stays (said), and answers after settle.
type traces struct {
	texts  []string        // folded texts of the erased episodes
	pieces map[string]bool // folded values and passages; after settle, those that nothing that stays says
	words  map[string]bool // folded strings found in the erased texts, likewise
	noted  map[string]bool // folded strings that may have to go

	all    *phrases // pieces and words
	spared []bool   // by phrase of all: something that stays says it
	gone   *phrases // the pieces that nothing says
}

// shortest is the length in runes below which a string tells nothing.
const shortest = 3

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

func (tr *traces) text(s string) { tr.texts = append(tr.texts, strings.ToLower(s)) }

func (tr *traces) piece(s string) { tell(&tr.pieces, s) }

// note takes in a string that may have to go.
func (tr *traces) note(s string) { tell(&tr.noted, s) }

// tell adds a string to a set if it tells anything.
func tell(set *map[string]bool, s string) {
	if s = fold(s); utf8.RuneCountInString(s) < shortest || s == core.SubjectUser {
		return
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[s] = true
}

// match finds which of what was noted the erased texts say.
func (tr *traces) match() {
	noted := newPhrases(tr.noted)
	tr.words = map[string]bool{}
	for _, text := range tr.texts {
		noted.find(text, func(i int) { tr.words[noted.sorted[i]] = true })
	}
	all := maps.Clone(tr.words)
	maps.Copy(all, tr.pieces)
	tr.all = newPhrases(all)
	tr.spared = make([]bool, len(tr.all.sorted))
}

// said spares what a text that stays says.
func (tr *traces) said(text string) {
	tr.all.find(strings.ToLower(text), func(i int) { tr.spared[i] = true })
}

// settle ends what said began.
func (tr *traces) settle() {
	for i, s := range tr.all.sorted {
		if tr.spared[i] {
			delete(tr.words, s)
			delete(tr.pieces, s)
		}
	}
	tr.gone = newPhrases(tr.pieces)
}

// quotes reports whether a string tells what was erased.
func (tr *traces) quotes(s string) bool {
	s = fold(s)
	quotes := tr.words[s]
	if !quotes {
		tr.gone.find(s, func(int) { quotes = true })
	}
	return quotes
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

// idKeys are what the fields are called that hold an id, or with an s a list of them. A number
// under the latter is a count, and one under any other name a place, a count or a measure.
var idKeys = map[string]bool{"id": true, "episode": true, "passage": true, "state": true, "event": true, "entity": true, "item": true, "rule": true}

// holdsID reports whether a number under a key is an id.
func holdsID(key string, listed bool) bool {
	if listed {
		key = strings.TrimSuffix(key, "s")
	}
	return idKeys[key] || strings.HasSuffix(key, "_id")
}

// eachLeaf calls the functions for the strings and the ids of a JSON value.
func eachLeaf(data []byte, str func(string), id func(int64)) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		str(string(data))
		return
	}
	var walk func(v any, key string, listed bool)
	walk = func(v any, key string, listed bool) {
		switch v := v.(type) {
		case string:
			str(v)
		case json.Number:
			if n, err := v.Int64(); err == nil && holdsID(key, listed) {
				id(n)
			}
		case []any:
			for _, x := range v {
				walk(x, key, true)
			}
		case map[string]any:
			for k, x := range v {
				str(k)
				walk(x, k, false)
			}
		}
	}
	walk(v, "", false)
}

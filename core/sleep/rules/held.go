package rules

import (
	"iter"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
)

// heldAs returns the attribute under which the speaker has a value, tokens from to to,
// or has it with another number, or has something that it means in short: by the lines
// before this one, else by the book.
func (r *line) heldAs(from, to int) (string, bool) {
	for from+1 < to && r.s.Lang.Word("my", r.norm(from)) {
		from++
	}
	attr, _, ok := r.heldValue(r.text(from, to))
	return attr, ok
}

// heldValue returns the attribute and the value that a phrase means.
func (r *line) heldValue(phrase string) (attribute, value string, ok bool) {
	var said said
	for _, same := range []func(a, b string) bool{sleep.SameKind, sleep.Names} {
		said = newSaid()
		for p := range r.latest(said) {
			if same(phrase, p.Value) {
				return p.Attribute, p.Value, true
			}
		}
	}
	if r.req.Batch == nil || r.req.Batch.Book == nil {
		return "", "", false
	}
	return r.req.Batch.Book.HeldAs(core.SubjectUser, phrase, said.skip)
}

// heldUnder returns the name under which the speaker has an open state of the attribute
// that a noun names, or "".
func (r *line) heldUnder(noun string) string {
	for attr := range r.under(noun) {
		return attr
	}
	return ""
}

// only returns the value of the speaker's one open state under just this name, or "".
func (r *line) only(attribute string) string {
	found := ""
	for attr, v := range r.under(attribute) {
		if strings.EqualFold(attr, attribute) {
			if found != "" {
				return ""
			}
			found = v
		}
	}
	return found
}

// under yields the names and values of the speaker's open states of the attribute that
// a noun names, newest first.
func (r *line) under(noun string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		key, said := sleep.AttributeOf(noun).Key, newSaid()
		for p := range r.latest(said) {
			if (sleep.AttributeFor(p.Attribute, p.Value).Key == key || strings.EqualFold(p.Attribute, noun)) && !yield(p.Attribute, p.Value) {
				return
			}
		}
		if r.req.Batch == nil || r.req.Batch.Book == nil {
			return
		}
		for attr, v := range r.req.Batch.Book.HeldUnder(core.SubjectUser, noun, said.skip) {
			if !yield(attr, v) {
				return
			}
		}
	}
}

// vague are nouns that alone mean no thing that was spoken of before.
var vague = map[string]bool{
	"name": true, "number": true, "time": true, "type": true, "size": true, "kind": true, "age": true, "location": true, "favourite": true,
	"day": true, "date": true, "way": true, "thing": true, "one": true, "use": true, "habit": true, "like": true, "meeting": true,
}

// heldNear is heldUnder for a noun that may be short for the attribute: "the deadline"
// where there is one launch deadline. What might mean two attributes means none.
func (r *line) heldNear(noun string) string {
	if h := r.heldUnder(noun); h != "" {
		return h
	}
	words := strings.Fields(strings.ToLower(noun))
	if len(words) == 0 || len(words) == 1 && vague[words[0]] {
		return ""
	}
	noun = strings.Join(words, " ")
	found, said := "", newSaid()
	one := func(attr string) bool {
		same := found == "" || sleep.AttributeOf(found).Key == sleep.AttributeOf(attr).Key
		if found == "" {
			found = attr
		}
		return same
	}
	for p := range r.latest(said) {
		if !sleep.AttributeOf(p.Attribute).Many && sleep.HasWords(strings.ToLower(p.Attribute), noun) && !one(p.Attribute) {
			return ""
		}
	}
	if r.req.Batch == nil || r.req.Batch.Book == nil {
		return found
	}
	for attr := range r.req.Batch.Book.HeldNear(core.SubjectUser, noun, said.skip) {
		if !one(attr) {
			return ""
		}
	}
	return found
}

// said is what lines before this one said: of which attributes anything, and which of
// several values is gone.
type said struct{ attributes, gone map[string]bool }

func newSaid() said { return said{map[string]bool{}, map[string]bool{}} }

func (s said) skip(a sleep.Attribute, value string) bool {
	return s.attributes[a.Key] || s.gone[a.Key+"|"+strings.ToLower(value)]
}

// latest yields what the lines before this one say of the speaker that still stands,
// newest first, and notes the attributes of which they said anything.
func (r *line) latest(said said) func(func(*sleep.Proposal) bool) {
	return func(yield func(*sleep.Proposal) bool) {
		for i := len(r.before) - 1; i >= 0; i-- {
			p := &r.before[i]
			if p.Event || p.Prohibited || p.Lift || p.Past || p.Subject != core.SubjectUser {
				continue
			}
			a := sleep.AttributeFor(p.Attribute, p.Value)
			if said.skip(a, p.Value) {
				continue
			}
			if v := a.Key + "|" + strings.ToLower(p.Value); a.Many {
				if _, later := said.gone[v]; later {
					continue
				}
				said.gone[v] = p.Ended
			} else {
				said.attributes[a.Key] = true
			}
			if !p.Ended && !yield(p) {
				return
			}
		}
	}
}

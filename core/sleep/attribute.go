package sleep

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/orma-memory/orma/core/sleep/lang"
)

//go:embed data/attributes.txt
var attributesFile string

// Attribute is what is known of an attribute's name.
type Attribute struct {
	Key       string // equal for all names of one attribute
	Name      string // the usual name, or the given one
	Known     bool   // the name is in the built-in list
	Many      bool   // values add up
	Rule      bool   // a value is a rule by itself
	Versioned bool   // a value replaces one that differs in numbers only
	Person    bool   // the value is somebody in that relation
	Negative  bool   // a line that denies the value's being liked or used states it
}

// attributes maps the key of every listed name to its attribute.
var attributes = sync.OnceValue(func() map[string]Attribute {
	m, err := parseAttributes(attributesFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return m
})

// usual maps the usual names, as they are written and as the store has them, to their
// attributes: most that are asked for are among these.
var usual = sync.OnceValue(func() map[string]Attribute {
	m := map[string]Attribute{}
	for _, a := range attributes() {
		for _, name := range []string{a.Name, AttributeName(a.Name)} {
			if b, ok := attributes()[attributeKey(name)]; ok {
				m[name] = b
			}
		}
	}
	return m
})

func parseAttributes(src string) (map[string]Attribute, error) {
	m := map[string]Attribute{}
	for n, line := range strings.Split(src, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, names, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d: no colon", n+1)
		}
		name, flags, _ := strings.Cut(head, "[")
		a := Attribute{Name: strings.TrimSpace(name), Known: true}
		a.Key = attributeKey(a.Name)
		for _, f := range strings.Fields(strings.Trim(strings.TrimSpace(flags), "]")) {
			switch f {
			case "many":
				a.Many = true
			case "rule":
				a.Rule = true
			case "versioned":
				a.Versioned = true
			case "person":
				a.Person = true
			case "negative":
				a.Negative = true
			default:
				return nil, fmt.Errorf("line %d: no flag %q", n+1, f)
			}
		}
		for _, s := range append(strings.Split(names, ","), a.Name) {
			k := attributeKey(s)
			if old, dup := m[k]; dup && old.Name != a.Name {
				return nil, fmt.Errorf("line %d: %q is also %s", n+1, strings.TrimSpace(s), old.Name)
			}
			m[k] = a
		}
	}
	return m, nil
}

// attributeNoise are words that make no difference in an attribute's name.
var attributeNoise = map[string]bool{
	"the": true, "a": true, "of": true, "my": true, "his": true, "her": true, "their": true, "user": true, "users": true, "current": true,
	"currently": true, "present": true, "new": true, "is": true, "s": true, "now": true, "main": true, "own": true, "to": true, "our": true,
}

// attributeKey folds a name: stems of its words, sorted, without noise.
func attributeKey(name string) string {
	var words []string
	for _, w := range strings.FieldsFunc(splitCamel(name), func(r rune) bool { return strings.ContainsRune(" _-./:'’", r) }) {
		w = strings.ToLower(w)
		if attributeNoise[w] {
			continue
		}
		switch w {
		case "favorite", "fave", "fav", "preferred", "preference", "prefers", "best":
			w = "favourite"
		case "color":
			w = "colour"
		case "organization":
			w = "organisation"
		case "neighbor":
			w = "neighbour"
		}
		if n := strings.TrimSuffix(w, "s"); len(n) > 4 && (strings.HasSuffix(n, "er") || strings.HasSuffix(n, "or")) {
			words = append(words, n) // who does it is not doing it: manager, manages
			continue
		}
		words = append(words, lang.Stem(w))
	}
	if len(words) == 0 {
		return strings.ToLower(strings.TrimSpace(name))
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// splitCamel puts spaces into homeCity.
func splitCamel(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// AttributeOf returns what is known of an attribute by its name, in which words
// may be joined by spaces, "_" or capitals.
func AttributeOf(name string) Attribute {
	if a, ok := usual()[name]; ok {
		return a
	}
	k := attributeKey(name)
	if a, ok := attributes()[k]; ok {
		return a
	}
	return Attribute{Key: k, Name: name}
}

// AttributeFor is AttributeOf for a name that means one thing or another by its value:
// "phone" is a number or a model.
func AttributeFor(name, value string) Attribute {
	a := AttributeOf(name)
	if a.Name != "phone number" {
		return a
	}
	digits := strings.IndexFunc(value, func(r rune) bool { return r >= '0' && r <= '9' || r == '+' })
	letters := strings.IndexFunc(value, unicode.IsLetter)
	if letters >= 0 && (digits < 0 || letters < digits) {
		return AttributeOf("phone model")
	}
	return a
}

// namesOf returns the attributes that a name may mean.
func namesOf(name string) []Attribute {
	a := AttributeOf(name)
	if b := AttributeFor(name, "x"); b.Key != a.Key {
		return []Attribute{a, b}
	}
	return []Attribute{a}
}

// AttributeName writes an attribute's name as the store has it: small letters,
// words joined by "_".
func AttributeName(name string) string {
	words := strings.FieldsFunc(splitCamel(name), func(r rune) bool { return strings.ContainsRune(" _-./:\t\n", r) })
	return strings.ToLower(strings.Join(words, "_"))
}

package sleep

import (
	"slices"
	"strings"
	"unicode"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep/lang"
	"github.com/orma-memory/orma/core/text"
)

// entityKey folds a name for comparison: words without titles, articles and
// "my".
func entityKey(name string) string { return strings.Join(nameWords(name), " ") }

func nameWords(name string) []string {
	var out []string
	for _, t := range lang.Tokens(name) {
		if !t.Word {
			continue
		}
		w := text.Fold(t.Norm)
		switch w {
		case "my", "the", "a", "our", "user's", "users", "user", "dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir":
			continue
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return []string{text.Fold(strings.TrimSpace(name))}
	}
	return out
}

// directory finds entities by their names.
type directory struct {
	entities []*core.Entity
	byKey    map[string]*core.Entity
	shared   map[string]bool         // names of more than one entity: they mean neither
	own      map[string]*core.Entity // by the name that it was entered with, not an alias
	byWord   map[string][]*named
	names    map[*core.Entity][]*named
}

// named is an entity under one of its names, in words.
type named struct {
	entity *core.Entity
	key    string
	words  []string
	proper []string // the words that are capitalised
	common bool     // nothing in it is capitalised: "sister", which may be another's too
}

func newDirectory(all []core.Entity) *directory {
	d := &directory{
		byKey: make(map[string]*core.Entity, len(all)), shared: map[string]bool{}, own: make(map[string]*core.Entity, len(all)),
		byWord: map[string][]*named{}, names: make(map[*core.Entity][]*named, len(all)),
	}
	for i := range all {
		d.add(&all[i])
	}
	return d
}

func (d *directory) add(e *core.Entity) {
	d.entities = append(d.entities, e)
	d.own[d.name(e, e.Name).key] = e
	for _, a := range e.Aliases {
		d.name(e, a)
	}
}

func (d *directory) name(e *core.Entity, name string) *named {
	words := nameWords(name)
	k := strings.Join(words, " ")
	n := &named{e, k, words, properWords(name), isCommon(name)}
	d.names[e] = append(d.names[e], n)
	switch old := d.byKey[k]; {
	case d.shared[k] || old == e:
	case old == nil:
		d.byKey[k] = e
	default:
		delete(d.byKey, k)
		d.shared[k] = true
	}
	for i, w := range words {
		if !slices.Contains(words[:i], w) {
			d.byWord[w] = append(d.byWord[w], n)
		}
	}
	return n
}

// has reports whether one of an entity's names has a key.
func (d *directory) has(e *core.Entity, key string) bool {
	return slices.ContainsFunc(d.names[e], func(n *named) bool { return n.key == key })
}

// find returns the entity that a name means: by one of its names, or as the only
// one whose name has all words of the other's. Words with digits must be the
// same in both: badge 4471 is not badge 4417. Nor is one sister the other: "sister"
// alone does not stand for "sister Anna".
func (d *directory) find(name string) *core.Entity {
	words := nameWords(name)
	k := strings.Join(words, " ")
	if e := d.byKey[k]; e != nil {
		return e
	}
	if d.shared[k] {
		return d.own[k]
	}
	proper := !isCommon(name)
	var full []string // of name, once asked for
	var hit *core.Entity
	for _, w := range words {
		for _, n := range d.byWord[w] {
			shorter := len(n.words) < len(words)
			if n.entity == hit || proper && shorter && n.common || !sameName(words, n.words) {
				continue
			}
			if shorter && full == nil {
				full = properWords(name)
			}
			if shorter && d.conflicts(full, n.entity) {
				continue
			}
			if hit != nil {
				return nil
			}
			hit = n.entity
		}
	}
	return hit
}

// conflicts reports whether an entity has a full name that is not this one: Anna, who is
// also Anna Berg, is not Anna Holm.
func (d *directory) conflicts(full []string, e *core.Entity) bool {
	return len(full) > 1 && slices.ContainsFunc(d.names[e], func(n *named) bool { return len(n.proper) > 1 && !sameName(full, n.proper) })
}

// properWords are the capitalised words of a name.
func properWords(name string) []string {
	words := slices.DeleteFunc(strings.Fields(name), isCommon)
	if len(words) == 0 {
		return nil
	}
	return nameWords(strings.Join(words, " "))
}

// isCommon reports whether a name has no capital letter, and so is no proper name where
// those have one.
func isCommon(name string) bool { return !strings.ContainsFunc(name, unicode.IsUpper) }

// sameName reports whether the shorter of two names is part of the longer: its
// first or last words, with all words that have digits. "Wanda's manager" is not
// Wanda, and York is not New York.
func sameName(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if !slices.Equal(a, b[len(b)-len(a):]) && !slices.Equal(a, b[:len(a)]) {
		return false
	}
	if len(a) == len(b) {
		return true
	}
	if !slices.Equal(digits(a), digits(b)) {
		return false
	}
	if len(a) == 1 && len(a[0]) < 3 || slices.ContainsFunc(b, func(w string) bool { return strings.HasSuffix(w, "'s") }) {
		return false
	}
	switch b[0] {
	case "new", "north", "south", "east", "west", "san", "santa", "saint", "st", "el", "la", "los", "las", "port", "mount", "upper", "lower", "great", "old", "lake":
		return false
	}
	return true
}

func digits(words []string) []string {
	var out []string
	for _, w := range words {
		if lang.HasDigit(w) {
			out = append(out, w)
		}
	}
	return out
}

// title returns the fullest name of an entity that was entered by a relation alone: what
// "my brother" is called since the line that named him, "brother Ravi".
func title(e *core.Entity) string {
	if !isCommon(e.Name) {
		return e.Name
	}
	for _, a := range e.Aliases {
		if rest, ok := strings.CutPrefix(a, e.Name+" "); ok && !isCommon(rest) {
			return a
		}
	}
	return e.Name
}

// sameKin returns e, unless it stands in another relation than m: my son Max is not my
// father Max, nor is "my manager" who was that before.
func (k *Book) sameKin(e *core.Entity, m *Mention) *core.Entity {
	if e == nil || m.Kin == "" || k.set == nil {
		return e
	}
	if m.Proper == "" && k.parted(e, m.Kin) {
		return nil
	}
	for _, l := range k.set.Languages() {
		of := l.Family(m.Kin)
		for _, a := range e.Aliases {
			if other := l.Family(strings.ToLower(a)); of != "" && other != "" && other != of {
				return nil
			}
		}
	}
	return e
}

// parted reports whether all that says that e is the user's kin is over.
func (k *Book) parted(e *core.Entity, kin string) bool {
	over := false
	for _, f := range k.facts.under[topic{core.SubjectUser, AttributeOf(kin).Key}] {
		if f.Forbidden || k.people.find(f.Value) != e {
			continue
		}
		if f.Closed.IsZero() {
			return false
		}
		over = true
	}
	return over
}

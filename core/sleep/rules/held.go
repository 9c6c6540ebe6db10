package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
)

// heldAs returns the attribute under which the speaker has a value, tokens from to to,
// or has it with another number: by the lines before this one, else by the book.
func (r *line) heldAs(from, to int) (string, bool) {
	for from+1 < to && r.s.Lang.Word("my", r.norm(from)) {
		from++
	}
	old := r.text(from, to)
	said := map[string]bool{}
	for p := range r.latest(said) {
		if sleep.SameKind(p.Value, old) {
			return p.Attribute, true
		}
	}
	if r.req.Batch == nil || r.req.Batch.Book == nil {
		return "", false
	}
	attr, ok := r.req.Batch.Book.HeldAs(core.SubjectUser, old)
	if ok && said[sleep.AttributeOf(attr).Key] {
		return "", false // a line before this one gave it another value
	}
	return attr, ok
}

// heldUnder returns the name under which the speaker has an open state of the attribute
// that a noun names, or "".
func (r *line) heldUnder(noun string) string {
	a := sleep.AttributeOf(noun)
	said := map[string]bool{}
	for p := range r.latest(said) {
		if sleep.AttributeOf(p.Attribute).Key == a.Key {
			return p.Attribute
		}
	}
	if said[a.Key] || r.req.Batch == nil || r.req.Batch.Book == nil {
		return ""
	}
	return r.req.Batch.Book.HeldUnder(core.SubjectUser, noun)
}

// latest yields what the lines before this one say of the speaker that still stands,
// newest first, and notes the attributes of which they said anything.
func (r *line) latest(said map[string]bool) func(func(*sleep.Proposal) bool) {
	return func(yield func(*sleep.Proposal) bool) {
		for i := len(r.before) - 1; i >= 0; i-- {
			p := &r.before[i]
			if p.Event || p.Prohibited || p.Lift || p.Past || p.Subject != core.SubjectUser || p.Condition != "" {
				continue
			}
			a := sleep.AttributeOf(p.Attribute)
			if !a.Many {
				if said[a.Key] {
					continue
				}
				said[a.Key] = true
			}
			if !p.Ended && !yield(p) {
				return
			}
		}
	}
}

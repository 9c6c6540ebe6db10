package sleep

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Cite drops items without a line to rest on.
var Cite = sl.Spec{Spec: component.Define(component.About{
	Name:    "cite",
	Summary: "Drop items that cite no line which may make facts",
	Doc: `
Each item must cite a line of this batch that a user, note or document said; tool
lines count only where the configuration says so. Citations of other lines, or of
lines that were never shown, are dropped; an item without any left is rejected as
uncited. Items that lack a part, or whose parts are too long to be a name or a
value, are rejected as malformed.`,
}, CiteParams{MaxValue: 300}, newCite)}

// CiteParams are the keys of a cite table.
type CiteParams struct {
	MaxValue int `toml:"max_value" doc:"bytes that a value may have"`
}

// Validate reports parameters outside their range.
func (p *CiteParams) Validate() error {
	if p.MaxValue < 20 || p.MaxValue > 10_000 {
		return fmt.Errorf("max_value must be from 20 to 10000")
	}
	return nil
}

// The longest subject, attribute and condition that are taken for one.
const (
	maxSubject        = 80
	maxAttributeWords = 5
	maxCondition      = 200
)

func newCite(p CiteParams, _ component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(_ context.Context, b *sl.Batch) error {
		byTag := map[string]*sl.Line{}
		for _, l := range b.Lines {
			byTag[l.Tag()] = l
		}
		for it := range b.Live {
			it.Lines = it.Lines[:0]
			for _, c := range it.Cites {
				l := byTag[strings.Trim(strings.ToLower(strings.TrimSpace(c)), "[]")]
				if l != nil && l.Citable && !slices.Contains(it.Lines, l) {
					it.Lines = append(it.Lines, l)
				}
			}
			wellFormed(it, p.MaxValue)
			if it.Live() && len(it.Lines) == 0 {
				it.Reject(sl.ReasonUncited, strings.Join(it.Cites, " "))
			}
		}
		return nil
	}), nil
}

// wellFormed cleans an item's parts and rejects it if one is missing or no text.
func wellFormed(it *sl.Item, maxValue int) {
	if it.Malformed != "" {
		it.Reject(sl.ReasonMalformed, it.Malformed)
		return
	}
	it.Subject, it.Attribute = sl.CleanValue(it.Subject), sl.CleanValue(it.Attribute)
	it.Value, it.Condition, it.When = sl.CleanValue(it.Value), sl.CleanValue(it.Condition), sl.CleanValue(it.When)
	if sl.IsUser(it.Subject) {
		it.Subject = core.SubjectUser
	}
	switch {
	case it.Subject == "" || utf8.RuneCountInString(it.Subject) > maxSubject:
		it.Reject(sl.ReasonMalformed, "no subject")
	case it.Value == "" && !it.Ended || len(it.Value) > maxValue:
		it.Reject(sl.ReasonMalformed, "no value, or one that is too long")
	case len(it.Condition) > maxCondition:
		it.Reject(sl.ReasonMalformed, "the condition is too long")
	case !it.Event && !attributeLike(it.Attribute):
		it.Reject(sl.ReasonMalformed, "no attribute")
	}
}

// attributeLike reports whether a text can be the name of an attribute: a few
// words, no number of its own, no marks.
func attributeLike(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '_' || r == '-' })
	if len(words) == 0 || len(words) > maxAttributeWords || len(s) > maxSubject {
		return false
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(" _-'’./()&", r) {
			return false
		}
	}
	return !lang.HasDigit(s) || len(words) <= 3
}

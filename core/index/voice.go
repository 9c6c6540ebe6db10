package index

import (
	"strings"

	"github.com/orma-memory/orma/core"
)

// How little what the assistant says counts: in full where the query is about the user,
// by half where it names nobody, not at all where the query asks for it, or where it is in
// a language whose words for that are not known.
const (
	aboutUser   = 1
	aboutNobody = 0.5
	aboutAnswer = 0
	notRead     = 0
)

// whoseWords tells whether a query is about the user ("my dentist"), or about what the
// assistant once said ("which dentist did you suggest?"). A request ("can you suggest
// a dentist?") is about neither by its "you".
func whoseWords(query string) float32 {
	lists := askWords()
	about := float32(aboutNobody)
	you, told, english := false, false, false
	before := ""
	for word := range strings.FieldsFuncSeq(query, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
		country := word == "US"
		word = strings.ToLower(word)
		english = english || lists["english"][word]
		switch {
		case country:
		case before != "" && lists["answer"][before+"_"+word]:
			return aboutAnswer
		case lists["user"][word]:
			about = aboutUser
		}
		you = you || word == "you"
		told = told || lists["told"][word]
		before = word
	}
	if you && told {
		return aboutAnswer
	}
	if !english {
		return notRead
	}
	return about
}

// assistantOf is how far a row is of another voice than the one that knows: the
// assistant's or a tool's.
func (v *View) assistantOf(it *item) float32 {
	switch roles[it.role] {
	case core.RoleAssistant, core.RoleTool:
		return v.hush
	}
	return 0
}

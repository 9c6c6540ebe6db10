package sleep

import (
	"fmt"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Line is one sentence of an episode, the unit that facts cite.
type Line struct {
	N       int // its number in the batch, from 1; 0 for lines that are only context
	Episode core.ID
	Source  core.Source
	Said    time.Time
	Zone    *time.Location
	Kind    core.Kind
	Role    core.Role
	Speaker string
	Session string
	Text    string
	Trust   core.Trust
	Expires time.Time

	Citable bool // facts may rest on it
	Own     bool // the first person in it is the user
	Rules   bool // it may make rules

	grammar *lang.Sentence
	items   []core.ID // what was taken from it in this batch
}

// Tag is the line's name in a prompt and in citations: "s3".
func (l *Line) Tag() string { return fmt.Sprintf("s%d", l.N) }

// Day is the calendar day on which the line was said, in its zone.
func (l *Line) Day() string { return clock.Day(l.Said, l.Zone) }

// Analyse reads the line's clauses, for one that no worker made.
func (l *Line) Analyse(set *lang.Set) { l.grammar = set.Analyse(l.Text) }

// Grammar returns the line's clauses.
func (l *Line) Grammar() *lang.Sentence { return l.grammar }

// Who is the speaker as a prompt shows it.
func (l *Line) Who() string {
	if l.Speaker != "" {
		return oneLine(l.Speaker)
	}
	if l.Kind == core.KindNote || l.Kind == core.KindDocument {
		return string(l.Kind)
	}
	return string(l.Role)
}

// oneLine joins a text's lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

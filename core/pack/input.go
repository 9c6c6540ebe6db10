package pack

import (
	"time"

	"github.com/orma-memory/orma/core"
)

// Input is what recall found for one query. Pack does not change it.
type Input struct {
	Rules    []*core.State // all open rules of the space, in any order
	States   []State
	Events   []Event
	Passages []Passage

	Today  time.Time
	Zone   *time.Location // of today's date; nil means UTC
	Budget int            // tokens; 0 means the configured budget
	Format Format         // empty means the configured format

	// Steady chooses the stable part without regard to scores: the rules, and the
	// states of the user that were said last. It then changes only when those do, and
	// what else was found goes into the turn part. With neither rules nor states there
	// is no stable part.
	Steady bool
}

// State is a current state with its score. Higher scores are packed first.
type State struct {
	*core.State
	Score float32
}

// Event is an event with its score.
type Event struct {
	core.Event
	Score float32
}

// Passage is a piece of an episode with its score.
type Passage struct {
	Source  core.Source // its place; Source.Passage is its id
	Score   float32
	At      time.Time      // when it was said; passages stand in this order
	Zone    *time.Location // zone of the date that is shown; nil means Input.Zone
	Role    core.Role
	Kind    core.Kind
	Speaker string
	Text    string
	// Outdated lists the sentences that do not hold any more. Spans that are empty
	// or out of range are ignored.
	Outdated []Span
	// Quoted marks text of a tool, an assistant or a document that reads like an
	// order. It is shown in quotation marks, as something that was said.
	Quoted bool
}

// Span is a sentence of a passage: bytes Start to End of its text.
type Span struct {
	Start, End int
	Now        string // the value that replaced it; empty when it ended or was forgotten
}

// Kind says what an item of the block is.
type Kind string

// The kinds of items.
const (
	KindRule    Kind = "rule"
	KindState   Kind = "state"
	KindEvent   Kind = "event"
	KindPassage Kind = "passage"
)

// Item is one thing in the block.
type Item struct {
	ID      core.ID       `json:"id"`
	Kind    Kind          `json:"kind"`
	Score   float32       `json:"score"`
	Tokens  int           `json:"tokens"` // of its own lines
	Cut     bool          `json:"cut,omitempty"`
	Sources []core.Source `json:"sources"`
}

// Reason says why a candidate is not in the block.
type Reason string

// The reasons.
const (
	ReasonBudget Reason = "budget"       // no room
	ReasonRules  Reason = "rules_only"   // the rules took all the room there is
	ReasonMax    Reason = "max_count"    // max_passages or max_events were taken
	ReasonEmpty  Reason = "nothing_left" // nothing that can be shown
)

// LeftOut is a candidate that is not in the block.
type LeftOut struct {
	ID     core.ID `json:"id"`
	Kind   Kind    `json:"kind"`
	Score  float32 `json:"score"`
	Reason Reason  `json:"reason"`
}

// Packed is a block. Block is Stable followed by Turn; Rules is the beginning of
// Stable up to and with the last rule, for front ends that place rules apart. All
// are empty when there is nothing to say.
type Packed struct {
	Block, Stable, Turn, Rules string

	Tokens     int  // exact count of Block by the tokenizer
	OverBudget bool // the rules alone are more than the budget
	Items      []Item
	LeftOut    []LeftOut
}

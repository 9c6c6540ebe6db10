package sleep

import (
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Proposal is what an extractor returns: a state or an event with the lines it
// rests on. Nothing in it is believed before the stages after extract checked it.
type Proposal struct {
	Event      bool
	Subject    string // "user", a name, or a pronoun of the line
	Attribute  string // of a state
	Value      string // of a state; of an event what happened
	Condition  string // what limits a state; empty means always
	Prohibited bool   // the state is a rule
	Ended      bool   // the line ends the state instead of making it
	Lift       bool   // the line takes rules back that speak of Value
	Past       bool   // the state was true once and is no more
	Words      string // the line's words that end a state whose value it need not name
	When       string // an event's time, as the line has it
	Cites      []string
	Malformed  string // why the answer could not be read as an item; the rest is then empty
}

// Item is a proposal on its way through the stages.
type Item struct {
	Proposal
	Number int // position in the extractor's answer, from 1

	Lines   []*Line    // what it cites, once checked
	Match   lang.Match // where its first line has the value
	Clause  int        // the clause of that place, or -1
	Stated  bool       // the line gives the day
	From    string     // the first day it is true or happened, YYYY-MM-DD; empty: not known
	To      string     // an event's last day
	Attr    Attribute
	Denied  bool     // the line denies it, which ends what was said before
	Mention *Mention // whom or what it is about, when that is not the user

	Reason  Reason // why it was rejected; empty while it stands
	Detail  string // more about the reason
	Outcome string // what the gate made of it: new, confirmed, superseded, history, ended, lifted
}

// Reason is why an item was rejected.
type Reason string

// The reasons.
const (
	ReasonMalformed    Reason = "malformed"    // lacks a part, or a part is not text
	ReasonUncited      Reason = "uncited"      // cites no line that may make facts
	ReasonUngrounded   Reason = "ungrounded"   // its words are not in the line it cites
	ReasonInverted     Reason = "inverted"     // the line has the relation the other way round
	ReasonDenied       Reason = "denied"       // the line says the opposite
	ReasonNoStatement  Reason = "no statement" // a question, a wish, a supposition, somebody's words
	ReasonHolder       Reason = "holder"       // the line is about somebody else
	ReasonUnresolved   Reason = "unresolved"   // it is not known whom a pronoun or name means
	ReasonNoRule       Reason = "no rule"      // the line cannot make rules
	ReasonFuture       Reason = "future"       // not true yet
	ReasonForgotten    Reason = "forgotten"    // the user took it back
	ReasonNothingToEnd Reason = "nothing to end"
)

// Reject notes why an item does not stand. The first reason counts.
func (it *Item) Reject(r Reason, detail string) {
	if it.Reason == "" {
		it.Reason, it.Detail = r, detail
	}
}

// Live reports whether the item was not rejected.
func (it *Item) Live() bool { return it.Reason == "" }

// Line returns the line the item rests on first.
func (it *Item) Line() *Line { return it.Lines[0] }

// AboutUser reports whether the subject is the speaker.
func (it *Item) AboutUser() bool { return it.Subject == core.SubjectUser }

// Place is where a line has something.
type Place = lang.Match

// Mention is a person or thing that lines speak of.
type Mention struct {
	Name    string // "sister Noemi"
	Proper  string // "Noemi"
	Kin     string // "sister", when it is the user's
	Gender  byte
	Plural  bool
	Aliases []string
}

// userNames are names that extractors give the speaker.
var userNames = map[string]bool{
	"user": true, "the user": true, "i": true, "me": true, "myself": true, "speaker": true, "the speaker": true, "user's": true,
	"we": true, "us": true, "human": true, "the human": true,
}

// IsUser reports whether a subject's name means the speaker.
func IsUser(name string) bool {
	return userNames[strings.ToLower(strings.TrimSpace(name))]
}

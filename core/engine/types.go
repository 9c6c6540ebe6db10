package engine

import (
	"time"

	"github.com/orma-memory/orma/core"
)

// Input is one text to remember.
type Input struct {
	Text    string     `json:"text"`
	Kind    core.Kind  `json:"kind,omitempty"`    // default turn
	Role    core.Role  `json:"role,omitempty"`    // default user; tool for kind tool
	Speaker string     `json:"speaker,omitempty"` // a name; empty: the role
	Session string     `json:"session,omitempty"`
	Source  string     `json:"source,omitempty"` // default "api"
	Key     string     `json:"id,omitempty"`     // the caller's own id
	At      time.Time  `json:"at,omitzero"`      // default now
	Zone    string     `json:"tz,omitempty"`     // IANA zone it was said in
	TTL     string     `json:"ttl,omitempty"`    // 30m, 12h, 7d, session, forever
	Expires time.Time  `json:"expires,omitzero"` // instead of TTL
	Trust   core.Trust `json:"-"`                // default: by role and kind
	Marks   core.Mark  `json:"-"`                // of a text that was accepted elsewhere: repaired, masked

	Quarantined bool `json:"-"` // it is kept, but not recalled
}

// Added is what became of one input.
type Added struct {
	ID       core.ID   `json:"id"`
	Key      string    `json:"key,omitempty"`
	Passages []core.ID `json:"passages"`
	RepeatOf core.ID   `json:"repeat_of,omitempty"` // kept, and counted as said again
	RuleID   core.ID   `json:"rule_id,omitempty"`
	Masked   int       `json:"masked,omitempty"`   // secrets replaced before storing
	Repaired bool      `json:"repaired,omitempty"` // bytes that were not text replaced
	Error    string    `json:"error,omitempty"`    // why it was refused; nothing else is set then
	Code     core.Code `json:"code,omitempty"`
}

// Request is a question to a space.
type Request struct {
	Space   string    `json:"space,omitempty"`
	Query   string    `json:"query"`
	Now     time.Time `json:"now,omitzero"`      // default: the clock
	Budget  int       `json:"budget,omitempty"`  // tokens of the block; default by config
	Limit   int       `json:"limit,omitempty"`   // items of a search; default 10
	Session string    `json:"session,omitempty"` // the conversation being held
	Format  string    `json:"format,omitempty"`  // classic, sutra, json, grouped; default by config
	Explain bool      `json:"explain,omitempty"` // with a trace

	// Said holds the texts the reader sees anyway, such as the conversation itself;
	// what only repeats them is left out.
	Said []string `json:"said,omitempty"`
	// Steady chooses the stable part without looking at the query, so that it changes
	// only when rules and facts do; what the query finds beside it is in the turn part.
	Steady bool `json:"steady,omitempty"`
	// Off and Set change the pipeline for this request, within what the operator allows.
	Off []string          `json:"off,omitempty"`
	Set map[string]string `json:"set,omitempty"`
}

// Recalled is the answer to a recall.
type Recalled struct {
	Block      string `json:"block"` // Stable, then Turn
	Rules      string `json:"rules"` // how Stable begins: up to its last rule
	Stable     string `json:"stable"`
	Turn       string `json:"turn"`
	Tokens     int    `json:"tokens"`
	OverBudget bool   `json:"over_budget"`
	LeftOut    int    `json:"left_out"` // found, but not in the block
	Items      []Item `json:"items"`
	Notes      []Note `json:"notes,omitempty"`
	Trace      *Trace `json:"trace,omitempty"`
}

// Found is the answer to a search: what was found, best first.
type Found struct {
	States      []Item `json:"states"`
	Passages    []Item `json:"passages"`
	Events      []Item `json:"events"`
	Approximate bool   `json:"approximate,omitempty"` // the vector scan used a sketch
	Notes       []Note `json:"notes,omitempty"`
	Trace       *Trace `json:"trace,omitempty"`
}

// Item kinds in answers.
const (
	ItemPassage = "passage"
	ItemState   = "state"
	ItemEvent   = "event"
	ItemRule    = "rule"
)

// Item is one thing in an answer.
type Item struct {
	ID      core.ID   `json:"id"`
	Kind    string    `json:"kind"` // passage, state, event, rule
	Text    string    `json:"text"` // as it reads: "user · home city: Bangalore"
	Score   float32   `json:"score"`
	At      time.Time `json:"at,omitzero"` // when it was said
	Role    core.Role `json:"role,omitempty"`
	Speaker string    `json:"speaker,omitempty"`
	Session string    `json:"session,omitempty"`
	Episode core.ID   `json:"episode,omitempty"`
	Key     string    `json:"key,omitempty"` // the caller's id of the episode
	Source  string    `json:"source,omitempty"`
	Sources []Cite    `json:"sources,omitempty"`

	Outdated []Outdated `json:"outdated,omitempty"` // sentences of it that no longer hold
	State    *Fact      `json:"state,omitempty"`
	Event    *Event     `json:"event,omitempty"`
}

// Outdated is a sentence of a passage that no longer holds.
type Outdated struct {
	Text string  `json:"text"`
	Now  string  `json:"now,omitempty"` // what replaced it, if anything did
	By   core.ID `json:"by,omitempty"`
}

// Cite is a sentence that a fact rests on.
type Cite struct {
	Passage core.ID   `json:"passage"`
	Mark    string    `json:"mark"` // "s14"
	Episode core.ID   `json:"episode"`
	Text    string    `json:"text"`
	At      time.Time `json:"at,omitzero"`
}

// Fact is a state as front ends show it.
type Fact struct {
	ID           core.ID   `json:"id"`
	Subject      string    `json:"subject"`
	Attribute    string    `json:"attribute"`
	Value        string    `json:"value"`
	Condition    string    `json:"condition"`
	Forbidden    bool      `json:"forbidden"`
	Active       bool      `json:"active"`
	ValidFrom    string    `json:"valid_from,omitempty"` // YYYY-MM-DD
	ValidTo      string    `json:"valid_to,omitempty"`
	RecordedAt   time.Time `json:"recorded_at,omitzero"`
	ClosedAt     time.Time `json:"closed_at,omitzero"`
	SupersededBy core.ID   `json:"superseded_by,omitempty"`
	Forgotten    bool      `json:"forgotten,omitempty"`
	Trust        string    `json:"trust,omitempty"`
	Backend      string    `json:"backend,omitempty"`
	Text         string    `json:"text"` // "user · home city: Bangalore"
	Sources      []Cite    `json:"sources"`
}

// Event is something that happened, as front ends show it.
type Event struct {
	ID      core.ID `json:"id"`
	Subject string  `json:"subject"`
	Event   string  `json:"event"`
	Start   string  `json:"start,omitempty"` // YYYY-MM-DD
	End     string  `json:"end,omitempty"`
	Sources []Cite  `json:"sources"`
}

// Note says that a part was left out of an answer, and why.
type Note struct {
	Stage string `json:"stage"`
	Text  string `json:"text"`
}

// Trace is what each stage did.
type Trace struct {
	Steps      []TraceStep `json:"steps"`
	Candidates []Candidate `json:"candidates"`
	Spread     []Spreading `json:"spread"` // of each stage that spreads activation
}

// Spreading is how one stage spread activation over the graph, the strongest steps of it.
type Spreading struct {
	Stage string      `json:"stage"`
	Hops  []SpreadHop `json:"hops"` // by hop, then the strongest first
}

// SpreadHop is one step of activation.
type SpreadHop struct {
	Hop   int     `json:"hop"`            // 0: it starts there
	From  string  `json:"from,omitempty"` // the node from where it was first reached
	To    string  `json:"to"`
	Value float32 `json:"value"` // what the node had in the end
}

// TraceStep is one stage's part.
type TraceStep struct {
	Stage  string  `json:"stage"`
	Micros float64 `json:"us"`
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Error  string  `json:"error,omitempty"`
}

// Candidate is one row's way through the stages.
type Candidate struct {
	ID      core.ID            `json:"id"`
	Node    string             `json:"node"` // its id in the graph: "p14"
	Kind    string             `json:"kind"`
	Rank    int                `json:"rank"`   // from 1; 0 when it was dropped
	Scores  []float32          `json:"scores"` // after each step
	Parts   []float32          `json:"parts"`  // what each step changed
	Columns map[string]float32 `json:"columns"`
}

// StageInfo is a stage of the recall pipeline.
type StageInfo struct {
	Name      string `json:"name"`
	Folder    string `json:"folder"` // retrieve, filter, rank, pack or plugin
	Summary   string `json:"summary"`
	On        bool   `json:"on"`
	Removable bool   `json:"removable"` // a request may switch it off
}

// FactsRequest selects facts.
type FactsRequest struct {
	Space   string    `json:"space,omitempty"`
	Subject string    `json:"subject,omitempty"`
	History bool      `json:"history,omitempty"` // closed ones too
	AsOf    time.Time `json:"as_of,omitzero"`    // those true at that moment
	Now     time.Time `json:"now,omitzero"`
}

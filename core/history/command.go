package history

import (
	"encoding/json"

	"github.com/orma-memory/orma/core"
)

// The types of rows that are no episodes. Only exports have them.
const (
	typeState   = "state"   // a fact that a command made, such as a correction
	typeClose   = "close"   // the end of one
	typeJournal = "journal" // what was commanded
)

// stateRow is a fact that a command made. What sleep made is left out: it is made
// again of the episodes.
type stateRow struct {
	Type      string      `json:"type"`
	Space     string      `json:"space,omitempty"`
	N         core.ID     `json:"n"`
	Subject   string      `json:"subject"`
	Attribute string      `json:"attribute"`
	Value     string      `json:"value"`
	Condition string      `json:"condition,omitempty"`
	Forbidden bool        `json:"forbidden,omitempty"`
	ValidFrom string      `json:"valid_from,omitempty"`
	Stated    bool        `json:"stated,omitempty"`
	Said      moment      `json:"said"`
	Recorded  moment      `json:"recorded"`
	Trust     string      `json:"trust"`
	Expires   moment      `json:"expires,omitempty"`
	Backend   string      `json:"backend"`
	Sources   []sourceRow `json:"sources"`
}

// sourceRow is the line of an episode that a fact rests on.
type sourceRow struct {
	Episode core.ID `json:"episode"` // its n
	Start   int     `json:"start"`
	End     int     `json:"end"`
	At      moment  `json:"at"`
}

// closeRow ends a fact.
type closeRow struct {
	Type         string  `json:"type"`
	Space        string  `json:"space,omitempty"`
	State        core.ID `json:"state"` // its n
	At           moment  `json:"at"`
	ValidTo      string  `json:"valid_to,omitempty"`
	SupersededBy core.ID `json:"superseded_by,omitempty"`
	Retracted    bool    `json:"retracted,omitempty"`
}

// journalRow is what was commanded.
type journalRow struct {
	Type  string          `json:"type"`
	Space string          `json:"space,omitempty"`
	At    moment          `json:"at"`
	Op    core.Op         `json:"op"`
	Data  json.RawMessage `json:"data"`
}

// byCommand reports whether a state is not sleep's.
func byCommand(st *core.State) bool { return st.Backend == "command" || st.Backend == "import" }

// kept are the entries of a journal that mean something in another store.
func kept(op core.Op) bool {
	switch op {
	case core.OpForget, core.OpLift, core.OpCorrect, core.OpQuarantine, core.OpRelease:
		return true
	}
	return false
}

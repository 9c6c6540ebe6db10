package core

import "time"

// ID identifies an episode, passage, state, event or entity. All kinds share one
// sequence in a store, so that a number a person types names one thing only.
// Zero is no item. IDs grow in the order things were recorded.
type ID int64

// DefaultSpace is the space of a command that names none.
const DefaultSpace = "default"

// Kind says what sort of record an episode is.
type Kind string

// The kinds of episodes.
const (
	KindTurn        Kind = "turn"         // one message of a conversation
	KindNote        Kind = "note"         // a text the user wrote down
	KindDocument    Kind = "document"     // a longer text from elsewhere
	KindTool        Kind = "tool"         // output of a program
	KindAntiPattern Kind = "anti_pattern" // a rule: a rule at once, without sleep
	KindIdentity    Kind = "identity"     // who an agent of this space is
)

// Kinds lists every kind, in the order documentation shows them.
func Kinds() []Kind {
	return []Kind{KindTurn, KindNote, KindDocument, KindTool, KindAntiPattern, KindIdentity}
}

// Role says who produced an episode.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// Roles lists every role.
func Roles() []Role { return []Role{RoleUser, RoleAssistant, RoleTool, RoleSystem} }

// Trust orders sources by how far they may make something true. Higher is more.
type Trust int8

// The trust levels, lowest first.
const (
	TrustTool Trust = iota + 1
	TrustAssistant
	TrustImport
	TrustDocument
	TrustNote
	TrustUser
)

var trustNames = [...]string{"", "tool", "assistant", "import", "document", "note", "user"}

// String returns the level's name, or "" for an unknown level.
func (t Trust) String() string {
	if t < 0 || int(t) >= len(trustNames) {
		return ""
	}
	return trustNames[t]
}

// ParseTrust is the inverse of [Trust.String].
func ParseTrust(s string) (Trust, bool) {
	for i, n := range trustNames {
		if n == s && i > 0 {
			return Trust(i), true
		}
	}
	return 0, false
}

// TrustOf returns the trust that a role and kind imply.
func TrustOf(r Role, k Kind) Trust {
	switch {
	case r == RoleTool || k == KindTool:
		return TrustTool
	case r == RoleAssistant || r == RoleSystem:
		return TrustAssistant
	case k == KindDocument:
		return TrustDocument
	case k == KindNote || k == KindIdentity:
		return TrustNote
	default:
		return TrustUser
	}
}

// Mark is a set of facts about how an episode's text was accepted.
type Mark uint8

// The marks.
const (
	MarkRepaired    Mark = 1 << iota // bytes that were not text were replaced
	MarkMasked                       // secrets were masked
	MarkInstruction                  // reads like an order to a model and is trusted less than a document
)

// Episode is one immutable record. Its text is kept exactly as accepted, after
// the documented masking and repair.
type Episode struct {
	ID       ID
	Space    string
	Key      string // the caller's own id, such as an import row's; may be empty
	Kind     Kind
	Role     Role
	Speaker  string // a name to show and match; empty means the role
	Session  string // which conversation; empty means none
	Source   string // where it came from: "chat", "file:handbook.md", "mem0"
	Trust    Trust
	Marks    Mark
	At       time.Time // when it was said
	Zone     string    // IANA zone it was said in; empty means the configured one
	Recorded time.Time // when it was stored
	Expires  time.Time // zero: never. After it the episode is not recalled
	Text     string
	RepeatOf ID // the earlier episode of which this is an exact repeat, or zero

	Quarantined bool // taken out by quarantine; kept, but not recalled
}

// Passage is a run of whole sentences of an episode: bytes Start to End of its text.
type Passage struct {
	ID         ID
	Episode    ID
	Seq        int // position in the episode, from 0
	Start, End int
}

// Source is a sentence that something was taken from: bytes Start to End of an
// episode's text, inside one passage.
type Source struct {
	Episode    ID
	Passage    ID
	Start, End int
	At         time.Time // when it was said
}

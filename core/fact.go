package core

import "time"

// SubjectUser is the subject of facts about the person the space belongs to.
const SubjectUser = "user"

// ForbiddenPrefix begins the attribute of a rule.
const ForbiddenPrefix = "forbidden_"

// State is one attribute of one subject, true from ValidFrom until ValidTo.
//
// It has two clocks: when it was true (Valid…, calendar days in the speaker's
// zone) and when we learnt it (Recorded, Closed).
type State struct {
	ID        ID
	Space     string
	Subject   string // [SubjectUser] or an entity's name
	SubjectID ID     // the entity, or zero
	Attribute string // words joined by "_"
	Value     string
	Condition string // what limits it ("sore throat"); empty means always
	Forbidden bool   // a rule

	ValidFrom    string    // YYYY-MM-DD, or empty when unknown
	ValidTo      string    // YYYY-MM-DD; meaningful once closed
	Stated       bool      // ValidFrom was given by the line's own words
	Said         time.Time // when the line it rests on was said; newest source
	Recorded     time.Time
	Closed       time.Time // zero while true
	SupersededBy ID        // the state that replaced it, or zero
	Retracted    bool      // closed by forget or correct: it does not come back

	Trust   Trust
	Expires time.Time // when the last of its sources expires; zero: never
	Sources []Source  // at least one; a rule written by command cites its own episode
	Backend string    // what extracted it: "rules", "llm:NAME", "command", "import"
}

// Active reports whether the state is true now: neither closed nor past its time.
func (s *State) Active(now time.Time) bool {
	return s.Closed.IsZero() && (s.Expires.IsZero() || now.Before(s.Expires))
}

// TrueOn reads the valid clock: a state holds from its first day, or from when it was
// said if that is unknown, to the day before its last. day is YYYY-MM-DD in zone.
func (s *State) TrueOn(day string, zone *time.Location) bool {
	if !s.BeganBy(day, zone) {
		return false
	}
	if s.Closed.IsZero() {
		return true
	}
	to := s.ValidTo
	if to == "" {
		to = s.Closed.In(zone).Format(time.DateOnly)
	}
	return day < to
}

// BeganBy reports whether the state had begun on a day.
func (s *State) BeganBy(day string, zone *time.Location) bool {
	if s.ValidFrom != "" {
		return s.ValidFrom <= day
	}
	return s.Said.In(zone).Format(time.DateOnly) <= day
}

// Event is something that happened.
type Event struct {
	ID       ID
	Space    string
	Subject  string
	Text     string // what happened, in a few words
	Start    string // YYYY-MM-DD, or empty when the line gives no date
	End      string // last day, for a stretch of time; otherwise equal to Start
	Stated   bool   // the date was given by the line's own words
	Said     time.Time
	Recorded time.Time
	Trust    Trust
	Expires  time.Time
	Entities []ID
	Sources  []Source
	Backend  string
}

// Entity is a person, place or thing that items are about.
type Entity struct {
	ID      ID
	Space   string
	Name    string
	Aliases []string
}

// Link joins two entities, or an entity and an item, for spreading activation.
type Link struct {
	From, To ID
	Weight   float32 // above 0
	At       time.Time
}

// UseKind says how an item was used.
type UseKind string

// The kinds of uses.
const (
	UseStated   UseKind = "stated"   // said again, word for word
	UseCited    UseKind = "cited"    // a fact was taken from it
	UseRecalled UseKind = "recalled" // delivered in an answer
)

// Use is one moment at which an item was used. Temporal stages read them.
type Use struct {
	Item ID
	Kind UseKind
	At   time.Time
}

package core

import (
	"context"
	"iter"
	"time"
)

// Store keeps everything. Its methods are safe for concurrent use by several
// goroutines and several processes; each write happens whole or not at all, and
// another process sees it at its next read.
//
// A method that names a space never touches another one. An item of another
// space and a missing item give the same error, one that matches [ErrNotFound].
type Store interface {
	Episodes
	Facts
	Feeder
	Vectors
	Journal
	SleepQueue
	Keeper
	Close() error
}

// Episodes is the append-only log.
type Episodes interface {
	// Append stores drafts in order, in one transaction, and returns one result a
	// draft. A draft whose text (normalised), space, role and speaker repeat an
	// earlier episode's is kept with RepeatOf set and without passages, and each
	// passage of the earlier one gets a use of kind stated. The repeat waits for sleep
	// like any other and may be cited, with a passage of the earlier one.
	Append(ctx context.Context, space string, drafts []Draft) ([]Appended, error)
	// Episode returns one episode with its text.
	Episode(ctx context.Context, space string, id ID) (Episode, error)
	// EpisodesByID returns the episodes that exist, in the order of ids.
	EpisodesByID(ctx context.Context, space string, ids []ID) ([]Episode, error)
	// EpisodesByKey returns the episodes with the caller's key in a source, newest
	// first: a text that was edited where it came from has several.
	EpisodesByKey(ctx context.Context, space, source, key string) ([]Episode, error)
	// EpisodeByKey returns the newest episode with the caller's key in a source.
	EpisodeByKey(ctx context.Context, space, source, key string) (Episode, error)
	// Scan yields a space's episodes with an ID above after, in ID order.
	Scan(ctx context.Context, space string, after ID) iter.Seq2[Episode, error]
	// Recent returns the last n episodes of a space, newest first.
	Recent(ctx context.Context, space string, before ID, n int) ([]Episode, error)
	// PassagesOf returns the passages of the given episodes, in order.
	PassagesOf(ctx context.Context, space string, episodes []ID) ([]Passage, error)
	// Passages returns the passages that exist, in the order of ids.
	Passages(ctx context.Context, space string, ids []ID) ([]Passage, error)
	// SearchText is the durable full-text index: the ids of the k best passages for
	// the OR of terms (as the one tokeniser gives them), best first. It serves
	// phrase checks, doctor, and spaces too large for memory.
	SearchText(ctx context.Context, space string, terms []string, k int) ([]Hit, error)
}

// Draft is an episode about to be stored, with what is derived from it.
// ID, Recorded and RepeatOf of the episode are the store's to fill.
type Draft struct {
	Episode  Episode
	NormHash [16]byte // of the normalised text; equal hashes are equal texts
	Passages []DraftPassage
	Rule     *State // a rule that stands at once; its Source is filled in by the store
}

// DraftPassage is a passage about to be stored.
type DraftPassage struct {
	Start, End int
	Terms      string // what full-text search indexes: terms joined by single spaces
	Embedder   string // of Vector
	Vector     []byte // encoded by package vector; nil when it comes later
}

// Appended is what became of one draft.
type Appended struct {
	ID       ID
	Passages []ID
	RepeatOf ID // set for an exact repeat
	RuleID   ID // set when the draft had a rule
}

// Hit is a search result. Higher scores are better; scores of different channels
// do not compare.
type Hit struct {
	ID    ID
	Score float32
}

// StateFilter selects states. The zero filter selects all of a space.
type StateFilter struct {
	IDs       []ID
	Subject   string // exact, case-folded
	Attribute string
	Forbidden *bool
	Open      bool      // only those not closed
	AsOf      time.Time // only those true at that moment, by the valid clock
	Source    ID        // only those resting on this episode

	// Hidden also gives those that rest on quarantined lines alone, each with all its
	// lines, and closings as they were recorded, whether or not what closed is hidden.
	Hidden bool
}

// Facts holds what sleep and commands made of episodes.
type Facts interface {
	// States returns matching states with their sources, oldest first by
	// ValidFrom, then Said, then ID.
	States(ctx context.Context, space string, f StateFilter) ([]State, error)
	// Events returns events with their sources, by Start, then ID. A nil ids means all.
	Events(ctx context.Context, space string, ids []ID) ([]Event, error)
	// Entities returns all entities of a space with their aliases, by ID.
	Entities(ctx context.Context, space string) ([]Entity, error)
	// Links returns all links of a space, by From, then To.
	Links(ctx context.Context, space string) ([]Link, error)
	// ReserveIDs returns the first of n consecutive IDs that no item will get.
	ReserveIDs(ctx context.Context, n int) (ID, error)
	// Apply carries out a plan in one transaction. It refuses a plan that cites a
	// passage, or closes a state, that is not there any more.
	Apply(ctx context.Context, p *Plan) error
	// AddUses appends uses to the journal.
	AddUses(ctx context.Context, space string, uses []Use) error
}

// Plan is a set of changes to a space's facts. New items carry IDs from ReserveIDs.
type Plan struct {
	Space    string
	At       time.Time // recorded_at of what it writes
	Entities []Entity
	Aliases  []Alias
	States   []State
	Close    []Closing
	Sources  []StateSource // further sources for states that exist
	Redate   []Redating    // states that turned out to begin earlier
	Events   []Event
	Links    []Link
	Uses     []Use
	Entries  []Entry // journal entries written with it

	Done   []ID          // episodes that sleep is finished with
	Failed []FailedSleep // episodes whose batch failed
	Report []byte        // JSON report of the sleep that made it; kept; may be nil

	// Restore takes over what another store had: its lines and states may be
	// quarantined, and what rests on such lines alone is hidden with them.
	Restore bool
}

// Alias is one more name of an entity.
type Alias struct {
	Entity ID
	Name   string
}

// Closing ends a state.
type Closing struct {
	State        ID
	ValidTo      string // YYYY-MM-DD
	SupersededBy ID     // zero when nothing replaced it
	Retracted    bool
	Source       *Source // the line that ended it, if one did
}

// StateSource adds a source to an existing state.
type StateSource struct {
	State  ID
	Source Source
}

// Redating moves the beginning of a state that exists.
type Redating struct {
	State     ID
	ValidFrom string // YYYY-MM-DD
	Stated    bool   // given by a line's own words
}

// FailedSleep counts a failed attempt against an episode.
type FailedSleep struct {
	Episode ID
	Error   string
	Retire  bool // do not try again before a rebuild
}

// Version is a moment in a space's history. Gen grows with each write; Epoch
// changes when something was taken out, so that what was read before must be
// dropped.
type Version struct{ Epoch, Gen int64 }

// Feeder tells indexes in memory what is new.
type Feeder interface {
	// Version returns the newest version of a space; the zero Version for one that
	// does not exist. It costs microseconds.
	Version(ctx context.Context, space string) (Version, error)
	// Changes gives the sink all that is recallable and newer than after, each kind
	// in ID order, entities before what is about them, and returns the version it has then. If after.Epoch is not the
	// space's, it calls Reset and starts from nothing. embedder selects which
	// vectors passages come with.
	Changes(ctx context.Context, space, embedder string, after Version, sink Sink) (Version, error)
	// Snapshot returns a saved index, and false if there is none or it is of
	// another epoch.
	Snapshot(ctx context.Context, space, name string) (data []byte, v Version, ok bool, err error)
	// SaveSnapshot keeps an index; erase removes it with the rest.
	SaveSnapshot(ctx context.Context, space, name string, v Version, data []byte) error
}

// Sink receives the changes of a space. An error stops the feed.
type Sink interface {
	Reset()
	Passage(*FeedPassage) error
	State(*State) error // new, changed or closed
	Event(*Event) error
	Entity(*Entity) error
	Link(Link) error
	Use(Use) error
}

// FeedPassage is a passage with what indexes need of its episode. It is valid
// only during the call.
type FeedPassage struct {
	Passage
	Kind     Kind
	Role     Role
	Speaker  string
	Session  string
	Source   string
	Trust    Trust
	At       time.Time
	Expires  time.Time
	Text     string // of the passage
	Vector   []byte // nil when there is none of that embedder yet
	NewOnly  bool   // the passage was known; only its vector, Repeats or Expires is new
	Repeats  int    // how often it was said again
	Episodes int    // passages in its episode
}

// Vectors holds embeddings.
type Vectors interface {
	// PutVectors stores vectors of one embedder for passages that still exist.
	PutVectors(ctx context.Context, space, embedder string, ids []ID, vecs [][]byte) error
	// MissingVectors yields up to n passages, by ID, that have none of the embedder,
	// in any space when space is empty.
	MissingVectors(ctx context.Context, space, embedder string, after ID, n int) ([]PassageText, error)
	// Embedders returns the embedders that have vectors, with their counts.
	Embedders(ctx context.Context) (map[string]int, error)
	// DropVectors removes the vectors of one embedder.
	DropVectors(ctx context.Context, embedder string) error
}

// PassageText is a passage's text with its space and speaker.
type PassageText struct {
	ID      ID
	Space   string
	Speaker string
	Text    string
}

// Op names what a user commanded.
type Op string

// The journal's operations.
const (
	OpForbid     Op = "forbid"
	OpForget     Op = "forget"
	OpCorrect    Op = "correct"
	OpLift       Op = "lift"
	OpErase      Op = "erase"
	OpEraseSpace Op = "erase_space"
	OpQuarantine Op = "quarantine"
	OpRelease    Op = "release"
	OpRebuild    Op = "rebuild"
)

// Entry is one line of the journal: what was commanded, kept so that a rebuild
// honours it. Data never holds text that was erased.
type Entry struct {
	Seq  int64
	At   time.Time
	Op   Op
	Data []byte // JSON; its shape depends on Op
}

// Journal is the append-only record of commands.
type Journal interface {
	// Record appends an entry.
	Record(ctx context.Context, space string, e Entry) error
	// Entries returns a space's journal, oldest first; ops limits the kinds.
	Entries(ctx context.Context, space string, ops ...Op) ([]Entry, error)
}

// SleepQueue is what sleep has not read yet.
type SleepQueue interface {
	// Pending returns up to n episodes that sleep has not finished with, in the
	// order they were said, then by ID. Expired and retired ones are left out.
	Pending(ctx context.Context, space string, now time.Time, n int) ([]PendingEpisode, error)
	// Due lists spaces with pending episodes: how many, and when the last came.
	Due(ctx context.Context) ([]DueSpace, error)
	// Requeue makes all episodes pending again and drops what was derived from them,
	// in one transaction; what a command or an import made stays. It records itself in
	// the journal.
	Requeue(ctx context.Context, space string, at time.Time) error
	// Lease takes or renews the right to sleep in a space until a time. It returns
	// false when another holder has it.
	Lease(ctx context.Context, space, holder string, now, until time.Time) (bool, error)
	// Release gives a lease back.
	Release(ctx context.Context, space, holder string) error
	// Reports returns the last n sleep reports, newest first.
	Reports(ctx context.Context, space string, n int) ([]SleepReport, error)
}

// PendingEpisode is an episode that waits for sleep.
type PendingEpisode struct {
	Episode
	Attempts  int
	LastError string
	Retired   bool
}

// DueSpace is a space with pending episodes.
type DueSpace struct {
	Space   string
	Pending int
	Last    time.Time // when the newest pending episode was recorded
}

// SleepReport is what one sleep said of itself.
type SleepReport struct {
	At   time.Time
	Data []byte // JSON
}

// Keeper looks after the store as a whole.
type Keeper interface {
	// Spaces lists the spaces with their counts, by name.
	Spaces(ctx context.Context) ([]SpaceStats, error)
	// Erase removes an episode, the episodes that repeat it or that it repeats, and
	// everything derived from them, and leaves no trace of the text in the file. It
	// records itself in the journal, without the text, and returns what went.
	Erase(ctx context.Context, space string, episode ID, at time.Time) (Receipt, error)
	// EraseSource removes likewise what came from a source, or with a source that ends
	// with * from all whose names begin so. An episode that another source said again
	// stays, and so does one that says again what another source said first; of the
	// latter its own row goes. With dry nothing is removed, and the receipt says what
	// would be.
	EraseSource(ctx context.Context, space, source string, at time.Time, dry bool) (Receipt, error)
	// EraseSpace removes a space likewise.
	EraseSpace(ctx context.Context, space string, at time.Time) (Receipt, error)
	// Quarantine hides the episodes of a source said at or after since, and what was
	// derived from them; Release (of quarantine) is the same with hide false. It
	// records itself in the journal.
	Quarantine(ctx context.Context, space, source string, since, at time.Time, hide bool) (Receipt, error)
	// Check looks for damage. With fix it rebuilds every derived table from episodes
	// through the given function, which redoes a draft's derived parts.
	Check(ctx context.Context, fix bool, derive func(Episode) (Draft, error)) (Health, error)
	// Backup writes a consistent copy to a new file.
	Backup(ctx context.Context, path string, progress func(done, total int)) error
	// Info describes the store.
	Info(ctx context.Context) (StoreInfo, error)
	// Meta and SetMeta hold small values by name.
	Meta(ctx context.Context, key string) (string, error)
	SetMeta(ctx context.Context, key, value string) error
}

// SpaceStats counts a space.
type SpaceStats struct {
	Space    string    `json:"space"`
	Episodes int       `json:"episodes"`
	Repeats  int       `json:"repeats"`
	Passages int       `json:"passages"`
	States   int       `json:"states"` // open ones
	Closed   int       `json:"closed_states"`
	Rules    int       `json:"rules"` // open ones
	Events   int       `json:"events"`
	Entities int       `json:"entities"`
	Links    int       `json:"links"`
	Pending  int       `json:"pending"`
	Retired  int       `json:"retired"`
	Uses     int       `json:"uses"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// Receipt says what an erasure or quarantine touched, without its content.
type Receipt struct {
	Space    string    `json:"space"`
	At       time.Time `json:"at"`
	Episodes []ID      `json:"episodes"`
	Passages int       `json:"passages"`
	States   int       `json:"states"`
	Events   int       `json:"events"`
	Vectors  int       `json:"vectors"`
	Uses     int       `json:"uses"`
	Backups  []string  `json:"backups,omitempty"` // known backups that still hold it
	Clean    bool      `json:"clean"`             // the file was vacuumed and its log emptied
}

// Health is what Check found.
type Health struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	Fixed    []string `json:"fixed"`
}

// StoreInfo describes a store.
type StoreInfo struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	WALBytes int64  `json:"wal_bytes"`
	Schema   int    `json:"schema"`
	ReadOnly bool   `json:"read_only"`
}

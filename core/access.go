package core

import (
	"context"
	"time"
)

// Right says how much a token allows. Each right includes those before it.
type Right string

// The rights.
const (
	RightRead  Right = "read"  // search, recall, list
	RightWrite Right = "write" // add, forbid, forget, correct, erase an episode, sleep
	RightAdmin Right = "admin" // quarantine, erase a space; with all spaces: the store as a whole
)

// Rights lists every right, the least first.
func Rights() []Right { return []Right{RightRead, RightWrite, RightAdmin} }

// Token lets a client in. The secret itself is shown once and never stored.
type Token struct {
	ID      string // names it in lists and logs; no secret
	Name    string // what the operator calls it
	Hash    []byte // SHA-256 of the secret
	Right   Right
	Spaces  []string // those it may use; empty means all
	Created time.Time
	Used    time.Time // last use, to the minute; zero: never
	Revoked time.Time // zero while it is valid
}

// AuditEntry says who did what. It holds no text of any memory.
type AuditEntry struct {
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	Token  string    `json:"token,omitempty"` // id; empty when none was needed
	Verb   string    `json:"verb"`            // such as "erase"
	Space  string    `json:"space,omitempty"`
	Item   ID        `json:"item,omitempty"`
	Status int       `json:"status"` // of the answer, as in HTTP
}

// Access is an ability of a store that serves several clients: who may enter, what
// they did, and which requests were answered already.
type Access interface {
	// AddToken stores a token.
	AddToken(ctx context.Context, t Token) error
	// Tokens lists all tokens, oldest first.
	Tokens(ctx context.Context) ([]Token, error)
	// TokenByHash returns the valid token with a hash. A revoked one is not found.
	TokenByHash(ctx context.Context, hash []byte) (Token, error)
	// TouchToken notes that a token was used.
	TouchToken(ctx context.Context, id string, at time.Time) error
	// RevokeToken ends a token. It is not found when there is no valid one.
	RevokeToken(ctx context.Context, id string, at time.Time) error

	// Audit appends an entry; its Seq is the store's to give.
	Audit(ctx context.Context, e AuditEntry) error
	// AuditLog returns the last n entries before a number, newest first; before 0
	// means from the newest on.
	AuditLog(ctx context.Context, before int64, n int) ([]AuditEntry, error)

	// BeginRequest claims a key for the body with the given sum. When the key was
	// claimed before, claimed is false and the answer is the one that FinishRequest
	// stored: nil while there is none. A key that was claimed for another body is a
	// conflict. Keys, and claims without an answer, are forgotten after the given
	// moments.
	BeginRequest(ctx context.Context, r RequestKey) (answer []byte, claimed bool, err error)
	// FinishRequest stores the answer; nil gives the claim up.
	FinishRequest(ctx context.Context, space, key string, answer []byte) error
}

// RequestKey is a client's name for one request, by which a repetition is known.
type RequestKey struct {
	Space, Key string
	Sum        uint32    // of the body: too short to tell what it held
	At         time.Time // now
	Expired    time.Time // answers stored before are forgotten
	Dead       time.Time // claims without an answer made before are forgotten
}

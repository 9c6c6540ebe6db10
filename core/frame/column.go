package frame

import "fmt"

// Kind is the storage type of a column.
type Kind uint8

// The column kinds. A kind fixes both the Go slice a stage sees and the bytes a
// plugin sees, so adding one is an ABI change.
const (
	KindF32  Kind = iota + 1 // []float32
	KindI64                  // []int64
	KindText                 // []string
	KindList                 // Lists: any number of float32 a row; a vector is a list
)

// String returns the kind's name in manifests and errors.
func (k Kind) String() string {
	switch k {
	case KindF32:
		return "f32"
	case KindI64:
		return "i64"
	case KindText:
		return "text"
	case KindList:
		return "list"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// ParseKind is the inverse of [Kind.String].
func ParseKind(s string) (Kind, bool) {
	for _, k := range []Kind{KindF32, KindI64, KindText, KindList} {
		if k.String() == s {
			return k, true
		}
	}
	return 0, false
}

// Column names one typed attribute of every row.
//
// Neutral is the value a numeric column holds before anything writes it. It is
// what keeps an ablated pipeline well defined: switching a stage off leaves its
// columns neutral instead of missing.
type Column struct {
	Name    string
	Kind    Kind
	Neutral float32
	Doc     string
}

// Item kinds, the values of column [Item].
const (
	ItemPassage int64 = iota
	ItemState
	ItemEvent
)

// The columns that the engine fills for every row before the first ranking stage.
// They hold something at the start of every recall pipeline.
var (
	ID      = Column{Name: "id", Kind: KindI64, Doc: "item id; ties are broken by it"}
	Item    = Column{Name: "item", Kind: KindI64, Doc: "0 passage, 1 state, 2 event"}
	Episode = Column{Name: "episode", Kind: KindI64, Doc: "id of the episode the row comes from; rows of one episode share it"}
	Session = Column{Name: "session", Kind: KindI64, Doc: "number of the row's session in its space, -1 for none"}
	Speaker = Column{Name: "speaker", Kind: KindI64, Doc: "number of the row's speaker in its space, -1 for none"}
	Role    = Column{Name: "role", Kind: KindI64, Doc: "0 user, 1 assistant, 2 tool, 3 system"}
	Origin  = Column{Name: "source", Kind: KindI64, Doc: "number of the row's source (chat, file:notes.md) in its space, from 1; 0 for none"}
	Trust   = Column{Name: "trust", Kind: KindI64, Doc: "1 tool, 2 assistant, 3 import, 4 document, 5 note, 6 user"}
	Words   = Column{Name: "words", Kind: KindF32, Doc: "words of the row's text that are not stop words"}
	AgeDays = Column{Name: "age_days", Kind: KindF32, Doc: "days between when it was said and the query's clock; below 0 for the future"}
	UseDays = Column{Name: "use_days", Kind: KindList, Doc: "ages in days of the times it was stated, cited or recalled, newest first; the first statement is one of them"}
	Expired = Column{Name: "expired", Kind: KindF32, Doc: "1 when the row's time to live is over"}
	Score   = Column{Name: "score", Kind: KindF32, Neutral: 1, Doc: "current ranking score, higher is better, never below 0; 1 before a stage fuses the channels, so that stages which multiply it rank by themselves"}
	Text    = Column{Name: "text", Kind: KindText, Doc: "what the item says; filled only where a stage asks for it"}
	Vector  = Column{Name: "vector", Kind: KindList, Doc: "the row's unit vector, empty where it has none; filled only where a stage asks for it"}
)

// Base lists the columns the engine fills.
func Base() []Column {
	return []Column{ID, Item, Episode, Session, Speaker, Role, Origin, Trust, Words, AgeDays, UseDays, Expired, Score, Text, Vector}
}

// The columns that retrieve stages write: one score a channel, 0 where the channel
// has nothing for a row.
var (
	BM25          = Column{Name: "bm25", Kind: KindF32, Doc: "BM25 of the row's own text"}
	Context       = Column{Name: "context", Kind: KindF32, Doc: "BM25 of the two turns before and after the row"}
	Cosine        = Column{Name: "cosine", Kind: KindF32, Doc: "cosine of query and row, -1 to 1"}
	SessionText   = Column{Name: "session_text", Kind: KindF32, Doc: "BM25 of the row's session as one document"}
	SessionCosine = Column{Name: "session_cosine", Kind: KindF32, Doc: "best cosine of a passage of the row's session"}
	Link          = Column{Name: "link", Kind: KindF32, Doc: "nearness to what the query is about over entities and their links, 0 to 1"}
)

package sleep

import (
	"encoding/json"
	"time"

	"github.com/orma-memory/orma/core"
)

// Taken is a state that the user forgot, corrected or lifted. What was said up to
// that moment does not bring it back, also after a rebuild; what is said later
// does. It is known by its content, since a rebuild gives new IDs.
type Taken struct {
	Subject   string    `json:"subject"`
	Attribute string    `json:"attribute"`
	Value     string    `json:"value"`
	Condition string    `json:"condition,omitempty"`
	Forbidden bool      `json:"forbidden,omitempty"`
	Reason    string    `json:"reason,omitempty"` // the user's own words
	At        time.Time `json:"-"`

	meaning meaning
}

// TakenFrom returns the data of a journal entry (forget, correct, lift) for a
// state.
func TakenFrom(st *core.State, reason string) ([]byte, error) {
	return json.Marshal(Taken{
		Subject: st.Subject, Attribute: st.Attribute, Value: st.Value, Condition: st.Condition, Forbidden: st.Forbidden, Reason: reason,
	})
}

// readTaken reads a journal entry; one that cannot be read matches nothing.
func readTaken(e core.Entry) Taken {
	var t Taken
	if json.Unmarshal(e.Data, &t) != nil {
		return Taken{}
	}
	t.At = e.At
	return t
}

// takenBack reports whether the user took back what the fact says after it was
// said.
func (k *Book) takenBack(f *fact) bool {
	for i := range k.taken {
		t := &k.taken[i]
		if t.Value == "" || t.Forbidden != f.Forbidden || f.first.After(t.At) {
			continue
		}
		if !k.meaning(f).same(&t.meaning) || k.subjectKey(t.Subject, 0) != f.subject || k.conditionKey(t.Condition) != f.condition {
			continue
		}
		a := AttributeFor(trimForbidden(t.Attribute), t.Value)
		if f.Forbidden || a.Key == f.attr.Key {
			return true
		}
	}
	return false
}

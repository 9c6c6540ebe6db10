package core

import "encoding/json"

// Retraction is the data of a journal entry by which a user took a state back: forget,
// correct or lift. Sleep does not make a state again that one matches, so that a
// rebuild honours it. It names the state by content, since a rebuild gives other IDs.
type Retraction struct {
	State     ID     `json:"state"` // as it was then
	Subject   string `json:"subject"`
	Attribute string `json:"attribute"`
	Value     string `json:"value"`
	Condition string `json:"condition,omitempty"`
	Forbidden bool   `json:"forbidden,omitempty"`
	Episodes  []ID   `json:"episodes"` // that it rested on: the same words said later count again
	Reason    string `json:"reason,omitempty"`
}

// Retract describes a state that is taken back.
func Retract(st *State, reason string) Retraction {
	r := Retraction{
		State: st.ID, Subject: st.Subject, Attribute: st.Attribute, Value: st.Value,
		Condition: st.Condition, Forbidden: st.Forbidden, Reason: reason,
	}
	for _, s := range st.Sources {
		r.Episodes = append(r.Episodes, s.Episode)
	}
	return r
}

// JSON returns the data of the journal entry.
func (r Retraction) JSON() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return b
}

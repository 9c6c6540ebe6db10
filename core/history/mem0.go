package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"iter"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// mem0Memory is one memory of a mem0 export: of its API, its database or OpenMemory.
type mem0Memory struct {
	ID      name   `json:"id"`
	Memory  string `json:"memory"`
	Content string `json:"content"`
	Text    string `json:"text"`
	Hash    name   `json:"hash"`
	User    name   `json:"user_id"`
	Run     name   `json:"run_id"`
	Event   string `json:"event"` // of the answer to an add: what became of it
	Created moment `json:"created_at"`
	Updated moment `json:"updated_at"`
}

// readMem0 reads memories. Those of one user only: a space must not mix people up.
func readMem0(r io.Reader, f *File) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		user := name(f.User)
		for e := range elements(r, MaxElement, "results", "memories") {
			if e.n == 0 {
				yield(Item{Err: e.err})
				return
			}
			it := Item{Place: f.place("memory %d", e.n), End: e.end, Err: e.err}
			if it.Err == nil {
				it.read(e.data, f, &user)
				markRepaired(&it.Input, damaged(e.data))
			}
			if !yield(it) {
				return
			}
		}
	}
}

func (it *Item) read(data []byte, f *File, user *name) {
	var m mem0Memory
	if json.Unmarshal(data, &m.Memory) != nil { // a bare text is a memory too
		if err := json.Unmarshal(data, &m); err != nil {
			it.Err = notA("memory", err)
			return
		}
	}
	text := cmp.Or(m.Memory, m.Content, m.Text)
	gone := strings.EqualFold(m.Event, "DELETE") || strings.EqualFold(m.Event, "NONE")
	if it.Skipped = gone || m.User != *user && f.User != ""; it.Skipped {
		return
	}
	if strings.TrimSpace(text) == "" {
		it.Err = core.Errorf(core.CodeInvalid, "there is no text: it has none of memory, content and text")
		return
	}
	if *user == "" {
		*user = m.User
	}
	if m.User != *user && m.User != "" {
		it.Err = core.Errorf(core.CodeInvalid, "it is about user %q, and those before about %q", clip(string(m.User)), clip(string(*user))).
			Hinted("import each with --user into a space of its own")
		return
	}
	key := cmp.Or(m.ID, m.Hash)
	if key == "" {
		sum := sha256.Sum256([]byte(text))
		key = name(hex.EncodeToString(sum[:16]))
	}
	it.Input = engine.Input{Text: text, Key: string(key), Session: string(m.Run)}
	for _, at := range []moment{m.Updated, m.Created} {
		t, err := at.time(f.Zone)
		if err != nil {
			it.Note = err.Error()
		} else if !t.IsZero() {
			it.Input.At = t
			return
		}
	}
}

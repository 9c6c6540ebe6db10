package chat

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"strings"
	"unicode/utf8"
)

// Print identifies a turn by all that was said in its conversation up to and with it.
type Print [16]byte

// Prints returns a print for every turn. System messages count for nothing, since
// clients put the time and other passing things into them.
func (r *Request) Prints() []Print {
	h := sha256.New()
	write(h, r.Previous)
	out := make([]Print, len(r.Turns))
	for i := range r.Turns {
		t := &r.Turns[i]
		if t.Role != System && t.Role != Other {
			h.Write([]byte{byte(t.Role)})
			write(h, strings.TrimSpace(t.Text))
			for _, c := range t.Calls {
				write(h, c.Name)
				write(h, c.Args)
			}
		}
		copy(out[i][:], h.Sum(nil))
	}
	return out
}

func write(h hash.Hash, s string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s)) // a hash never fails
}

// New returns where the turns begin that were said since the assistant last spoke. An
// assistant's message at the end is the beginning of its reply and does not count.
func (r *Request) New() int {
	end := len(r.Turns)
	for end > 0 && r.Turns[end-1].Role == Assistant {
		end--
	}
	for i := end - 1; i >= 0; i-- {
		if r.Turns[i].Role == Assistant {
			return i + 1
		}
	}
	return 0
}

// Question returns the index of the last turn of the user, or -1.
func (r *Request) Question() int {
	for i := len(r.Turns) - 1; i >= 0; i-- {
		if r.Turns[i].Role == User {
			return i
		}
	}
	return -1
}

// maxSaid is how much of a conversation is compared with what is recalled, in bytes
// from its end.
const maxSaid = 128 << 10

// Said returns the texts of the last turns, which the model sees anyway.
func (r *Request) Said() (texts []string) {
	left := maxSaid
	for i := len(r.Turns) - 1; i >= 0 && left > 0; i-- {
		if text := r.Turns[i].Text; text != "" {
			texts = append(texts, text)
			left -= len(text)
		}
	}
	return texts
}

// First returns the index of the first turn of the user, or -1.
func (r *Request) First() int {
	return slices.IndexFunc(r.Turns, func(t Turn) bool { return t.Role == User })
}

// Result returns what a tool's turn says, with the call that it answers:
// "name(arguments) -> text". Of long texts it keeps limit characters, from both ends.
func (r *Request) Result(i, limit int) string {
	t := &r.Turns[i]
	text := Ends(t.Text, limit)
	call := r.called(i)
	if call.Name == "" {
		call.Name = t.Tool
	}
	if call.Name == "" {
		return text
	}
	return call.Name + "(" + Ends(call.Args, limit/8) + ") -> " + text
}

// called finds the call that a tool's turn answers: by its id, or, where the API has
// none, the call of the same place and name.
func (r *Request) called(i int) Call {
	t := &r.Turns[i]
	place := 0
	for j := i - 1; j >= 0; j-- {
		switch before := &r.Turns[j]; before.Role {
		case Tool:
			place++
		case Assistant:
			for _, c := range before.Calls {
				if t.Call != "" && c.ID == t.Call {
					return c
				}
			}
			if t.Call == "" && place < len(before.Calls) && (t.Tool == "" || before.Calls[place].Name == t.Tool) {
				return before.Calls[place]
			}
			if t.Call == "" {
				return Call{}
			}
		}
	}
	return Call{}
}

// Ends returns a text, or, of one with more than limit characters, its beginning and
// its end.
func Ends(s string, limit int) string {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	runes := []rune(s)
	head := (limit + 1) / 2
	tail := limit - head
	return fmt.Sprintf("%s\n[… %d characters left out …]\n%s", string(runes[:head]), len(runes)-limit, string(runes[len(runes)-tail:]))
}

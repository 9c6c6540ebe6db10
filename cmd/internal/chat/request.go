package chat

import "errors"

var (
	errTwice = errors.New("a key of the request comes twice")
	errShape = errors.New("not a chat request")
)

// Request is a chat request and the places where memory can be put into it.
type Request struct {
	Dialect  Dialect
	Model    string
	User     string // what the client calls its user; names a space
	Previous string // id of the response that this one continues
	Turns    []Turn

	body   []byte
	system slot
	user   slot
}

// Turn is one thing that was said in a conversation.
type Turn struct {
	Role    Role
	Text    string
	Speaker string // a name, if the client gave one
	Calls   []Call // of an assistant
	Call    string // which call a tool answers
	Tool    string // name of a tool, where the API says it
}

// Role says who speaks.
type Role uint8

// The roles.
const (
	Other Role = iota
	System
	User
	Assistant
	Tool
)

// Call is a call of a tool.
type Call struct{ ID, Name, Args string }

// slot is a place for text.
type slot struct {
	how         slotKind
	first, last int    // slotText: where the text begins and ends
	at, end     int    // the others: what is replaced, or where it is inserted
	more        bool   // something follows what is inserted
	part        string // type of a part that is inserted
}

type slotKind uint8

const (
	slotNone  slotKind = iota
	slotText           // inside a string that is there
	slotPart           // a new element of a content array
	slotValue          // in place of a null
	slotTurn           // a new message at the start of the list
	slotField          // a new field of the request
)

// Parse reads a request. It fails on what it does not understand with certainty: then
// the request is best passed on as it is.
func Parse(d Dialect, body []byte) (*Request, error) {
	r := &Request{Dialect: d, body: body}
	s := &scanner{b: body}
	if s.peek() != '{' {
		return nil, errShape
	}
	top := s.i + 1
	var seen keys
	messages, system := false, false
	err := s.object(func(key string) (err error) {
		if err := seen.once(key); err != nil {
			return err
		}
		switch {
		case key == "model":
			r.Model, err = s.maybeText()
		case key == "user":
			r.User, err = s.maybeText()
		case key == "messages" && d != Responses:
			messages = true
			err = r.messages(s)
		case key == "input" && d == Responses:
			messages = true
			err = r.input(s)
		case key == "system" && d == Messages, key == "instructions" && d == Responses:
			var c content
			if c, err = s.content(); err == nil {
				r.system, system = c.slot("text"), true
				if d == Responses && r.system.how == slotPart {
					r.system = slot{} // instructions in a form that is not ours to extend
				}
			}
		case key == "previous_response_id" && d == Responses:
			r.Previous, err = s.maybeText()
		default:
			_, err = s.skip()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	if !messages {
		return nil, errShape
	}
	if !system && (d == Messages || d == Responses) {
		r.system = slot{how: slotField, at: top, more: true}
	}
	return r, nil
}

// slot returns the place for text in a content.
func (c *content) slot(part string) slot {
	switch {
	case c.first != 0:
		return slot{how: slotText, first: c.first, last: c.last}
	case c.kind == contentParts:
		return slot{how: slotPart, at: c.value.start + 1, more: c.elements > 0, part: part}
	case c.kind == contentNull:
		return slot{how: slotValue, at: c.value.start, end: c.value.end}
	}
	return slot{}
}

// messages reads the list of messages that all APIs but responses have.
func (r *Request) messages(s *scanner) error {
	if s.peek() != '[' {
		return errShape
	}
	at, n := s.i+1, 0
	err := s.array(func() error {
		m, err := s.message()
		if err != nil {
			return err
		}
		r.add(&m, n == 0)
		n++
		return nil
	})
	if r.system.how == slotNone && r.Dialect != Messages {
		r.system = slot{how: slotTurn, at: at, more: n > 0}
	}
	return err
}

// message is a message as it stands in a request.
type message struct {
	role, name, call, tool string
	content                content
	calls                  []Call
}

func (s *scanner) message() (m message, err error) {
	if s.peek() != '{' {
		return m, errShape
	}
	var seen keys
	err = s.object(func(key string) (err error) {
		if err := seen.once(key); err != nil {
			return err
		}
		switch key {
		case "role":
			m.role, err = s.maybeText()
		case "name":
			m.name, err = s.maybeText()
		case "tool_call_id":
			m.call, err = s.maybeText()
		case "tool_name":
			m.tool, err = s.maybeText()
		case "content":
			m.content, err = s.content()
		case "tool_calls":
			m.calls, err = s.toolCalls()
		default:
			_, err = s.skip()
		}
		return err
	})
	m.calls = append(m.calls, m.content.calls...)
	return m, err
}

// toolCalls reads the calls of an assistant; what is no list of calls is none.
func (s *scanner) toolCalls() (calls []Call, err error) {
	if s.peek() != '[' {
		_, err = s.skip()
		return nil, err
	}
	err = s.array(func() error {
		if s.peek() != '{' {
			_, err := s.skip()
			return err
		}
		var c Call
		err := s.object(func(key string) (err error) {
			switch {
			case key == "id":
				c.ID, err = s.maybeText()
			case key == "function" && s.peek() == '{':
				err = s.object(func(key string) (err error) {
					switch key {
					case "name":
						c.Name, err = s.maybeText()
					case "arguments":
						c.Args, err = s.arguments()
					default:
						_, err = s.skip()
					}
					return err
				})
			default:
				_, err = s.skip()
			}
			return err
		})
		calls = append(calls, c)
		return err
	})
	return calls, err
}

// arguments consumes the arguments of a call: JSON, or a string that holds JSON.
func (s *scanner) arguments() (string, error) {
	if s.peek() == '"' {
		return s.text()
	}
	at, err := s.skip()
	return string(s.b[at.start:at.end]), err
}

func roleOf(name string) Role {
	switch name {
	case "system", "developer":
		return System
	case "user":
		return User
	case "assistant", "model":
		return Assistant
	case "tool", "function", "ipython":
		return Tool
	}
	return Other
}

// add takes in a message. The system message that memory goes into is the first
// message, or none.
func (r *Request) add(m *message, first bool) {
	role := roleOf(m.role)
	c := &m.content
	switch role {
	case System:
		if first && r.Dialect != Messages {
			r.system = c.slot("text")
		}
	case User:
		for _, t := range c.results {
			r.Turns = append(r.Turns, Turn{Role: Tool, Text: t.text, Call: t.call})
		}
		if len(c.results) > 0 && c.text == "" {
			return // the answers of tools alone are no new question
		}
		if r.user = c.slot(r.textPart()); r.user.how == slotValue {
			r.user = slot{} // a message without words is left alone
		}
	}
	t := Turn{Role: role, Text: c.text, Calls: m.calls, Call: m.call, Tool: m.tool}
	if role == User {
		t.Speaker = m.name
	} else if role == Tool && t.Tool == "" {
		t.Tool = m.name
	}
	r.Turns = append(r.Turns, t)
}

// textPart is the type of a part with text in a user's message.
func (r *Request) textPart() string {
	if r.Dialect == Responses {
		return "input_text"
	}
	return "text"
}

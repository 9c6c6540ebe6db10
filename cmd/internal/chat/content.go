package chat

import "strings"

// content is what a message says, and where.
type content struct {
	kind contentKind
	text string
	// first is where the text begins and last where it ends, between the quotes of
	// strings; zero when there is none.
	first, last int
	value       span // of the whole
	elements    int  // of an array
	results     []result
	calls       []Call
}

type contentKind uint8

const (
	contentNone contentKind = iota // missing
	contentNull
	contentText
	contentParts
	contentOther
)

// result is the answer of a tool inside a message.
type result struct{ call, text string }

// content consumes the content of a message.
func (s *scanner) content() (c content, err error) {
	s.space()
	c.value.start = s.i
	switch s.peek() {
	case '"':
		inner, err := s.str()
		if err != nil {
			return c, err
		}
		c.kind, c.text, c.first, c.last = contentText, unquote(s.b, inner), inner.start, inner.end
	case '[':
		c.kind = contentParts
		var texts []string
		err = s.array(func() error {
			c.elements++
			p, err := s.part()
			if err != nil {
				return err
			}
			switch {
			case p.isText():
				if c.first == 0 {
					c.first = p.inner.start
				}
				c.last = p.inner.end
				texts = append(texts, unquote(s.b, p.inner))
			case p.kind == "tool_result":
				c.results = append(c.results, result{p.call, p.said})
			case p.kind == "tool_use":
				c.calls = append(c.calls, Call{ID: p.id, Name: p.name, Args: string(s.b[p.input.start:p.input.end])})
			}
			return nil
		})
		c.text = strings.Join(texts, "\n")
	case 'n':
		c.kind = contentNull
		_, err = s.skip()
	default:
		c.kind = contentOther
		_, err = s.skip()
	}
	c.value.end = s.i
	return c, err
}

// part is an element of a content array.
type part struct {
	kind, id, name, call, said string

	inner span // of its text, between the quotes
	input span // of a tool call
}

func (p *part) isText() bool {
	if p.inner.start == 0 {
		return false
	}
	switch p.kind {
	case "text", "input_text", "output_text":
		return true
	}
	return false
}

func (s *scanner) part() (p part, err error) {
	if s.peek() != '{' {
		_, err = s.skip()
		return p, err
	}
	var seen keys
	err = s.object(func(key string) (err error) {
		if err := seen.once(key); err != nil {
			return err
		}
		switch key {
		case "type":
			p.kind, err = s.maybeText()
		case "text":
			if s.peek() == '"' {
				p.inner, err = s.str()
				return err
			}
			_, err = s.skip()
		case "id":
			p.id, err = s.maybeText()
		case "name":
			p.name, err = s.maybeText()
		case "tool_use_id":
			p.call, err = s.maybeText()
		case "input":
			p.input, err = s.skip()
		case "content": // of a tool's result
			var c content
			c, err = s.content()
			p.said = c.text
		default:
			_, err = s.skip()
		}
		return err
	})
	return p, err
}

// keys are those of an object. One that comes twice is read by different programs in
// different ways, so it is not touched.
type keys struct{ had []string }

func (k *keys) once(key string) error {
	for _, h := range k.had {
		if h == key {
			return errTwice
		}
	}
	k.had = append(k.had, key)
	return nil
}

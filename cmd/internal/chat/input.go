package chat

// input reads the input of a responses request: a text, or a list of items.
func (r *Request) input(s *scanner) error {
	if s.peek() == '"' {
		c, err := s.content()
		if err != nil {
			return err
		}
		r.user = c.slot("")
		r.Turns = append(r.Turns, Turn{Role: User, Text: c.text})
		return nil
	}
	if s.peek() != '[' {
		return errShape
	}
	return s.array(func() error {
		it, err := s.item()
		if err != nil {
			return err
		}
		switch it.kind {
		case "", "message":
			// Instructions hold memory, so the system messages among the items stay as they are.
			r.add(&it.message, false)
		case "function_call", "custom_tool_call":
			r.Turns = append(r.Turns, Turn{Role: Assistant, Calls: []Call{{ID: it.call, Name: it.name, Args: it.args}}})
		case "function_call_output", "custom_tool_call_output":
			r.Turns = append(r.Turns, Turn{Role: Tool, Text: it.output.text, Call: it.call})
		}
		return nil
	})
}

// item is an element of the input of a responses request.
type item struct {
	message
	kind, call, args string
	output           content
}

func (s *scanner) item() (it item, err error) {
	if s.peek() != '{' {
		return it, errShape
	}
	var seen keys
	err = s.object(func(key string) (err error) {
		if err := seen.once(key); err != nil {
			return err
		}
		switch key {
		case "type":
			it.kind, err = s.maybeText()
		case "role":
			it.role, err = s.maybeText()
		case "name":
			it.name, err = s.maybeText()
		case "call_id":
			it.call, err = s.maybeText()
		case "arguments", "input":
			it.args, err = s.arguments()
		case "content":
			it.content, err = s.content()
		case "output":
			it.output, err = s.content()
		default:
			_, err = s.skip()
		}
		return err
	})
	return it, err
}

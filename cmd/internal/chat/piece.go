package chat

import (
	"encoding/json"
	"strings"
)

// piece is an answer, or a part of one, of any of the APIs: only what is read of it.
type piece struct {
	ID string `json:"id"`

	// OpenAI's chat completions.
	Choices []struct {
		Index   int     `json:"index"`
		Delta   *said   `json:"delta"`
		Message *said   `json:"message"`
		Finish  *string `json:"finish_reason"`
	} `json:"choices"`

	// Ollama's chat.
	Message *said `json:"message"`
	Done    bool  `json:"done"`

	// Anthropic's messages and OpenAI's responses.
	Type     string          `json:"type"`
	Delta    json.RawMessage `json:"delta"`
	Content  json.RawMessage `json:"content"`
	Status   string          `json:"status"`
	Output   []output        `json:"output"`
	Response *struct {
		ID     string   `json:"id"`
		Output []output `json:"output"`
	} `json:"response"`
}

// said is a message of an assistant.
type said struct {
	ID      string `json:"id"`
	Content words  `json:"content"`
	Refusal string `json:"refusal"`
}

// output is an item of a response.
type output struct {
	Type    string `json:"type"`
	Content words  `json:"content"`
}

// words is content as text: a string, or the text parts of a list.
type words string

// UnmarshalJSON reads a string or a list of parts; anything else is no words.
func (w *words) UnmarshalJSON(b []byte) error {
	s := &scanner{b: b}
	c, err := s.content()
	*w = words(c.text)
	return err
}

// take takes in a piece of an answer.
func (l *Listener) take(p *piece) {
	switch l.d {
	case Completions:
		l.takeChoices(p)
	case Ollama:
		if p.Message != nil {
			l.text.WriteString(string(p.Message.Content))
		}
		l.whole = l.whole || p.Done
	case Messages:
		l.takeMessage(p)
	case Responses:
		l.takeResponse(p)
	}
}

func (l *Listener) takeChoices(p *piece) {
	for _, c := range p.Choices {
		if c.Index != 0 {
			continue // the others are for choosing from
		}
		for _, m := range []*said{c.Delta, c.Message} {
			if m != nil {
				l.text.WriteString(string(m.Content))
				l.text.WriteString(m.Refusal)
			}
		}
		l.whole = l.whole || c.Finish != nil && *c.Finish != ""
	}
}

func (l *Listener) takeMessage(p *piece) {
	switch p.Type {
	case "content_block_delta":
		var d struct{ Type, Text string }
		if json.Unmarshal(p.Delta, &d) == nil && d.Type == "text_delta" {
			l.text.WriteString(d.Text)
		}
	case "content_block_start":
		if l.text.Len() > 0 && !strings.HasSuffix(l.text.String(), "\n") {
			l.text.WriteByte('\n')
		}
	case "message":
		var w words
		if json.Unmarshal(p.Content, &w) == nil {
			l.text.WriteString(string(w))
		}
	case "message_stop":
		l.whole = true
	}
}

func (l *Listener) takeResponse(p *piece) {
	switch p.Type {
	case "response.output_text.delta", "response.refusal.delta":
		var d string
		if json.Unmarshal(p.Delta, &d) == nil {
			l.text.WriteString(d)
		}
	case "response.created", "response.in_progress":
		if p.Response != nil {
			l.id = p.Response.ID
		}
	case "response.completed", "response.incomplete":
		if p.Response != nil {
			l.id, l.final, l.whole = p.Response.ID, outputText(p.Response.Output), p.Type == "response.completed"
		}
	case "": // not a stream
		l.id, l.final = p.ID, outputText(p.Output)
	}
}

func outputText(items []output) string {
	var texts []string
	for _, o := range items {
		if o.Type == "message" && o.Content != "" {
			texts = append(texts, string(o.Content))
		}
	}
	return strings.Join(texts, "\n")
}

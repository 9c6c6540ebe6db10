package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// Reply is what a model said.
type Reply struct {
	ID    string // of the response, where a later request can name it
	Text  string
	Whole bool // it was said to its end
}

// maxHeld is how much of an answer is held that cannot be read piece by piece.
const maxHeld = 32 << 20

// Listener reads a reply from the bytes of an answer, whatever pieces they come in. It
// never fails: what it cannot read is left out. It is for one goroutine.
type Listener struct {
	d    Dialect
	mode listenMode
	held []byte // of the line, or of the whole answer
	cr   bool   // the last line ended with a carriage return
	drop bool   // the line is too long and is skipped
	data []byte // of the event

	text  strings.Builder
	final string // the whole text, where the API repeats it
	id    string
	whole bool
}

type listenMode uint8

const (
	modeUnknown listenMode = iota
	modeEvents             // server-sent events
	modeLines              // one JSON object a line
	modeWhole              // one JSON object
)

// Listen returns a listener for an answer with the given media type.
func Listen(d Dialect, media string) *Listener {
	l := &Listener{d: d}
	switch media {
	case "text/event-stream":
		l.mode = modeEvents
	case "application/x-ndjson", "application/jsonl", "application/x-jsonlines":
		l.mode = modeLines
	}
	return l
}

// Write takes in more of the answer. It never fails.
func (l *Listener) Write(p []byte) (int, error) {
	if l.mode == modeUnknown {
		l.guess(p)
	}
	if l.mode == modeUnknown || l.mode == modeWhole {
		if len(l.held)+len(p) > maxHeld {
			l.held, l.drop = nil, true
		}
		if !l.drop {
			l.held = append(l.held, p...)
		}
		return len(p), nil
	}
	l.lines(p)
	return len(p), nil
}

// guess decides by the first bytes how an answer is to be read whose type does not say
// so: some servers stream though they were not asked to.
func (l *Listener) guess(p []byte) {
	start := bytes.TrimLeft(append(bytes.Clone(l.held), p...), " \t\r\n\ufeff")
	switch {
	case len(start) == 0:
	case start[0] == '{' || start[0] == '[':
		l.mode = modeWhole
	case len(start) >= 6:
		l.mode = modeEvents
		held := l.held
		l.held = nil
		l.lines(held)
	}
}

// lines cuts bytes into lines, which end with LF, CR or both.
func (l *Listener) lines(p []byte) {
	for len(p) > 0 {
		if l.cr && p[0] == '\n' {
			p = p[1:]
			l.cr = false
			continue
		}
		l.cr = false
		n := bytes.IndexAny(p, "\r\n")
		if n < 0 {
			l.hold(p)
			return
		}
		l.hold(p[:n])
		l.cr = p[n] == '\r'
		p = p[n+1:]
		l.line()
	}
}

func (l *Listener) hold(p []byte) {
	if len(l.held)+len(p) > maxHeld {
		l.drop = true
	}
	if !l.drop {
		l.held = append(l.held, p...)
	}
}

// line takes in the line that is held.
func (l *Listener) line() {
	line := l.held
	if l.drop {
		line = nil
	}
	l.drop = false
	defer func() { l.held = l.held[:0] }()
	if l.mode == modeLines {
		l.event(line)
		return
	}
	if len(line) == 0 {
		l.flush()
		return
	}
	field, value, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("\ufeff")), []byte(":"))
	if string(field) != "data" {
		return
	}
	value = bytes.TrimPrefix(value, []byte(" "))
	if len(l.data)+len(value) > maxHeld {
		l.data = l.data[:0]
		return
	}
	if len(l.data) > 0 {
		l.data = append(l.data, '\n')
	}
	l.data = append(l.data, value...)
}

// flush takes in the event whose data has come.
func (l *Listener) flush() {
	if len(l.data) > 0 {
		l.event(l.data)
		l.data = l.data[:0]
	}
}

// event takes in one JSON object of a stream.
func (l *Listener) event(data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return
	}
	if string(data) == "[DONE]" {
		l.whole = true
		return
	}
	if p, ok := readPiece(data); ok {
		l.take(p)
	}
}

// readPiece reads an object. A field of another type than ours is left out.
func readPiece(data []byte) (*piece, bool) {
	var p piece
	err := json.Unmarshal(data, &p)
	return &p, err == nil || errors.As(err, new(*json.UnmarshalTypeError))
}

// Close ends the answer and returns what was said.
func (l *Listener) Close() Reply {
	switch l.mode {
	case modeEvents, modeLines:
		if len(l.held) > 0 {
			l.line()
		}
		l.flush()
	default:
		l.readWhole()
	}
	text := l.text.String()
	if l.final != "" {
		text = l.final
	}
	return Reply{ID: l.id, Text: text, Whole: l.whole}
}

// readWhole reads an answer of one object, or of several in lines.
func (l *Listener) readWhole() {
	if p, ok := readPiece(l.held); ok {
		l.take(p)
		l.whole = true
		return
	}
	held := l.held
	l.held = nil
	l.mode = modeLines
	l.lines(append(held, '\n'))
}

package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/orma-memory/orma/core"
)

// tailBytes is how much of a transcript is read from its end: a reply and the tools it
// used seldom take more.
const tailBytes = 512 << 10

// lastReply returns what the agent said last: what the event says, else what stands
// at the end of the transcript.
func lastReply(e Event) (string, error) {
	if e.Reply != "" {
		return e.Reply, nil
	}
	path := e.Transcript
	if e.Name == SubagentStop && e.AgentFile != "" {
		path = e.AgentFile
	}
	if path == "" {
		return "", nil
	}
	data, err := tail(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", core.Errorf(core.CodeNotFound, "there is no transcript %s", path)
	}
	if err != nil {
		return "", err
	}
	return replyIn(data), nil
}

// tail reads the end of a file, from the beginning of a line.
func tail(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	from := max(0, size-tailBytes)
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, tailBytes))
	if err != nil || from == 0 {
		return data, err
	}
	_, data, _ = bytes.Cut(data, []byte("\n"))
	return data, nil
}

// replyIn returns the texts of the last message of the assistant in a transcript. Its
// lines each hold a part of the message.
func replyIn(data []byte) string {
	var parts []string
	message := ""
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		var l struct {
			Type    string `json:"type"`
			Message struct {
				ID      string          `json:"id"`
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(lines[i], &l) != nil || l.Type != "assistant" && l.Type != "user" {
			continue
		}
		if l.Type == "user" || message != "" && l.Message.ID != message {
			if len(parts) > 0 {
				break
			}
			if l.Type == "user" {
				return ""
			}
		}
		message = l.Message.ID
		if s := messageText(l.Message.Content); s != "" {
			parts = append([]string{s}, parts...)
		}
	}
	return strings.Join(parts, "\n\n")
}

func messageText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct{ Type, Text string }
	_ = json.Unmarshal(raw, &blocks) // anything else holds no text
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" && strings.TrimSpace(b.Text) != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/orma-memory/orma/cmd/internal/chat"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// said is an exchange that is to be recorded.
type said struct {
	Space   string         `json:"space"`
	Session string         `json:"session,omitempty"`
	Turns   []engine.Input `json:"turns"`

	// What the answer was made with; counted as used, but not worth keeping when it
	// cannot be stored now.
	used  engine.Request
	items []engine.Item
}

// said returns what is to be recorded of an exchange: the turns since the assistant
// last spoke, and its reply.
func (x *exchange) said(reply chat.Reply) said {
	s := said{Space: x.space, Session: x.session, used: x.used}
	if x.memory == memoryOn {
		s.items = x.items
	}
	req := x.request
	last := req.New()
	for i := req.New(); i < len(req.Turns); i++ {
		t := &req.Turns[i]
		in := engine.Input{Kind: core.KindTurn, Role: core.RoleUser, Speaker: t.Speaker, Key: turnName(x.prints[i])}
		switch t.Role {
		case chat.User:
			in.Text = t.Text
		case chat.Tool:
			in.Text, in.Kind, in.Role = req.Result(i, x.p.o.Settings.ToolChars), core.KindTool, core.RoleTool
		default:
			continue
		}
		last = i
		s.add(in, x.began, x.p.o.Limits.EpisodeBytes)
	}
	text := strings.TrimSpace(reply.Text)
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		at := chat.Print{}
		if last < len(x.prints) {
			at = x.prints[last]
		}
		key := "reply-" + hex.EncodeToString(at[:]) + "-" + hex.EncodeToString(sum[:8])
		s.add(engine.Input{Text: text, Kind: core.KindTurn, Role: core.RoleAssistant, Key: key}, x.p.o.Now(), x.p.o.Limits.EpisodeBytes)
	}
	return s
}

// add takes in a turn; a text longer than an episode may be becomes several.
func (s *said) add(in engine.Input, at time.Time, limit int) {
	if strings.TrimSpace(in.Text) == "" {
		return
	}
	in.Session, in.Source, in.At = s.Session, source, at
	key := in.Key
	for i, piece := range pieces(in.Text, limit) {
		in.Text = piece
		if i > 0 {
			in.Key = key + "-" + hex.EncodeToString([]byte{byte(i >> 8), byte(i)})
		}
		s.Turns = append(s.Turns, in)
	}
}

// pieces cuts a text into pieces of at most limit bytes, at the ends of lines where it
// can. Together they are the text.
func pieces(text string, limit int) []string {
	if limit <= 0 || len(text) <= limit {
		return []string{text}
	}
	var out []string
	for len(text) > limit {
		cut := strings.LastIndexByte(text[:limit], '\n') + 1
		if cut < limit/2 {
			for cut = limit; cut > 1 && text[cut]&0xc0 == 0x80; cut-- { // not within a letter
			}
		}
		out = append(out, text[:cut])
		text = text[cut:]
	}
	return append(out, text)
}

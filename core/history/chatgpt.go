package history

import (
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// gptConversation is one conversation of a ChatGPT export: a tree of messages, since
// an answer can be made again and a question edited. The way from current_node up to
// the root is what the user last saw.
type gptConversation struct {
	ID             name                       `json:"id"`
	ConversationID name                       `json:"conversation_id"`
	Created        moment                     `json:"create_time"`
	Updated        moment                     `json:"update_time"`
	Current        name                       `json:"current_node"`
	Mapping        map[string]json.RawMessage `json:"mapping"`
}

type gptNode struct {
	Message json.RawMessage `json:"message"`
	Parent  name            `json:"parent"`
}

type gptMessage struct {
	ID     name `json:"id"`
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	Created moment `json:"create_time"`
	Content struct {
		Type   string            `json:"content_type"`
		Parts  []json.RawMessage `json:"parts"`
		Text   string            `json:"text"`   // of code and of what a program printed
		Result string            `json:"result"` // of a page that was looked up
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

func readChatGPT(r io.Reader, f *File) iter.Seq[Item] {
	return conversations(r, f, func(data []byte, c *conversation) error {
		var g gptConversation
		if err := json.Unmarshal(data, &g); err != nil {
			return notA("conversation", err)
		}
		if g.Mapping == nil {
			return core.Errorf(core.CodeInvalid, "it has no mapping")
		}
		c.id = string(g.ID)
		if c.id == "" {
			c.id = string(g.ConversationID)
		}
		if c.id == "" {
			c.id = c.place
		}
		c.started(g.Created, g.Updated)
		branch, note := g.branch()
		for _, id := range branch {
			g.read(c, id, note)
			note = ""
		}
		return nil
	})
}

// branch returns the nodes from the root to the current node, and what was odd about
// the way.
func (g *gptConversation) branch() (nodes []string, note string) {
	at := string(g.Current)
	if _, ok := g.Mapping[at]; !ok {
		if at = g.newest(); at != "" {
			note = "its current_node is missing; the newest branch is taken"
		}
	}
	seen := map[string]bool{}
	for at != "" {
		raw, ok := g.Mapping[at]
		if !ok {
			return reversed(nodes), "what came before is missing from the file"
		}
		if seen[at] {
			return reversed(nodes), "its messages go round in a circle; each is taken once"
		}
		seen[at] = true
		nodes = append(nodes, at)
		var n gptNode
		_ = json.Unmarshal(raw, &n) // what is wrong with it is reported when it is read
		at = string(n.Parent)
	}
	return reversed(nodes), note
}

func reversed(nodes []string) []string {
	slices.Reverse(nodes)
	return nodes
}

// newest returns the leaf that was said last, of equal ones the last by name. Where all
// go round in a circle, it is the newest of all.
func (g *gptConversation) newest() string {
	times := map[string]time.Time{}
	leaf := map[string]bool{}
	for id := range g.Mapping {
		leaf[id] = true
	}
	for id, raw := range g.Mapping {
		var n gptNode
		_ = json.Unmarshal(raw, &n)
		var m struct {
			Created moment `json:"create_time"`
		}
		_ = json.Unmarshal(n.Message, &m)
		times[id], _ = m.Created.time(nil)
		delete(leaf, string(n.Parent))
	}
	best := ""
	for _, id := range slices.Sorted(maps.Keys(g.Mapping)) {
		if (leaf[id] || len(leaf) == 0) && (best == "" || !times[id].Before(times[best])) {
			best = id
		}
	}
	return best
}

// read takes in the message of a node. Roots have none.
func (g *gptConversation) read(c *conversation, id, note string) {
	var n gptNode
	if err := json.Unmarshal(g.Mapping[id], &n); err != nil {
		c.bad(id, notA("node", err))
		return
	}
	if len(n.Message) == 0 || string(n.Message) == "null" {
		return
	}
	var m gptMessage
	if err := json.Unmarshal(n.Message, &m); err != nil {
		c.bad(id, notA("message", err))
		return
	}
	if m.Metadata.Hidden || !gptSaid(m.Content.Type) || role(m.Author.Role) == core.RoleSystem {
		c.skip(id)
		return
	}
	said := m.Content.Parts
	text := paragraphs(append(texts(said, func(string) bool { return true }), m.Content.Text))
	if text == "" {
		text = m.Content.Result
	}
	who := role(m.Author.Role)
	kind := core.KindTurn
	if who == core.RoleTool {
		kind = core.KindTool
	}
	c.add(message{id: id, role: who, kind: kind, at: m.Created, text: text, note: note})
}

// gptSaid tells what was said from what a model thought by itself and from the
// settings that go with each conversation.
func gptSaid(kind string) bool {
	switch kind {
	case "thoughts", "reasoning_recap", "user_editable_context", "model_editable_context":
		return false
	}
	return true
}

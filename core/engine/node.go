package engine

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// Bounds of what is told of a node.
const (
	contextBytes   = 600 // of an episode on either side of a cited sentence
	nodeNeighbours = 50
)

// NodeDetail is one node of a graph in full.
type NodeDetail struct {
	ID         string         `json:"id"`
	Kind       string         `json:"kind" doc:"entity, state, rule, conditional, event or passage"`
	Label      string         `json:"label" doc:"at most 160 characters"`
	Generation int64          `json:"generation"`
	Hub        string         `json:"hub,omitempty" doc:"the entity that it lies around"`
	Degree     int            `json:"degree"`
	State      *Fact          `json:"state,omitempty" doc:"of a state, rule or conditional"`
	Event      *Event         `json:"event,omitempty"`
	Passage    *PassageDetail `json:"passage,omitempty"`
	Entity     *EntityDetail  `json:"entity,omitempty"`
	Sources    []SourceText   `json:"sources" doc:"the lines it rests on, in their context; of a passage itself"`
	History    []HistoryEntry `json:"history" doc:"of a state: what was and is true of its subject and attribute, oldest first"`
	Uses       []UseTime      `json:"uses" doc:"when it was said again, cited or recalled, oldest first; the last 32"`
	Neighbours []Neighbour    `json:"neighbours" doc:"up to 50; GET graph?of= pages them all"`
	Erases     core.ID        `json:"erases,omitempty" doc:"the episode to erase, to be rid of it"`
}

// PassageDetail is where a passage stands.
type PassageDetail struct {
	ID      core.ID `json:"id"`
	Mark    string  `json:"mark" doc:"how answers cite it: s14"`
	Episode core.ID `json:"episode"`
	Text    string  `json:"text"`
	Start   int     `json:"start" doc:"bytes of the episode's text"`
	End     int     `json:"end"`
}

// EntityDetail is what an entity is.
type EntityDetail struct {
	ID       core.ID  `json:"id,omitempty" doc:"missing when only lines name it"`
	Name     string   `json:"name"`
	Names    []string `json:"names" doc:"further names"`
	Mentions int      `json:"mentions" doc:"items that name it"`
	States   int      `json:"states" doc:"states and events about it"`
}

// SourceText is a sentence that something rests on, with what stands around it.
type SourceText struct {
	Node     string    `json:"node" doc:"the passage"`
	Mark     string    `json:"mark" doc:"how answers cite it: s14"`
	Episode  core.ID   `json:"episode"`
	Passage  core.ID   `json:"passage"`
	Before   string    `json:"before"`
	Text     string    `json:"text"`
	After    string    `json:"after"`
	Kind     core.Kind `json:"kind"`
	Role     core.Role `json:"role"`
	Speaker  string    `json:"speaker,omitempty"`
	Session  string    `json:"session,omitempty"`
	Source   string    `json:"source"`
	Key      string    `json:"key,omitempty" doc:"the caller's own id"`
	Trust    string    `json:"trust"`
	At       time.Time `json:"at" doc:"when it was said"`
	Recorded time.Time `json:"recorded"`
	Quoted   bool      `json:"quoted,omitempty" doc:"it reads like an order to a model"`
}

// HistoryEntry is one value of a subject's attribute.
type HistoryEntry struct {
	Node         string    `json:"node"`
	Value        string    `json:"value"`
	Condition    string    `json:"condition,omitempty"`
	ValidFrom    string    `json:"valid_from,omitempty"`
	ValidTo      string    `json:"valid_to,omitempty"`
	RecordedAt   time.Time `json:"recorded_at,omitzero"`
	ClosedAt     time.Time `json:"closed_at,omitzero"`
	Active       bool      `json:"active"`
	Forgotten    bool      `json:"forgotten,omitempty"`
	SupersededBy string    `json:"superseded_by,omitempty"`
}

// UseTime is one use.
type UseTime struct {
	At time.Time `json:"at"`
}

// Neighbour is a node that another is joined to.
type Neighbour struct {
	Node  string `json:"node"`
	Kind  string `json:"kind"`
	Label string `json:"label"`
	Link  string `json:"link" doc:"about, mentions, together, source or supersedes"`
	Back  bool   `json:"back,omitempty" doc:"the link points from the neighbour to the node"`
}

// Node returns one node of a space's graph with its sources, its history and what is
// next to it, states that ended included. Its errors are those of [Engine.Graph].
func (e *Engine) Node(ctx context.Context, space, id string, now time.Time) (*NodeDetail, error) {
	req := GraphRequest{Space: space, Of: id, History: true, Limit: nodeNeighbours, Now: now}
	if err := checkGraph(&req); err != nil {
		return nil, err
	}
	m, err := e.mapOf(ctx, req)
	if err != nil {
		return nil, err
	}
	defer m.view.End()
	x, err := m.find(id)
	if err != nil {
		return nil, err
	}
	near, _ := m.neighbours(x)
	texts, err := m.texts(ctx, append([]frame.Node{x}, near...))
	if err != nil {
		return nil, err
	}
	n := m.node(x, texts)
	out := &NodeDetail{ID: n.ID, Kind: n.Kind, Label: n.Label, Generation: m.view.Version().Gen, Hub: n.Hub}
	ties := map[frame.Node]index.Tie{}
	m.net.Ties(x, func(t index.Tie) { out.Degree++; ties[t.To] = t })
	for _, y := range near {
		b := m.node(y, texts)
		out.Neighbours = append(out.Neighbours, Neighbour{Node: b.ID, Kind: b.Kind, Label: b.Label, Link: string(ties[y].Kind), Back: ties[y].Back})
	}
	if !x.Item {
		out.Entity, err = m.entity(ctx, x.ID)
		return out, err
	}
	for _, at := range m.view.Uses(x.ID) {
		out.Uses = append(out.Uses, UseTime{moment(at)})
	}
	return out, m.item(ctx, x.ID, out)
}

// entity describes an entity, with the names that the store has for it.
func (m *graphMap) entity(ctx context.Context, x uint32) (*EntityDetail, error) {
	e := m.net.Entity(x)
	d := &EntityDetail{ID: e.ID, Name: e.Label}
	d.States, d.Mentions = m.net.Crowd(x)
	if e.ID == 0 {
		return d, nil
	}
	all, err := m.e.o.Store.Entities(ctx, m.req.Space)
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		if n, ok := m.net.EntityOf(o.ID); ok && n == x {
			d.Names = append(append(d.Names, o.Name), o.Aliases...)
		}
	}
	slices.Sort(d.Names)
	d.Names = slices.DeleteFunc(slices.Compact(d.Names), func(n string) bool { return n == d.Name })
	return d, nil
}

// item fills in what a state, event or passage is and rests on.
func (m *graphMap) item(ctx context.Context, doc uint32, out *NodeDetail) error {
	r := m.view.Ref(doc)
	var sources []core.Source
	switch r.Kind {
	case frame.ItemState:
		st, _ := m.view.State(r.ID)
		f := factOf(st, m.now, nil)
		out.State, sources = &f, st.Sources
		for _, o := range m.view.About(st) {
			out.History = append(out.History, m.historyEntry(&o))
		}
	case frame.ItemEvent:
		ev, _ := m.view.Event(r.ID)
		out.Event, sources = eventItem(&ev).Event, ev.Sources
	default:
		sources = []core.Source{{Episode: r.Episode, Passage: r.ID, Start: r.Start, End: r.End}}
		out.Passage = &PassageDetail{ID: r.ID, Mark: mark(r.ID), Episode: r.Episode, Start: r.Start, End: r.End}
	}
	var err error
	if out.Sources, err = m.e.sourceTexts(ctx, m.req.Space, sources); err != nil || len(out.Sources) == 0 {
		return err
	}
	out.Erases = out.Sources[0].Episode
	cites := make([]Cite, 0, len(out.Sources))
	for _, s := range out.Sources {
		cites = append(cites, Cite{Passage: s.Passage, Mark: s.Mark, Episode: s.Episode, Text: s.Text, At: s.At})
	}
	switch {
	case out.State != nil:
		out.State.Sources = cites
	case out.Event != nil:
		out.Event.Sources = cites
	default:
		out.Passage.Text = out.Sources[0].Text
	}
	return nil
}

func (m *graphMap) historyEntry(st *core.State) HistoryEntry {
	h := HistoryEntry{
		Node: itemNode(frame.ItemState, st.ID), Value: st.Value, Condition: st.Condition, ValidFrom: st.ValidFrom,
		RecordedAt: st.Recorded, ClosedAt: st.Closed, Active: st.Active(m.now), Forgotten: st.Retracted,
	}
	if !st.Closed.IsZero() {
		h.ValidTo = st.ValidTo
	}
	if st.SupersededBy != 0 {
		h.SupersededBy = itemNode(frame.ItemState, st.SupersededBy)
	}
	return h
}

// mark is how a passage is cited.
func mark(passage core.ID) string { return "s" + strconv.FormatInt(int64(passage), 10) }

// sourceTexts shows sources in their context. What is gone is left out.
func (e *Engine) sourceTexts(ctx context.Context, space string, sources []core.Source) ([]SourceText, error) {
	ids := make([]core.ID, 0, len(sources))
	for _, s := range sources {
		ids = append(ids, s.Episode)
	}
	eps, err := e.o.Store.EpisodesByID(ctx, space, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[core.ID]*core.Episode, len(eps))
	for i := range eps {
		byID[eps[i].ID] = &eps[i]
	}
	out := make([]SourceText, 0, len(sources))
	for _, s := range sources {
		ep := byID[s.Episode]
		if ep == nil || s.Start < 0 || s.Start > s.End || s.End > len(ep.Text) {
			continue
		}
		out = append(out, SourceText{
			Node: itemNode(frame.ItemPassage, s.Passage), Mark: mark(s.Passage), Episode: ep.ID, Passage: s.Passage,
			Before: ending(ep.Text[:s.Start]), Text: ep.Text[s.Start:s.End], After: beginning(ep.Text[s.End:]),
			Kind: ep.Kind, Role: ep.Role, Speaker: ep.Speaker, Session: ep.Session, Source: ep.Source, Key: ep.Key,
			Trust: ep.Trust.String(), At: ep.At, Recorded: ep.Recorded, Quoted: ep.Marks&core.MarkInstruction != 0,
		})
	}
	return out, nil
}

// ending is the end of a text, cut at a character.
func ending(s string) string {
	if len(s) <= contextBytes {
		return s
	}
	s = s[len(s)-contextBytes:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return "…" + s
}

// beginning is the beginning of a text, cut at a character.
func beginning(s string) string {
	if len(s) <= contextBytes {
		return s
	}
	return strings.ToValidUTF8(s[:contextBytes], "") + "…"
}

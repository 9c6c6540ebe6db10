package api

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Graph is a page of the graph of a space.
type Graph struct {
	engine.Graph
	Next string `json:"next,omitempty" doc:"cursor of the next page; missing on the last one"`
}

// Stages lists the stages of recall.
type Stages struct {
	Stages []engine.StageInfo `json:"stages"`
}

var nodeParam = param{name: "id", kind: "string", about: "the node, such as s12", path: true}

func graphRoutes() []route {
	return []route{
		on(route{
			method: http.MethodGet, path: "/graph", verb: "graph", about: "Return what is remembered as nodes and links, each with its place in space", tag: true,
			doc: "Without of it is an overview: the entities with most about them, each with its newest states and rules, so that a large memory is explored from its hubs. " +
				"With of it is the neighbours of that node, the node first on the first page; its links may lead to nodes that are not in the answer. " +
				"Places come from names alone: the same memory is always the same picture, and what comes moves nothing else.",
			params: append([]param{
				{name: "of", kind: "string", about: "the node whose neighbours are wanted"},
				{name: "as_of", kind: "time", about: "what held then, by the valid clock; a day counts whole; default now"},
				{name: "history", kind: "boolean", about: "states that ended too"},
				{name: "kinds", kind: "string", about: "kinds of nodes with commas between them: entity, state, rule, conditional, event, passage; default all but the last two, with of all"},
				{name: "source", kind: "string", about: "only what came from there"},
				{name: "trust", kind: "string", about: "only what is trusted as much: user, note, document, import, assistant or tool"},
				{name: "from", kind: "time", about: "only what was said at or after"},
				{name: "to", kind: "time", about: "only what was said until then; a day counts whole"},
			}, pageParams...),
		}, getGraph),
		on(route{
			method: http.MethodGet, path: "/graph/{id}", verb: "node", about: "Return one node of the graph with its sources, history and neighbours",
			params: []param{nodeParam, {name: "now", kind: "time", about: "the time to take as now"}},
		}, func(c *call, _ *none) (*engine.NodeDetail, error) {
			now, err := c.time("now")
			if err != nil {
				return nil, err
			}
			return c.api.o.Engine.Node(c.Context(), c.space, c.PathValue("id"), now)
		}),
		on(route{
			method: http.MethodGet, path: "/stages", verb: "stages", about: "List the stages of recall in their order, and which of them run", reach: ofServer,
		}, func(c *call, _ *none) (Stages, error) {
			return Stages{c.api.o.Engine.Stages()}, nil
		}),
	}
}

func getGraph(c *call, _ *none) (*Graph, error) {
	req, err := c.graphRequest()
	if err != nil {
		return nil, err
	}
	g, err := c.api.o.Engine.Graph(c.Context(), req)
	if err != nil {
		return nil, err
	}
	out := &Graph{Graph: *g}
	if g.Next > 0 {
		out.Next = cursor(int64(g.Next)) + "." + base64.RawURLEncoding.EncodeToString([]byte(g.Nodes[len(g.Nodes)-1].ID))
	}
	return out, nil
}

func (c *call) graphRequest() (req engine.GraphRequest, err error) {
	req = engine.GraphRequest{Space: c.space, Of: c.query("of"), Source: c.query("source")}
	if req.AsOf, err = c.until("as_of"); err != nil {
		return req, err
	}
	if first := (time.Time{}).Add(time.Second); req.AsOf.After(first) {
		req.AsOf = req.AsOf.Add(-time.Second) // the first second of the calendar would mean now
	}
	if req.History, err = c.flag("history"); err != nil {
		return req, err
	}
	if v := c.query("kinds"); v != "" {
		req.Kinds = strings.Split(v, ",")
		for i, k := range req.Kinds {
			req.Kinds[i] = strings.TrimSpace(k)
		}
		req.Kinds = slices.Compact(req.Kinds)
	}
	if v := c.query("trust"); v != "" {
		var ok bool
		if req.Trust, ok = core.ParseTrust(v); !ok {
			return req, core.Errorf(core.CodeInvalid, "trust %q is not known", v).Hinted("use user, note, document, import, assistant or tool")
		}
	}
	if req.From, err = c.time("from"); err != nil {
		return req, err
	}
	if req.Before, err = c.until("to"); err != nil {
		return req, err
	}
	if req.Limit, err = c.number("limit", 0, 1, engine.MaxNodes); err != nil {
		return req, err
	}
	return req, c.graphCursor(&req)
}

// graphCursor reads how far the page before went and the node that it ended with. What is
// written meanwhile moves nodes, so the node counts, while it is there.
func (c *call) graphCursor(req *engine.GraphRequest) error {
	v := c.query("cursor")
	if v == "" {
		return nil
	}
	offset, after, ok := strings.Cut(v, ".")
	var at int64
	id, err := base64.RawURLEncoding.DecodeString(after)
	if !ok || err != nil || len(id) == 0 || readCursor(offset, &at) != nil || at > 1<<31 {
		return errCursor
	}
	req.Offset, req.After = int(at), string(id)
	return nil
}

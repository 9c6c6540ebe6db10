package api

import (
	"net/http"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// QuarantineBody names a source whose lines are taken out of recall.
type QuarantineBody struct {
	In
	Source  string    `json:"source" doc:"where they came from; stats lists the sources"`
	Since   time.Time `json:"since,omitzero" doc:"only lines said at or after that time"`
	Release bool      `json:"release,omitempty" doc:"put them back"`
}

// Audit is a page of the audit log, newest first.
type Audit struct {
	Entries []core.AuditEntry `json:"entries"`
	Next    string            `json:"next,omitempty" doc:"cursor of the next page; missing on the last one"`
}

func keeperRoutes() []route {
	return []route{
		on(route{
			method: http.MethodPost, path: "/quarantine", verb: "quarantine", about: "Take all that came from a source out of recall, or put it back",
			right: core.RightAdmin, slow: true,
		}, func(c *call, b *QuarantineBody) (engine.Quarantined, error) {
			return c.api.o.Engine.Quarantine(c.Context(), c.space, b.Source, b.Since, !b.Release)
		}),
		on(route{
			method: http.MethodDelete, path: "/spaces/{name}", verb: "erase_space", about: "Erase a space with everything in it",
			doc: "It cannot be undone.", right: core.RightAdmin, reach: ofServer, slow: true,
			params: []param{
				{name: "name", kind: "string", about: "the space", path: true},
				{name: "yes", kind: "boolean", about: "must be true"},
			},
		}, eraseSpace),
		on(route{
			method: http.MethodGet, path: "/stats", verb: "stats", about: "Count what is stored, by space", reach: ofServer,
			doc: "A token that is bound to spaces sees those.",
		}, stats),
		on(route{
			method: http.MethodGet, path: "/audit", verb: "audit", about: "List who did what, newest first",
			right: core.RightAdmin, reach: ofStore, params: pageParams,
		}, auditLog),
	}
}

func eraseSpace(c *call, _ *none) (rc core.Receipt, err error) {
	if c.space, err = c.who.Space(core.DefaultSpace, c.PathValue("name"), c.Header.Get("X-Orma-Space")); err != nil {
		return rc, err
	}
	yes, err := c.flag("yes")
	if err != nil {
		return rc, err
	}
	if !yes {
		return rc, core.Errorf(core.CodeInvalid, "erasing a space cannot be undone").Hinted("add ?yes=true")
	}
	return c.api.o.Engine.EraseSpace(c.Context(), c.space)
}

func stats(c *call, _ *none) (engine.Stats, error) {
	s, err := c.api.o.Engine.Stats(c.Context())
	if err != nil {
		return s, err
	}
	if s.Spaces == nil {
		s.Spaces = []core.SpaceStats{}
	}
	if c.who.NeedAll() == nil {
		return s, nil
	}
	mine := slices.DeleteFunc(s.Spaces, func(sp core.SpaceStats) bool { return !c.who.Opens(sp.Space) })
	may := core.StoreInfo{ReadOnly: s.Store.ReadOnly} // what a client must know to offer no writes; where the file is, is not its business
	return engine.Stats{Store: may, Spaces: mine, Embedder: s.Embedder, Vectors: map[string]int{}}, nil
}

func auditLog(c *call, _ *none) (Audit, error) {
	out := Audit{Entries: []core.AuditEntry{}}
	limit, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return out, err
	}
	var before int64
	if _, err := c.cursor(&before); err != nil {
		return out, err
	}
	es, err := c.api.o.Access.AuditLog(c.Context(), before, limit+1)
	if err != nil {
		return out, err
	}
	if len(es) > limit {
		es = es[:limit]
		out.Next = cursor(es[limit-1].Seq)
	}
	out.Entries = append(out.Entries, es...)
	return out, nil
}

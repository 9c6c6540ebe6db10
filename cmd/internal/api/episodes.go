package api

import (
	"cmp"
	"net/http"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
)

// NewEpisode is a text to remember.
type NewEpisode struct {
	engine.Input
	Trust string `json:"trust,omitempty" doc:"less trust than role and kind imply: user, note, document, import, assistant or tool"`
}

// AddBody is one text to remember, or a list of them.
type AddBody struct {
	In
	NewEpisode `openapi:"optional"`
	Episodes   []NewEpisode `json:"episodes,omitempty" doc:"several texts, in place of text"`
}

// AddAnswer says what became of each text, in order.
type AddAnswer struct {
	Added []engine.Added `json:"added"`
}

// Episode is one immutable record.
type Episode struct {
	ID          core.ID   `json:"id"`
	Key         string    `json:"key,omitempty" doc:"the caller's own id"`
	Kind        core.Kind `json:"kind"`
	Role        core.Role `json:"role"`
	Speaker     string    `json:"speaker,omitempty"`
	Session     string    `json:"session,omitempty"`
	Source      string    `json:"source"`
	Trust       string    `json:"trust"`
	At          time.Time `json:"at" doc:"when it was said"`
	Zone        string    `json:"tz,omitempty"`
	Recorded    time.Time `json:"recorded" doc:"when it was stored"`
	Expires     time.Time `json:"expires,omitzero"`
	Text        string    `json:"text"`
	RepeatOf    core.ID   `json:"repeat_of,omitempty"`
	Quarantined bool      `json:"quarantined,omitempty"`
}

// ViewEpisode returns an episode as answers show it.
func ViewEpisode(e *core.Episode) Episode {
	return Episode{
		ID: e.ID, Key: e.Key, Kind: e.Kind, Role: e.Role, Speaker: e.Speaker, Session: e.Session, Source: e.Source,
		Trust: e.Trust.String(), At: e.At, Zone: e.Zone, Recorded: e.Recorded, Expires: e.Expires, Text: e.Text,
		RepeatOf: e.RepeatOf, Quarantined: e.Quarantined,
	}
}

// Episodes is a page of the log, newest first.
type Episodes struct {
	Episodes []Episode `json:"episodes"`
	Next     string    `json:"next,omitempty" doc:"cursor of the next page; missing on the last one"`
}

var (
	pageParams = []param{
		{name: "limit", kind: "integer", about: "most items of a page"},
		{name: "cursor", kind: "string", about: "where the page begins: next of the page before"},
	}
	idParam = param{name: "id", kind: "integer", about: "the item", path: true}
)

func episodeRoutes() []route {
	return []route{
		on(route{
			method: http.MethodPost, path: "/episodes", verb: "add", about: "Remember one text or several",
			doc:  "All are stored in one transaction. A text that cannot be accepted is refused alone: its entry in the answer has error and code; when it is the only one, the request fails.",
			once: true,
		}, add),
		documentRoute(),
		on(route{
			method: http.MethodGet, path: "/episodes", verb: "episodes", about: "List what was said, newest first", params: pageParams,
		}, listEpisodes),
		on(route{
			method: http.MethodGet, path: "/episodes/{id}", verb: "episode", about: "Return one episode", params: []param{idParam},
		}, func(c *call, _ *none) (Episode, error) {
			id, err := c.id()
			if err != nil {
				return Episode{}, err
			}
			e, err := c.api.o.Engine.Episode(c.Context(), c.space, id)
			return ViewEpisode(&e), err
		}),
		on(route{
			method: http.MethodDelete, path: "/episodes/{id}", verb: "erase", about: "Erase an episode and all that was made of it", params: []param{idParam},
			doc: "Nothing of its text stays in the file. It cannot be undone.", slow: true,
		}, func(c *call, _ *none) (core.Receipt, error) {
			id, err := c.id()
			if err != nil {
				return core.Receipt{}, err
			}
			return c.api.o.Engine.Erase(c.Context(), c.space, id)
		}),
		on(route{
			method: http.MethodGet, path: "/export", verb: "export", about: "Export a space as rows that import takes back, one JSON object a line", stream: "application/x-ndjson",
			doc: "The rows are those of orma export: episodes with their repeats and times to live, and rows with a type for what was commanded. docs/import.md lists their keys.",
		}, export),
	}
}

func add(c *call, b *AddBody) (AddAnswer, error) {
	list := b.Episodes
	single := b.Text != "" || len(list) == 0
	if single && len(list) > 0 {
		return AddAnswer{}, core.Errorf(core.CodeInvalid, "the body has both text and episodes").Hinted("use one of them")
	}
	if single {
		list = []NewEpisode{b.NewEpisode}
	}
	if len(list) > c.api.o.Limits.Batch {
		return AddAnswer{}, core.Errorf(core.CodeTooLarge, "%d episodes are more than %d", len(list), c.api.o.Limits.Batch).Hinted("send them in parts")
	}
	inputs := make([]engine.Input, len(list))
	for i := range list {
		in, err := list[i].input()
		if err != nil {
			return AddAnswer{}, err
		}
		inputs[i] = in
	}
	added, err := c.api.o.Engine.Add(c.Context(), c.space, inputs...)
	if err != nil {
		return AddAnswer{}, err
	}
	if len(added) == 1 {
		if a := added[0]; a.Error != "" {
			return AddAnswer{}, core.Errorf(a.Code, "%s", a.Error)
		}
		c.item = added[0].ID
	}
	return AddAnswer{Added: added}, nil
}

// input checks the trust of an episode: a caller may trust its own text less than its
// role and kind imply, never more.
func (n *NewEpisode) input() (engine.Input, error) {
	in := n.Input
	if n.Trust == "" {
		return in, nil
	}
	t, ok := core.ParseTrust(n.Trust)
	if !ok {
		return in, core.Errorf(core.CodeInvalid, "trust %q is not known", n.Trust).Hinted("use user, note, document, import, assistant or tool")
	}
	implied := core.TrustOf(cmp.Or(in.Role, core.RoleUser), cmp.Or(in.Kind, core.KindTurn))
	if t > implied {
		return in, core.Errorf(core.CodeDenied, "trust %s is more than the role and kind imply, which is %s", t, implied)
	}
	in.Trust = t
	return in, nil
}

func listEpisodes(c *call, _ *none) (Episodes, error) {
	out := Episodes{Episodes: []Episode{}}
	limit, err := c.number("limit", 50, 1, 1000)
	if err != nil {
		return out, err
	}
	var before int64
	if _, err := c.cursor(&before); err != nil {
		return out, err
	}
	eps, err := c.api.o.Engine.Store().Recent(c.Context(), c.space, core.ID(before), limit+1)
	if core.CodeOf(err) == core.CodeNotFound {
		return out, nil // a space is empty until something is said in it
	}
	if err != nil {
		return out, err
	}
	if len(eps) > limit {
		eps = eps[:limit]
		out.Next = cursor(int64(eps[limit-1].ID))
	}
	for i := range eps {
		out.Episodes = append(out.Episodes, ViewEpisode(&eps[i]))
	}
	return out, nil
}

// export writes a space as the rows that import takes back, as it reads it.
func export(c *call, _ *none) (none, error) {
	out := &rows{c: c}
	_, err := history.Export(c.Context(), c.api.o.Engine.Store(), c.space, "", out)
	switch {
	case err == nil, core.CodeOf(err) == core.CodeNotFound && !out.begun: // a space is empty until something is said in it
		out.begin()
		return none{}, nil
	case !out.begun:
		return none{}, err
	}
	panic(http.ErrAbortHandler) // half an export must not look like a whole one
}

// rows is the body of an export. It begins with the first row, so that what fails
// before is answered as an error.
type rows struct {
	c     *call
	begun bool
}

func (r *rows) begin() {
	if !r.begun {
		r.begun = true
		r.c.startStream("application/x-ndjson")
	}
}

// Write sends rows.
func (r *rows) Write(b []byte) (int, error) {
	r.begin()
	return r.c.w.Write(b)
}

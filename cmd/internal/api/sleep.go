package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
)

// SleepBody says how to consolidate.
type SleepBody struct {
	In
	Backend string    `json:"backend,omitempty" doc:"what reads the lines; default by configuration"`
	DryRun  bool      `json:"dry_run,omitempty" doc:"report what would be done"`
	Rebuild bool      `json:"rebuild,omitempty" doc:"read every episode again"`
	Now     time.Time `json:"now,omitzero" doc:"the time to take as now"`
}

// Reports are what the last sleeps said of themselves, newest first.
type Reports struct {
	Reports []json.RawMessage `json:"reports"`
}

// Pending is what waits for sleep, in the order in which it will be read.
type Pending struct {
	Total    int              `json:"total"`
	Episodes []PendingEpisode `json:"episodes"`
}

// PendingEpisode is an episode that waits for sleep.
type PendingEpisode struct {
	Episode
	Attempts  int    `json:"attempts,omitempty" doc:"how often it was read in vain"`
	LastError string `json:"last_error,omitempty"`
}

func sleepRoutes() []route {
	return []route{
		on(route{
			method: http.MethodPost, path: "/sleep", verb: "sleep", about: "Turn what waits into checked facts, and report", slow: true,
		}, func(c *call, b *SleepBody) (*sleep.Report, error) {
			if c.api.o.Sleep == nil {
				return nil, core.Errorf(core.CodeUnsupported, "this server does not consolidate").Hinted("run: orma sleep")
			}
			return c.api.o.Sleep.Sleep(c.Context(), sleep.Run{Space: c.space, Backend: b.Backend, Now: b.Now, DryRun: b.DryRun, Rebuild: b.Rebuild})
		}),
		on(route{
			method: http.MethodGet, path: "/sleep", verb: "sleep_reports", about: "Return the reports of the last sleeps, newest first",
			params: []param{
				{name: "limit", kind: "integer", about: "how many, 1 to 100; default 10"},
				{name: "text", kind: "boolean", about: "with the text of the lines that items cite, as far as they are still there"},
			},
		}, func(c *call, _ *none) (Reports, error) {
			out := Reports{Reports: []json.RawMessage{}}
			n, err := c.number("limit", 10, 1, 100)
			if err != nil {
				return out, err
			}
			text, err := c.flag("text")
			if err != nil {
				return out, err
			}
			reports, err := c.api.o.Engine.Store().Reports(c.Context(), c.space, n)
			if core.CodeOf(err) == core.CodeNotFound {
				return out, nil
			}
			for _, r := range reports {
				if text && err == nil {
					r.Data, err = c.withText(r.Data)
				}
				out.Reports = append(out.Reports, r.Data)
			}
			return out, err
		}),
		on(route{
			method: http.MethodGet, path: "/sleep/pending", verb: "pending", about: "List what waits for sleep, in the order in which it will be read",
			params: []param{{name: "limit", kind: "integer", about: "most episodes to return, 1 to 1000; default 100"}},
		}, pending),
	}
}

func pending(c *call, _ *none) (out Pending, err error) {
	n, err := c.number("limit", 100, 1, 1000)
	if err != nil {
		return out, err
	}
	store := c.api.o.Engine.Store()
	eps, err := store.Pending(c.Context(), c.space, c.api.o.Now(), n)
	if core.CodeOf(err) == core.CodeNotFound || err == nil && len(eps) == 0 {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	due, err := store.Due(c.Context())
	for _, d := range due {
		if d.Space == c.space {
			out.Total = d.Pending
		}
	}
	out.Total = max(out.Total, len(eps))
	for i := range eps {
		out.Episodes = append(out.Episodes, PendingEpisode{ViewEpisode(&eps[i].Episode), eps[i].Attempts, eps[i].LastError})
	}
	return out, err
}

// withText puts the text of cited lines into a report. One that this version cannot read
// stays as it is.
func (c *call) withText(data []byte) ([]byte, error) {
	var r sleep.Report
	if json.Unmarshal(data, &r) != nil {
		return data, nil
	}
	var lines []*sleep.ReportLine
	var ids []core.ID
	for _, items := range [][]sleep.ReportItem{r.Accepted, r.Rejected} {
		for i := range items {
			for j := range items[i].Sources {
				lines, ids = append(lines, &items[i].Sources[j]), append(ids, items[i].Sources[j].Episode)
			}
		}
	}
	eps, err := c.api.o.Engine.Store().EpisodesByID(c.Context(), c.space, ids)
	if err != nil {
		return nil, err
	}
	texts := make(map[core.ID]string, len(eps))
	for i := range eps {
		texts[eps[i].ID] = eps[i].Text
	}
	for _, l := range lines {
		if t := texts[l.Episode]; l.Start >= 0 && l.Start <= l.End && l.End <= len(t) {
			l.Text = t[l.Start:l.End]
		}
	}
	return json.Marshal(&r)
}

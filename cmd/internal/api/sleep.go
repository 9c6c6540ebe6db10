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
			params: []param{{name: "limit", kind: "integer", about: "how many, 1 to 100; default 10"}},
		}, func(c *call, _ *none) (Reports, error) {
			out := Reports{Reports: []json.RawMessage{}}
			n, err := c.number("limit", 10, 1, 100)
			if err != nil {
				return out, err
			}
			reports, err := c.api.o.Engine.Store().Reports(c.Context(), c.space, n)
			if core.CodeOf(err) == core.CodeNotFound {
				return out, nil
			}
			for _, r := range reports {
				out.Reports = append(out.Reports, r.Data)
			}
			return out, err
		}),
	}
}

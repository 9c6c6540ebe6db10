package sleep_test

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/rules"
	"github.com/orma-memory/orma/core/sqlite"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/sentence"
	"github.com/orma-memory/orma/stages/sleep"
)

// steps builds the pipeline with every stage at its defaults.
func steps(t testing.TB) []sl.Step {
	t.Helper()
	var out []sl.Step
	for _, spec := range sleep.All() {
		st, err := spec.Build(spec.NewParams(), component.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sl.Step{Name: spec.Name, Spec: spec, Stage: st})
	}
	return out
}

// world is a store in a temporary folder with a sleeper on it.
type world struct {
	t     testing.TB
	store *sqlite.Store
	sleep *sl.Sleeper
	now   time.Time

	between func() // called before a second sleep
}

func newWorld(t testing.TB, backends map[string]sl.Extractor) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)}
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "m.db"), sqlite.Options{Now: func() time.Time { return w.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	w.store = st
	if backends == nil {
		backends = map[string]sl.Extractor{}
	}
	backends["rules"] = rules.New()
	w.sleep, err = sl.New(st, sl.Options{Steps: steps(t), Backends: backends, Holder: "test", Now: func() time.Time { return w.now }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// say appends one episode.
func (w *world) say(space string, e core.Episode) {
	w.t.Helper()
	if err := w.append(space, e); err != nil {
		w.t.Fatalf("append %q: %v", e.Text, err)
	}
}

func (w *world) append(space string, e core.Episode) error {
	if e.Kind == "" {
		e.Kind = core.KindTurn
	}
	if e.Role == "" {
		e.Role = core.RoleUser
	}
	if e.Trust == 0 {
		e.Trust = core.TrustOf(e.Role, e.Kind)
	}
	h := sha256.Sum256([]byte(text.Fold(strings.Join(strings.Fields(e.Text), " "))))
	d := core.Draft{Episode: e, NormHash: [16]byte(h[:16])}
	for _, s := range sentence.Split(e.Text, nil) {
		d.Passages = append(d.Passages, core.DraftPassage{Start: s.Start, End: s.End, Terms: "x"})
	}
	_, err := w.store.Append(context.Background(), space, []core.Draft{d})
	return err
}

func (w *world) consolidate(space, backend string, now time.Time) (*sl.Report, error) {
	return w.sleep.Sleep(context.Background(), sl.Run{Space: space, Backend: backend, Now: now})
}

func (w *world) states(space string) []core.State {
	w.t.Helper()
	out, err := w.store.States(context.Background(), space, core.StateFilter{})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// forget closes states the way the command does.
func (w *world) forget(space string, at time.Time, sts ...core.State) {
	w.t.Helper()
	p := &core.Plan{Space: space, At: at}
	for _, s := range sts {
		data, err := sl.TakenFrom(&s, "")
		if err != nil {
			w.t.Fatal(err)
		}
		p.Close = append(p.Close, core.Closing{State: s.ID, ValidTo: at.Format(time.DateOnly), Retracted: true})
		p.Entries = append(p.Entries, core.Entry{At: at, Op: core.OpForget, Data: data})
	}
	if err := w.store.Apply(context.Background(), p); err != nil {
		w.t.Fatal(err)
	}
}

// Every stage refuses parameters outside their range, and says which.
func TestParametersAreChecked(t *testing.T) {
	for _, c := range []struct {
		spec   sl.Spec
		params any
		want   string
	}{
		{sleep.Extract, sleep.ExtractParams{KnownNames: -1}, "known_names"},
		{sleep.Extract, sleep.ExtractParams{KnownStates: 5000}, "known_states"},
		{sleep.Cite, sleep.CiteParams{MaxValue: 3}, "max_value"},
		{sleep.Ground, sleep.GroundParams{Paraphrase: 0.2}, "paraphrase"},
		{sleep.Ground, sleep.GroundParams{Paraphrase: 2}, "paraphrase"},
	} {
		if _, err := c.spec.Build(c.params, component.Deps{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %s", c.spec.Name, c.params, err, c.want)
		}
	}
	if _, err := sl.NewRegistry(sleep.All()...); err != nil {
		t.Error(err)
	}
}

func (w *world) sleepNow() time.Time { return w.now }

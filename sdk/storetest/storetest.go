// Package storetest is the conformance suite of [core.Store]. A store that passes
// it can stand in for any other.
package storetest

import (
	"crypto/sha256"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

// Open opens the store kept in a folder, making it if there is none. Opened twice,
// both must see the same store. The suite closes what it opens.
type Open func(t *testing.T, dir string) core.Store

// Run runs the suite.
func Run(t *testing.T, open Open) {
	t.Helper()
	groups := []struct {
		name  string
		cases []check
	}{
		{"append", appendChecks},
		{"repeats", repeatChecks},
		{"isolation", isolationChecks},
		{"search", searchChecks},
		{"feed", feedChecks},
		{"vectors", vectorChecks},
		{"facts", factChecks},
		{"sleep", sleepChecks},
		{"erase", eraseChecks},
		{"quarantine", quarantineChecks},
		{"keeper", keeperChecks},
		{"property", propertyChecks},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					h := &harness{T: t, open: open, dir: t.TempDir()}
					h.Store = h.another()
					c.run(h)
				})
			}
		})
	}
}

type check struct {
	name string
	run  func(*harness)
}

// harness is a test with a store.
type harness struct {
	*testing.T
	core.Store
	open Open
	dir  string
}

// another opens the store once more, as another process would.
func (h *harness) another() core.Store {
	h.Helper()
	s := h.open(h.T, h.dir)
	h.Cleanup(func() {
		if err := s.Close(); err != nil {
			h.Error(err)
		}
	})
	return s
}

// reopen closes the store and opens it again.
func (h *harness) reopen() {
	h.Helper()
	h.ok(h.Store.Close())
	h.Store = h.another()
}

func (h *harness) ok(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// want fails unless err has the code.
func (h *harness) want(err error, code core.Code) {
	h.Helper()
	if err == nil || core.CodeOf(err) != code {
		h.Fatalf("got error %v (%s), want %s", err, core.CodeOf(err), code)
	}
	if code == core.CodeNotFound && !errors.Is(err, core.ErrNotFound) {
		h.Fatalf("%v does not match ErrNotFound", err)
	}
}

func (h *harness) equal(what string, got, want any) {
	h.Helper()
	if !reflect.DeepEqual(got, want) {
		h.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func must[T any](h *harness) func(v T, err error) T {
	return func(v T, err error) T {
		h.Helper()
		h.ok(err)
		return v
	}
}

// t0 is the suite's first moment; stores keep microseconds.
var t0 = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

func day(n int) time.Time { return t0.AddDate(0, 0, n) }

// change adjusts a draft.
type change func(*core.Draft)

func by(role core.Role) change {
	return func(d *core.Draft) { d.Episode.Role, d.Episode.Trust = role, core.TrustOf(role, d.Episode.Kind) }
}
func kind(k core.Kind) change { return func(d *core.Draft) { d.Episode.Kind = k } }
func from(source string) change {
	return func(d *core.Draft) { d.Episode.Source = source }
}
func at(t time.Time) change          { return func(d *core.Draft) { d.Episode.At = t } }
func until(t time.Time) change       { return func(d *core.Draft) { d.Episode.Expires = t } }
func named(key string) change        { return func(d *core.Draft) { d.Episode.Key = key } }
func speaking(speaker string) change { return func(d *core.Draft) { d.Episode.Speaker = speaker } }

// vectors gives each passage a vector made from its text.
func vectors(embedder string) change {
	return func(d *core.Draft) {
		for i := range d.Passages {
			p := &d.Passages[i]
			p.Embedder, p.Vector = embedder, vectorOf(d.Episode.Text[p.Start:p.End])
		}
	}
}

func vectorOf(text string) []byte {
	h := sha256.Sum256([]byte(text))
	return h[:]
}

// draft makes a turn of the user's with a passage a sentence.
func draft(text string, changes ...change) core.Draft {
	d := core.Draft{Episode: core.Episode{
		Kind: core.KindTurn, Role: core.RoleUser, Source: "chat", Trust: core.TrustUser, At: t0, Text: text,
	}}
	normal := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	hash := sha256.Sum256([]byte(normal))
	copy(d.NormHash[:], hash[:])
	start := 0
	for start < len(text) {
		end := len(text)
		if i := strings.Index(text[start:], ". "); i >= 0 {
			end = start + i + 1
		}
		if strings.TrimSpace(text[start:end]) != "" {
			d.Passages = append(d.Passages, core.DraftPassage{Start: start, End: end, Terms: termsOf(text[start:end])})
		}
		start = end
		for start < len(text) && text[start] == ' ' {
			start++
		}
	}
	for _, c := range changes {
		c(&d)
	}
	return d
}

// derive is what a store's check makes drafts anew with.
func derive(e core.Episode) (core.Draft, error) {
	d := draft(e.Text)
	d.Episode = e
	return d, nil
}

func termsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .,!?", r) }), " ")
}

// add appends one text to a space.
func (h *harness) add(space, text string, changes ...change) core.Appended {
	h.Helper()
	out, err := h.Append(h.Context(), space, []core.Draft{draft(text, changes...)})
	h.ok(err)
	if len(out) != 1 || out[0].ID == 0 {
		h.Fatalf("Append gave %+v for one draft", out)
	}
	return out[0]
}

// source cites the first passage of an appended text, whole.
func source(a core.Appended, text string, when time.Time) core.Source {
	p := draft(text).Passages[0]
	return core.Source{Episode: a.ID, Passage: a.Passages[0], Start: p.Start, End: p.End, At: when}
}

// state makes a state of the user's that rests on a line.
func (h *harness) state(space, attribute, value string, src ...core.Source) core.State {
	h.Helper()
	id := must[core.ID](h)(h.ReserveIDs(h.Context(), 1))
	return core.State{
		ID: id, Space: space, Subject: core.SubjectUser, Attribute: attribute, Value: value,
		ValidFrom: src[0].At.Format(time.DateOnly), Said: src[0].At, Recorded: day(1), Trust: core.TrustUser,
		Sources: src, Backend: "rules",
	}
}

func (h *harness) apply(p *core.Plan) {
	h.Helper()
	if p.At.IsZero() {
		p.At = day(1)
	}
	h.ok(h.Apply(h.Context(), p))
}

func (h *harness) states(space string, f core.StateFilter) []core.State {
	h.Helper()
	return must[[]core.State](h)(h.States(h.Context(), space, f))
}

func (h *harness) values(space string, f core.StateFilter) string {
	h.Helper()
	var vs []string
	for _, s := range h.states(space, f) {
		vs = append(vs, s.Value)
	}
	return strings.Join(vs, ",")
}

// find returns the texts of the passages that search gives.
func (h *harness) find(space string, terms ...string) []string {
	h.Helper()
	hits := must[[]core.Hit](h)(h.SearchText(h.Context(), space, terms, 100))
	var out []string
	for _, hit := range hits {
		ps := must[[]core.Passage](h)(h.Passages(h.Context(), space, []core.ID{hit.ID}))
		if len(ps) != 1 {
			h.Fatalf("hit %d is no passage", hit.ID)
		}
		e := must[core.Episode](h)(h.Episode(h.Context(), space, ps[0].Episode))
		out = append(out, e.Text[ps[0].Start:ps[0].End])
	}
	return out
}

func itoa(id core.ID) string { return strconv.FormatInt(int64(id), 10) }

package history

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/orma-memory/orma/core"
)

// Export writes a space as rows that [Import] takes back: episodes with their repeats
// and times to live, in the order they were recorded, the facts that commands made,
// and what was commanded, each at a place where it has the same effect again. It
// returns how many episodes it wrote. name is the space that rows name, "" for none.
func Export(ctx context.Context, s core.Store, space, name string, w io.Writer) (int, error) {
	bw := bufio.NewWriterSize(w, 256<<10)
	x := &exporter{space: name, enc: json.NewEncoder(bw)}
	x.enc.SetEscapeHTML(false)
	if err := x.gather(ctx, s, space); err != nil {
		return 0, err
	}
	n := 0
	for ep, err := range s.Scan(ctx, space, 0) {
		if err != nil {
			return n, err
		}
		if err := x.before(ep.ID); err != nil {
			return n, err
		}
		if err := x.enc.Encode(x.row(&ep)); err != nil {
			return n, err
		}
		n++
	}
	if err := x.before(end); err != nil {
		return n, err
	}
	return n, bw.Flush()
}

type exporter struct {
	space    string
	enc      *json.Encoder
	commands []command // still to be written, in order
}

// command is a row that stands behind the episodes up to an ID.
type command struct {
	after core.ID
	row   any
}

// end stands behind all episodes.
const end core.ID = math.MaxInt64

// gather reads all that is not an episode. IDs grow in the order of recording, so they
// say where a fact belongs among the episodes.
func (x *exporter) gather(ctx context.Context, s core.Store, space string) error {
	states, err := s.States(ctx, space, core.StateFilter{Hidden: true})
	if err != nil {
		return err
	}
	states = slices.DeleteFunc(states, func(st core.State) bool { return !byCommand(&st) })
	slices.SortFunc(states, func(a, b core.State) int { return cmp.Compare(a.ID, b.ID) })
	for i := range states {
		st := &states[i]
		x.commands = append(x.commands, command{st.ID, x.state(st)})
		if !st.Closed.IsZero() {
			x.commands = append(x.commands, command{closedAfter(st, states[i+1:]), closeRow{
				Type: typeClose, Space: x.space, State: st.ID, At: momentOf(st.Closed),
				ValidTo: st.ValidTo, SupersededBy: st.SupersededBy, Retracted: st.Retracted,
			}})
		}
	}
	entries, err := s.Entries(ctx, space)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if kept(e.Op) {
			x.commands = append(x.commands, command{end, journalRow{typeJournal, x.space, momentOf(e.At), e.Op, e.Data}})
		}
	}
	slices.SortStableFunc(x.commands, func(a, b command) int { return cmp.Compare(a.after, b.after) })
	return nil
}

// closedAfter is where the end of a fact stands: before the episode that states it
// again, if one does.
func closedAfter(st *core.State, later []core.State) core.ID {
	for _, l := range later {
		if l.Subject == st.Subject && l.Attribute == st.Attribute && l.Value == st.Value && len(l.Sources) > 0 {
			return max(st.ID, l.Sources[0].Episode-1)
		}
	}
	return end
}

// before writes the commands that stand before an episode.
func (x *exporter) before(id core.ID) error {
	for len(x.commands) > 0 && (x.commands[0].after < id || id == end) {
		if err := x.enc.Encode(x.commands[0].row); err != nil {
			return err
		}
		x.commands = x.commands[1:]
	}
	return nil
}

func (x *exporter) row(ep *core.Episode) *Row {
	r := &Row{
		Space: x.space, N: ep.ID, ID: name(ep.Key), At: momentOf(ep.At), Role: ep.Role, Kind: ep.Kind, Speaker: ep.Speaker,
		Session: name(ep.Session), Source: ep.Source, Zone: ep.Zone, Expires: momentOf(ep.Expires),
		Quarantined: ep.Quarantined, Text: &ep.Text,
	}
	if ep.Trust != core.TrustOf(ep.Role, ep.Kind) {
		r.Trust = ep.Trust.String()
	}
	for _, m := range markNames {
		if ep.Marks&m.mark != 0 {
			r.Marks = append(r.Marks, m.name)
		}
	}
	return r
}

func (x *exporter) state(st *core.State) stateRow {
	r := stateRow{
		Type: typeState, Space: x.space, N: st.ID, Subject: st.Subject, Attribute: st.Attribute, Value: st.Value, Condition: st.Condition,
		Forbidden: st.Forbidden, ValidFrom: st.ValidFrom, Stated: st.Stated, Said: momentOf(st.Said), Recorded: momentOf(st.Recorded),
		Trust: st.Trust.String(), Expires: momentOf(st.Expires), Backend: st.Backend, Sources: []sourceRow{},
	}
	for _, s := range st.Sources {
		if s.Episode > st.ID {
			continue // it says again what holds; import finds that out
		}
		r.Sources = append(r.Sources, sourceRow{s.Episode, s.Start, s.End, momentOf(s.At)})
	}
	return r
}

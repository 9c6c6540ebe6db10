package sleep

import (
	"context"
	"runtime"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep/lang"
	"github.com/orma-memory/orma/core/text/sentence"
)

// contextEpisodes is how many earlier records of a session are read for whom a
// pronoun means.
const contextEpisodes = 4

// contextLines is how many lines of context a batch has that begins within a record.
const contextLines = 60

// contextRunes is how much of an assistant's line a prompt shows.
const contextRunes = 200

// parts cuts records into stretches that fit a batch.
func (w *worker) parts(ctx context.Context, eps []core.PendingEpisode) ([]part, error) {
	var ids []core.ID
	for _, e := range eps {
		ids = append(ids, e.ID)
		if e.RepeatOf != 0 {
			ids = append(ids, e.RepeatOf)
		}
	}
	passages := map[core.ID][]core.Passage{}
	ps, err := w.store.PassagesOf(ctx, w.run.Space, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		passages[p.Episode] = append(passages[p.Episode], p)
	}
	out := make([]part, 0, len(eps))
	for _, e := range eps {
		own := passages[e.ID]
		if len(own) == 0 && e.RepeatOf != 0 {
			own = passages[e.RepeatOf]
		}
		lines := w.lines(&e.Episode, own)
		var before []*Line
		for first := true; first || len(lines) > 0; first = false {
			n, tokens := 0, 0
			for n < len(lines) {
				t := lineTokens(lines[n])
				if n > 0 && tokens+t > w.s.opt.BatchTokens {
					break
				}
				tokens += t
				n++
			}
			p := part{episode: e, before: before, lines: lines[:n], last: n == len(lines)}
			out = append(out, p)
			before, lines = p.behind(n), lines[n:]
		}
	}
	return out, nil
}

// giveWay lets whoever waits for a processor, such as a recall, go first. Sleep has time
// between two lines; Go alone would let the others wait for ten milliseconds.
func giveWay() { runtime.Gosched() }

// lines cuts a record into sentences, each with the passage it stands in.
func (w *worker) lines(e *core.Episode, passages []core.Passage) []*Line {
	zone := w.zone(e.Zone)
	base := Line{
		Episode: e.ID, Said: e.At, Zone: zone, Kind: e.Kind, Role: e.Role, Speaker: e.Speaker, Session: e.Session, Trust: e.Trust, Expires: e.Expires,
	}
	switch e.Kind {
	case core.KindAntiPattern, core.KindIdentity:
	case core.KindTool:
		base.Citable = w.s.opt.Tools
	default:
		base.Citable = e.Role == core.RoleUser && (e.Trust == 0 || e.Trust >= core.TrustImport)
		base.Citable = base.Citable || e.Role == core.RoleTool && w.s.opt.Tools
		base.Own = e.Role == core.RoleUser && e.Kind != core.KindDocument
		base.Rules = base.Own && (e.Trust == 0 || e.Trust >= core.TrustNote)
	}
	if e.Quarantined || e.Marks&core.MarkInstruction != 0 && e.Kind == core.KindDocument {
		base.Citable = false
	}
	var out []*Line
	k := 0
	quotes := lang.QuotesIn(e.Text)
	framed := false
	for _, sp := range sentence.Split(e.Text, nil) {
		giveWay()
		l := base
		l.Text = e.Text[sp.Start:sp.End]
		l.Source = core.Source{Episode: e.ID, Start: sp.Start, End: sp.End, At: e.At}
		for k+1 < len(passages) && passages[k].End <= sp.Start && e.RepeatOf == 0 {
			k++
		}
		if k < len(passages) {
			p := passages[k]
			if e.RepeatOf != 0 || p.Start <= sp.Start && sp.End <= p.End {
				l.Source.Passage = p.ID
			}
			if e.RepeatOf != 0 && k+1 < len(passages) {
				k++
			}
		}
		l.grammar = w.s.set.AnalyseIn(l.Text, sp.Start, quotes)
		if framed {
			l.grammar.Frame()
		}
		framed = framed || l.grammar.Opens
		out = append(out, &l)
	}
	return out
}

func (w *worker) zone(name string) *time.Location {
	if name != "" {
		if z, err := time.LoadLocation(name); err == nil {
			return z
		}
	}
	if w.s.opt.Zone != nil {
		return w.s.opt.Zone
	}
	return time.UTC
}

// makeBatch puts parts, and the lines before them that tell who is meant, into a
// batch.
func (w *worker) makeBatch(ctx context.Context, parts []part) (*Batch, error) {
	b := &Batch{
		Space: w.run.Space, Now: w.run.Now, Book: w.book,
		Plan: &core.Plan{Space: w.run.Space, At: w.run.Now},
		Env: &Env{
			Languages: w.s.set, Clock: w.s.clock, Order: w.s.opt.Order, Embedder: w.s.opt.Embedder,
			Backend: w.s.backend(w.run), Reserve: w.store.ReserveIDs,
		},
	}
	for _, p := range parts {
		b.Lines = append(b.Lines, p.lines...)
		if p.last && !w.failing[p.episode.ID] {
			b.Plan.Done = append(b.Plan.Done, p.episode.ID)
		}
	}
	for i, l := range b.Lines {
		l.N, l.items = i+1, nil
	}
	return b, w.addContext(ctx, b, parts)
}

// addContext adds the records said before the batch in its sessions.
func (w *worker) addContext(ctx context.Context, b *Batch, parts []part) error {
	first := parts[0].episode
	in := map[core.ID]bool{}
	sessions := map[string]bool{}
	for _, p := range parts {
		in[p.episode.ID] = true
		sessions[p.episode.Session] = true
	}
	recent, err := w.store.Recent(ctx, w.run.Space, first.ID, 6*contextEpisodes)
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, e := range recent {
		if in[e.ID] || !sessions[e.Session] || e.At.After(first.At) || count[e.Session] >= contextEpisodes || e.Quarantined {
			continue
		}
		count[e.Session]++
		b.Context = append(b.Context, w.lines(&e, nil)...)
	}
	slices.SortStableFunc(b.Context, func(a, c *Line) int { return a.Said.Compare(c.Said) })
	for _, l := range b.Context {
		l.Citable = false
	}
	if len(parts[0].before) > 0 {
		// A record that is continued: what stands before in it is context too.
		for _, l := range parts[0].before {
			c := *l
			c.Citable, c.Source.Passage = false, 0
			b.Context = append(b.Context, &c)
		}
		if n := len(b.Context); n > contextLines {
			b.Context = b.Context[n-contextLines:]
		}
	}
	return nil
}

// behind returns what stands before the line n of a part, as far as it is context: the
// lines before of the same record, so that none is analysed again for each part of a long one.
func (p part) behind(n int) []*Line {
	b := append(slices.Clip(p.before), p.lines[:n]...)
	return b[max(0, len(b)-contextLines):]
}

// lineTokens estimates what a line costs in a prompt, with its mark: a token for
// about three and a half bytes of Latin script, one for each letter of others.
func lineTokens(l *Line) int {
	ascii, other := 0, 0
	for _, r := range l.Text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	if l.Role == core.RoleAssistant {
		ascii, other = min(ascii, contextRunes), min(other, contextRunes)
	}
	return 12 + (ascii*2+6)/7 + other
}

func partTokens(p part) int {
	n := 0
	for _, l := range p.lines {
		n += lineTokens(l)
	}
	return n
}

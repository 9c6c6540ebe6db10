package sqlite

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// Append stores drafts in order, in one transaction.
func (s *Store) Append(ctx context.Context, space string, drafts []core.Draft) ([]core.Appended, error) {
	for i := range drafts {
		if err := checkDraft(&drafts[i]); err != nil {
			return nil, core.Errorf(core.CodeInvalid, "draft %d: %w", i, err)
		}
	}
	if len(drafts) == 0 {
		return nil, nil
	}
	var out []core.Appended
	err := s.write(ctx, func(t *tx) error {
		out = make([]core.Appended, len(drafts))
		a, err := t.appender(space)
		if err != nil {
			return err
		}
		if err := t.roomForEpisodes(space, a.sp, len(drafts)); err != nil {
			return err
		}
		for i := range drafts {
			if out[i], err = a.add(&drafts[i]); err != nil {
				return err
			}
		}
		return a.finish()
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func checkDraft(d *core.Draft) error {
	e := &d.Episode
	if e.Kind == "" || e.Role == "" {
		return core.Errorf(core.CodeInvalid, "no kind or no role")
	}
	if !utf8.ValidString(e.Text) {
		return core.Errorf(core.CodeInvalid, "the text is not UTF-8")
	}
	end := 0
	for i, p := range d.Passages {
		if p.Start < end || p.End <= p.Start || p.End > len(e.Text) {
			return core.Errorf(core.CodeInvalid, "passage %d (%d to %d) is outside of the text or overlaps", i, p.Start, p.End)
		}
		if p.Vector != nil && p.Embedder == "" {
			return core.Errorf(core.CodeInvalid, "passage %d has a vector of no embedder", i)
		}
		end = p.End
	}
	return nil
}

// appender adds episodes to one space within a transaction.
type appender struct {
	*tx
	sp        *spaceRow
	embedders map[string]int64
	prefix    string
	terms     []byte

	episodes, repeats, passages, length int // added to the space's counts
	first, last                         int64
	uses                                []core.Use
}

func (t *tx) appender(name string) (*appender, error) {
	sp, err := t.makeSpace(name)
	if err != nil {
		return nil, err
	}
	return &appender{tx: t, sp: sp, prefix: termPrefix(sp.id)}, nil
}

func (a *appender) add(d *core.Draft) (core.Appended, error) {
	n := 1 + len(d.Passages)
	if d.Rule != nil {
		n++
	}
	first, err := a.next("id", n)
	if err != nil {
		return core.Appended{}, err
	}
	out := core.Appended{ID: core.ID(first)}
	holder, err := a.holderOf(d)
	if err != nil {
		return out, err
	}
	e := &d.Episode
	if err := a.insertEpisode(first, d, holder); err != nil {
		return out, err
	}
	if holder != 0 {
		out.RepeatOf = idOf(holder)
		return out, a.addRepeat(holder, e)
	}
	key := pack(a.sp.id, first)
	out.Passages = make([]core.ID, len(d.Passages))
	for i := range d.Passages {
		id := first + 1 + int64(i)
		out.Passages[i] = core.ID(id)
		if err := a.insertPassage(key, id, i, &d.Passages[i], conflict{}); err != nil {
			return out, err
		}
	}
	if d.Rule != nil {
		out.RuleID = core.ID(first + int64(n) - 1)
		rule := *d.Rule
		rule.ID = out.RuleID
		rule.Expires = e.Expires
		if rule.Recorded.IsZero() {
			rule.Recorded = a.now
		}
		if rule.Said.IsZero() {
			rule.Said = e.At
		}
		rule.Sources = ruleSource(&out, d)
		return out, a.insertState(a.sp, &rule)
	}
	return out, nil
}

// ruleSource is the line that a rule written by command rests on: its own.
func ruleSource(out *core.Appended, d *core.Draft) []core.Source {
	src := core.Source{Episode: out.ID, End: len(d.Episode.Text), At: d.Episode.At}
	if len(d.Passages) > 0 {
		src.Passage, src.Start, src.End = out.Passages[0], d.Passages[0].Start, d.Passages[0].End
	}
	return []core.Source{src}
}

const insertEpisode = `INSERT INTO episodes
	(key, norm, kind, role, speaker, session, source, outer_key, trust, marks, at, zone,
	 recorded, expires, quarantined, repeat_of, spans, parts, lives, text)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`

func (a *appender) insertEpisode(id int64, d *core.Draft, holder int64) error {
	e := &d.Episode
	var norm, outer, repeatOf, spans any
	if d.NormHash != [16]byte{} {
		norm = d.NormHash[:]
	}
	if e.Key != "" {
		outer = e.Key
	}
	if holder != 0 {
		repeatOf, spans = holder, packSpans(d.Passages)
		a.repeats++
	}
	a.episodes++
	at := micros(e.At)
	if a.episodes == 1 || at < a.first {
		a.first = at
	}
	if a.episodes == 1 || at > a.last {
		a.last = at
	}
	key := pack(a.sp.id, id)
	if err := a.exec(insertEpisode, key, norm, string(e.Kind), string(e.Role), e.Speaker, e.Session, e.Source,
		outer, int(e.Trust), int(e.Marks), at, e.Zone, a.now, e.Expires, e.Quarantined, repeatOf, spans, len(d.Passages), e.Expires, e.Text); err != nil {
		return err
	}
	if e.Kind == core.KindAntiPattern {
		return nil // a rule at once: sleep has nothing to do
	}
	return a.exec("INSERT INTO pending (space, at, episode) VALUES (?, ?, ?)", a.sp.id, at, key)
}

const insertPassage = `INSERT INTO passages (key, episode, seq, start, stop, terms, born, stamp) VALUES (?,?,?,?,?,?,?,?)`

// conflict is what becomes of a passage's rows that are there already. Its zero value
// is that there must be none.
type conflict struct{ passage, vector string }

// insertPassage writes a passage, its full text and its vector, and counts it.
func (a *appender) insertPassage(episode, id int64, seq int, p *core.DraftPassage, again conflict) error {
	n := a.prefixed(p.Terms)
	key := pack(a.sp.id, id)
	a.passages++
	a.length += n
	if err := a.exec(insertPassage+again.passage, key, episode, seq, p.Start, p.End, n, a.sp.gen, a.sp.stamp()); err != nil {
		return err
	}
	if err := a.exec("INSERT INTO fulltext (rowid, terms) VALUES (?, ?)", id, string(a.terms)); err != nil {
		return err
	}
	if p.Vector == nil {
		return nil
	}
	emb, err := a.embedder(p.Embedder)
	if err != nil {
		return err
	}
	return a.exec("INSERT INTO vectors (key, vec) VALUES (?, ?)"+again.vector, vectorKey(emb, key), p.Vector)
}

// termPrefix begins every term of a space in the full text index.
func termPrefix(space int64) string { return strconv.FormatInt(space, 36) + ":" }

// prefixed puts terms with the space's prefix into a.terms and counts them.
func (a *appender) prefixed(terms string) (n int) {
	a.terms = a.terms[:0]
	for t := range strings.FieldsFuncSeq(terms, splitsTerms) {
		if n > 0 {
			a.terms = append(a.terms, ' ')
		}
		a.terms = append(append(a.terms, a.prefix...), t...)
		n++
	}
	return n
}

// splitsTerms is what the index takes as the space between terms.
func splitsTerms(r rune) bool { return r <= ' ' || r == 0x7f }

// embedder returns the number of an embedder, new or known.
func (a *appender) embedder(name string) (int64, error) {
	if id, ok := a.embedders[name]; ok {
		return id, nil
	}
	id, err := a.embedderID(name)
	if err != nil {
		return 0, err
	}
	if a.embedders == nil {
		a.embedders = map[string]int64{}
	}
	a.embedders[name] = id
	return id, nil
}

func (a *appender) finish() error {
	if err := a.exec(`UPDATE spaces SET episodes = episodes + ?, repeats = repeats + ?, passages = passages + ?,
		terms = terms + ?, first = min(coalesce(first, ?5), ?5), last = max(coalesce(last, ?6), ?6) WHERE id = ?7`,
		a.episodes, a.repeats, a.passages, a.length, a.first, a.last, a.sp.id); err != nil {
		return err
	}
	return a.insertUses(a.sp, a.uses)
}

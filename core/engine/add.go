package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/vector"
)

// Add remembers texts, in order and in one transaction. A text that cannot be
// accepted is refused alone: its Added says why. The error is for failures that
// concern all of them.
func (e *Engine) Add(ctx context.Context, space string, inputs ...Input) ([]Added, error) {
	space, err := Space(space)
	if err != nil {
		return nil, err
	}
	out := make([]Added, len(inputs))
	drafts := make([]core.Draft, 0, len(inputs))
	from := make([]int, 0, len(inputs))
	for i, in := range inputs {
		d, masked, err := e.draft(in)
		if err != nil {
			out[i] = Added{Key: in.Key, Error: err.Error(), Code: core.CodeOf(err)}
			continue
		}
		out[i] = Added{Key: in.Key, Masked: masked, Repaired: d.Episode.Marks&core.MarkRepaired != 0}
		drafts = append(drafts, d)
		from = append(from, i)
	}
	if len(drafts) == 0 {
		return out, nil
	}
	if err := e.embedDrafts(ctx, drafts); err != nil {
		return nil, err
	}
	again, err := e.standing(ctx, space, drafts)
	if err != nil {
		return nil, err
	}
	stored, err := e.o.Store.Append(ctx, space, drafts)
	if err != nil {
		return nil, err
	}
	e.noteAdded(space, stored)
	if err := e.restate(ctx, space, again, drafts, stored); err != nil {
		return nil, err
	}
	for j, a := range stored {
		r := &out[from[j]]
		r.ID, r.Passages, r.RepeatOf, r.RuleID = a.ID, a.Passages, a.RepeatOf, a.RuleID
		if r.Passages == nil {
			r.Passages = []core.ID{}
		}
	}
	e.nudge()
	return out, nil
}

// Derive makes a draft of an episode that is stored, with everything that is derived
// from it: what doctor rebuilds tables with.
func (e *Engine) Derive(ep core.Episode) (core.Draft, error) {
	d := e.derived(ep)
	err := e.embedDrafts(context.Background(), []core.Draft{d})
	return d, err
}

// draft checks an input and derives what is stored with it.
func (e *Engine) draft(in Input) (core.Draft, int, error) {
	ep, masked, err := e.episode(in)
	if err != nil {
		return core.Draft{}, 0, err
	}
	d := e.derived(ep)
	if ep.Quarantined {
		d.Rule = nil // it would stand; a row of its own brings it back, hidden
	}
	return d, masked, nil
}

// Known returns the episode that an input became when it was stored before: the newest
// with its source and key that says the same, by the same.
func (e *Engine) Known(ctx context.Context, space string, in Input) (id core.ID, ok bool, err error) {
	if space, err = Space(space); err != nil || in.Key == "" {
		return 0, false, err
	}
	ep, _, err := e.episode(in)
	if err != nil {
		return 0, false, nil // what is refused is not known; Add says why
	}
	had, err := e.o.Store.EpisodesByKey(ctx, space, ep.Source, ep.Key)
	for i := range had {
		if old := &had[i]; old.Text == ep.Text && old.Role == ep.Role && old.Kind == ep.Kind && old.Speaker == ep.Speaker {
			return old.ID, true, err
		}
	}
	return 0, false, err
}

// episode checks an input and makes the episode it becomes.
func (e *Engine) episode(in Input) (ep core.Episode, masked int, err error) {
	body, repaired, err := Clean(in.Text, e.o.Limits.EpisodeBytes)
	if err != nil {
		return ep, 0, err
	}
	ep = core.Episode{
		Key: in.Key, Kind: in.Kind, Role: in.Role, Speaker: strings.TrimSpace(in.Speaker), Session: in.Session,
		Source: in.Source, Trust: in.Trust, At: e.now(in.At), Zone: in.Zone, Expires: in.Expires,
		Marks: in.Marks & (core.MarkRepaired | core.MarkMasked), Quarantined: in.Quarantined,
	}
	if err := fillEpisode(&ep); err != nil {
		return ep, 0, err
	}
	if err := expiry(&ep, in.TTL); err != nil {
		return ep, 0, err
	}
	if repaired {
		ep.Marks |= core.MarkRepaired
	}
	if ep.Text, masked = e.o.Mask(body); masked > 0 {
		ep.Marks |= core.MarkMasked
	}
	if ep.Trust < core.TrustDocument && ReadsLikeOrder(ep.Text) {
		ep.Marks |= core.MarkInstruction
	}
	return ep, masked, nil
}

// fillEpisode sets defaults and refuses what is not known.
func fillEpisode(ep *core.Episode) error {
	if ep.Kind == "" {
		ep.Kind = core.KindTurn
	}
	if !slices.Contains(core.Kinds(), ep.Kind) {
		return core.Errorf(core.CodeInvalid, "kind %q is not known", ep.Kind).Hinted("use turn, note, document, tool, anti_pattern or identity")
	}
	if ep.Role == "" {
		ep.Role = core.RoleUser
		if ep.Kind == core.KindTool {
			ep.Role = core.RoleTool
		}
	}
	if !slices.Contains(core.Roles(), ep.Role) {
		return core.Errorf(core.CodeInvalid, "role %q is not known", ep.Role).Hinted("use user, assistant, tool or system")
	}
	if ep.Source == "" {
		ep.Source = "api"
	}
	if ep.Trust == 0 {
		ep.Trust = core.TrustOf(ep.Role, ep.Kind)
	}
	if ep.Zone != "" {
		if _, err := time.LoadLocation(ep.Zone); err != nil {
			return core.Errorf(core.CodeInvalid, "time zone %q is not known", ep.Zone).Hinted("use an IANA name such as Europe/Berlin")
		}
	}
	for _, f := range []struct{ name, value string }{
		{"speaker", ep.Speaker}, {"session", ep.Session}, {"source", ep.Source}, {"id", ep.Key},
	} {
		if len(f.value) > 512 {
			return core.Errorf(core.CodeTooLarge, "%s has %d bytes, more than 512", f.name, len(f.value))
		}
	}
	ep.Speaker, ep.Session = valid(ep.Speaker), valid(ep.Session)
	ep.Source, ep.Key = valid(ep.Source), valid(ep.Key)
	return nil
}

func valid(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func expiry(ep *core.Episode, ttl string) error {
	if ttl == "" {
		return nil
	}
	d, forever, err := clock.ParseTTL(ttl)
	if err != nil {
		return core.Errorf(core.CodeInvalid, "ttl: %w", err)
	}
	if !forever {
		ep.Expires = ep.At.Add(d)
	}
	return nil
}

// derived cuts an episode into passages with their search terms, and makes the rule
// that an anti-pattern is.
func (e *Engine) derived(ep core.Episode) core.Draft {
	d := core.Draft{Episode: ep}
	sum := sha256.Sum256([]byte(normalise(ep.Text)))
	copy(d.NormHash[:], sum[:])
	var t text.Terms
	for _, sp := range passages(ep.Text) {
		t.Tokenize(ep.Text[sp.Start:sp.End])
		d.Passages = append(d.Passages, core.DraftPassage{Start: sp.Start, End: sp.End, Terms: string(t.AppendJoined(nil))})
	}
	if ep.Kind == core.KindAntiPattern && ep.Trust >= core.TrustNote {
		d.Rule = ruleOf(ep)
		d.Rule.ValidFrom = clock.Day(ep.At, e.zone(ep.Zone))
	}
	return d
}

// ruleOf is the rule that an anti-pattern states.
func ruleOf(ep core.Episode) *core.State {
	return &core.State{
		Subject: core.SubjectUser, Attribute: core.ForbiddenPrefix + attributeOf(ep.Text), Value: strings.TrimSpace(ep.Text),
		Forbidden: true, Said: ep.At, Trust: ep.Trust, Expires: ep.Expires, Backend: "command",
	}
}

// attributeOf names a rule by its first words that say something.
func attributeOf(rule string) string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text.NFC(rule)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}) {
		if len(words) < 4 && !text.IsStopWord(w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return "rule"
	}
	return strings.Join(words, "_")
}

// embedDrafts gives passages their vectors, where that is fast enough to do now. A
// failure leaves them for later: the text is found by its words meanwhile.
func (e *Engine) embedDrafts(ctx context.Context, drafts []core.Draft) error {
	if e.o.Embedder == nil || !e.o.EmbedInline {
		return nil
	}
	dim, key := e.o.Embedder.Info().Dim, EmbedderKey(e.o.Embedder)
	var texts []string
	for _, d := range drafts {
		for _, p := range d.Passages {
			texts = append(texts, Body(d.Episode.Speaker, d.Episode.Text[p.Start:p.End]))
		}
	}
	vecs, err := e.vectorsOf(ctx, texts)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.degraded(err)
		if !errors.As(err, new(*embed.BadError)) { // else the others are good
			return nil
		}
	} else {
		e.mended()
	}
	for _, d := range drafts {
		for i := range d.Passages {
			v := vecs[:dim]
			vecs = vecs[dim:]
			if embed.Usable(v) != nil {
				continue // a text without a direction, such as one in a script the model knows nothing of
			}
			blob, err := vector.AppendBlob(nil, v)
			if err != nil {
				continue
			}
			d.Passages[i].Embedder, d.Passages[i].Vector = key, blob
		}
	}
	return nil
}

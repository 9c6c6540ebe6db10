package sleep

import (
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// The outcomes of accepted items.
const (
	OutcomeNew        = "new"
	OutcomeKnown      = "known"      // the same line said it before
	OutcomeConfirmed  = "confirmed"  // another line for a state that stands
	OutcomeSuperseded = "superseded" // took the place of another value
	OutcomeHistory    = "history"    // was true before what is true now
	OutcomeEnded      = "ended"      // closed a state
	OutcomeLifted     = "lifted"     // closed a rule
)

// Gate decides what becomes of a checked item and writes it in the book. With
// conditions off, every state is taken as if it had none.
func (b *Batch) Gate(it *Item, conditions bool) {
	if it.Event {
		b.gateEvent(it)
		return
	}
	k, l := b.Book, it.Line()
	b.meet(l)
	it.Attr = AttributeFor(trimForbidden(it.Attribute), it.Value)
	if !conditions {
		it.Condition = ""
	}
	subject, entity := core.SubjectUser, (*core.Entity)(nil)
	if !it.AboutUser() {
		entity = k.Entity(b.Space, it.Mention)
		subject = k.subjectKey(entity.Name, entity.ID)
	}
	src := l.Source
	switch {
	case it.Lift:
		if k.lift(subject, it.Value, l.Said, it.From, src) == 0 {
			it.Reject(ReasonNothingToEnd, "no rule speaks of it")
		}
		it.Outcome = OutcomeLifted
		return
	case it.Past:
		b.past(it, subject, entity)
		return
	case it.Ended || it.Denied:
		if k.end(subject, it.Attr, it.Value, it.Prohibited || it.Attr.Rule, false, l.Said, it.From, src) == 0 {
			if it.Denied {
				it.Reject(ReasonDenied, "the line denies it")
			}
			it.Reject(ReasonNothingToEnd, "nothing like it is true now")
		}
		it.Outcome = OutcomeEnded
		return
	}
	rule := it.Prohibited || it.Attr.Rule
	if it.Attr.Rule && !it.AboutUser() {
		rule = false // somebody else's allergy is a fact about them
	}
	if rule && !l.Rules {
		it.Reject(ReasonNoRule, "rules come from the user's own lines")
		return
	}
	b.state(it, subject, entity, rule)
}

func (b *Batch) state(it *Item, subject string, entity *core.Entity, rule bool) {
	k, l := b.Book, it.Line()
	f := b.fact(it, subject, entity, rule)
	if k.takenBack(f) {
		it.Reject(ReasonForgotten, "the user took it back")
		return
	}
	if chain := k.chain(f); len(chain) > 0 && !f.attr.Many && !rule {
		f.Attribute = chain[len(chain)-1].Attribute // one name for one attribute
	}
	if rule {
		f.Attribute = core.ForbiddenPrefix + f.Attribute
	}
	g, outcome := k.place(f)
	it.Outcome = outcome
	if other, ok := opposites[f.attr.Name]; ok {
		k.end(subject, AttributeOf(other), it.Value, false, true, l.Said, it.From, src(it)) // what is disliked is not liked any more
	}
	for _, s := range f.Sources[1:] {
		k.addSource(g, s)
	}
	switch {
	case rule && outcome == OutcomeNew && k.permitted(g):
		it.Outcome = OutcomeHistory
	case !rule && outcome != OutcomeHistory && k.permit(g) > 0 && outcome == OutcomeNew:
		it.Outcome = OutcomeLifted
	}
	b.cite(it, g.ID, outcome == OutcomeConfirmed)
	if f.Closed.IsZero() && subject == core.SubjectUser {
		b.introduce(it)
	}
	if m := it.Mention; m != nil && f.attr.Name == "name" && m.Kin != "" && m.Proper == "" && !isCommon(it.Value) {
		k.Entity(b.Space, &Mention{Name: m.Kin + " " + it.Value, Kin: m.Kin, Proper: it.Value, Aliases: []string{it.Value, m.Kin}})
	}
}

// fact makes a state of an item, that stands nowhere yet.
func (b *Batch) fact(it *Item, subject string, entity *core.Entity, rule bool) *fact {
	k, l := b.Book, it.Line()
	f := &fact{
		State: core.State{
			ID: k.temporary(), Space: b.Space, Subject: core.SubjectUser, Attribute: AttributeName(trimForbidden(it.Attribute)),
			Value: it.Value, Condition: it.Condition, Forbidden: rule,
			ValidFrom: it.From, Stated: it.Stated, Said: l.Said, Recorded: b.Now,
			Trust: l.Trust, Expires: l.Expires, Backend: b.Backend,
		},
		subject: subject, attr: it.Attr, condition: k.conditionKey(it.Condition),
		first: l.Said, episode: l.Episode, start: l.Source.Start, fresh: true,
	}
	if entity != nil {
		f.Subject, f.SubjectID = title(entity), entity.ID
	}
	for _, line := range it.Lines {
		f.Sources = append(f.Sources, line.Source)
	}
	return f
}

// past writes down what was true once. Where it still stood, it ends; else it becomes
// history at once and touches nothing that is true now.
func (b *Batch) past(it *Item, subject string, entity *core.Entity) {
	k, l := b.Book, it.Line()
	if k.end(subject, it.Attr, it.Value, false, true, l.Said, it.To, l.Source) > 0 {
		it.Outcome = OutcomeEnded
		return
	}
	f := b.fact(it, subject, entity, false)
	if k.takenBack(f) {
		it.Reject(ReasonForgotten, "the user took it back")
		return
	}
	for _, g := range k.chain(f) {
		if !g.Closed.IsZero() && k.meaning(g).same(k.meaning(f)) && (g.cites(l.Source) || !it.Stated || g.ValidTo == it.To) {
			it.Outcome = OutcomeKnown // no source: that it was so is not that it is so again
			return
		}
	}
	f.until(it.To)
	f.Closed = closedNow
	k.add(f)
	it.Outcome = OutcomeHistory
	b.cite(it, f.ID, false)
}

func src(it *Item) core.Source { return it.Line().Source }

// opposites are attributes of which one value cannot be true of both.
var opposites = map[string]string{"likes": "dislikes", "dislikes": "likes"}

// gateEvent adds an event unless the same one is there.
func (b *Batch) gateEvent(it *Item) {
	k, l := b.Book, it.Line()
	ev := &core.Event{
		ID: k.temporary(), Space: b.Space, Subject: core.SubjectUser, Text: it.Value, Start: it.From, End: it.To, Stated: it.Stated,
		Said: l.Said, Recorded: b.Now, Trust: l.Trust, Expires: l.Expires, Backend: b.Backend,
	}
	if !it.AboutUser() {
		e := k.Entity(b.Space, it.Mention)
		ev.Subject = title(e)
		ev.Entities = append(ev.Entities, e.ID)
	}
	for _, line := range it.Lines {
		ev.Sources = append(ev.Sources, line.Source)
	}
	key := k.eventKey(ev)
	if k.events[key] {
		it.Outcome = OutcomeKnown
		return
	}
	k.events[key] = true
	k.newEvents = append(k.newEvents, ev)
	it.Outcome = OutcomeNew
	b.cite(it, ev.ID, false)
}

// cite notes that an item was taken from its lines.
func (b *Batch) cite(it *Item, id core.ID, again bool) {
	for _, l := range it.Lines {
		if l.Source.Passage != 0 {
			b.Book.uses = append(b.Book.uses, core.Use{Item: l.Source.Passage, Kind: core.UseCited, At: b.Now})
		}
		l.items = append(l.items, id)
	}
	if again {
		b.Book.uses = append(b.Book.uses, core.Use{Item: id, Kind: core.UseStated, At: it.Line().Said})
	}
}

// CleanValue makes a value of what an extractor returned: one line, without marks
// around it.
func CleanValue(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff {
			return ' '
		}
		return r
	}, s)
	s = oneLine(strings.ToValidUTF8(s, "\uFFFD"))
	for {
		t := strings.Trim(s, " \t.,;:!?\"“”„«»*_~")
		if strings.Count(t, "\"")%2 == 1 {
			t = oneLine(strings.ReplaceAll(t, "\"", ""))
		}
		if t == s {
			return s
		}
		s = t
	}
}

// closedNow marks a state as closed until commit knows the time.
var closedNow = time.Unix(0, 1)

package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// gone reads that what the speaker has is gone: "the Twingo was stolen", "Otis moved
// out", "I had to give Pixel away", "no more coffee for me". What the speaker is not
// known to have is nobody's loss.
func (r *line) gone(c *lang.Clause) bool {
	v := c.Verb
	if !r.l.Own || v.Negated || v.Modal || v.Can || v.Tense == lang.Future {
		return false
	}
	switch c.Subject.Who {
	case lang.First:
		if from, to := r.rid(c); from < to {
			return r.lose(from, to, false)
		}
	case lang.Person, lang.Thing, lang.Mine:
		sf, st := c.Subject.From, c.Subject.To
		if sf >= st {
			return false
		}
		switch past := v.Tense == lang.Past || v.Perfect; {
		case r.follow("gone", v, c.To) && (v.Lemma == "be" || v.Passive):
			return r.lose(sf, st, false)
		case past && r.follow("gone by itself", v, c.To):
			return r.lose(sf, st, false)
		case past && r.follow("parts", v, c.To) && r.left(c):
			return r.lose(sf, st, true)
		}
	case lang.Nobody:
		for j := c.From + 3; r.norm(c.From) == "no" && r.norm(c.From+1) == "more" && j+1 < c.To; j++ {
			if r.norm(j) == "for" && r.norm(j+1) == "me" {
				return r.lose(c.From+2, j, false)
			}
		}
	}
	return false
}

// follow reports whether an entry of a list begins in a verb group, with the verb in
// the form that it has or in its base form.
func (r *line) follow(list string, v lang.Verb, to int) bool {
	for j := v.From; j <= v.To && j < to; j++ {
		if r.w.At(list, r.s.Tokens[:to], j) > 0 {
			return true
		}
	}
	return false
}

// left reports whether somebody went for good: "left in May", not "left the room".
func (r *line) left(c *lang.Clause) bool {
	i := c.Verb.To
	if w := r.norm(i); c.Verb.Lemma == "leave" && (w == "early" || w == "late" || w == "at" || w == "now" || w == "today" || w == "already") {
		return false // for the day
	}
	for i < c.To && (r.norm(i) == "out" || r.norm(i) == "away" || r.norm(i) == "on" || r.norm(i) == "go" || r.norm(i) == "job" || r.norm(i) == "his" || r.norm(i) == "her" || r.norm(i) == "their") {
		i++
	}
	if i >= c.To || !r.s.Tokens[i].Word || r.w.Word("after ending", r.norm(i)) || r.s.Lang.At("tails", r.s.Tokens[:c.To], i) > 0 {
		return true
	}
	if r.norm(i) == "us" || r.norm(i) == "the" && (r.norm(i+1) == "company" || r.norm(i+1) == "firm" || r.norm(i+1) == "team" || r.norm(i+1) == "practice" || r.norm(i+1) == "flat" || r.norm(i+1) == "house") {
		return true
	}
	_, dated := r.dateAt(i)
	return dated
}

// rid returns the object of a clause that says that the speaker let go of it.
func (r *line) rid(c *lang.Clause) (from, to int) {
	v := c.Verb
	i := v.To
	if v.Lemma == "have" && v.Tense == lang.Past && r.norm(i) == "to" {
		i += 2 // "had to give Pixel away"
	} else if v.Tense != lang.Past && !v.Perfect {
		return 0, 0
	}
	verb := r.s.Lang.Lemma(r.norm(i - 1))
	to = c.To
	particle := ""
	for j := i; j < c.To && j < i+6; j++ {
		switch w := r.norm(j); w {
		case "away", "down", "out", "off", "up", "rid":
			particle = w
			if j == i {
				i++
				if w == "rid" {
					i++
				}
			} else if to == c.To {
				to = j
			}
		case "to", "for", "from", "because", "after", "in", "at", "on":
			if j > i && to == c.To {
				to = j
			}
		}
	}
	if !r.w.Has("rid", verb) && (particle == "" || !r.w.Has("rid", verb+" "+particle)) {
		return 0, 0
	}
	from, to = r.trim(capture{"value", i, to})
	return from, to
}

// lose ends the state of the speaker's that tokens from to to mean, by value or by
// noun; with role set, only somebody whom one lives or works with.
func (r *line) lose(from, to int, role bool) bool {
	whole := r.text(from, to)
	if w := r.norm(from); from+1 < to && (w == "the" || r.s.Lang.Word("my", w)) {
		from++
	}
	attr, value, ok := r.heldValue(r.text(from, to))
	if ok {
		if role && !r.w.Has("company", attr) {
			return false
		}
		r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: attr, Value: value, Ended: true, Words: whole})
		return true
	}
	noun, is := r.noun(r.text(from, to))
	if !is {
		return false
	}
	h := r.heldNear(noun)
	if h == "" || role && !r.w.Has("company", h) {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: h, Ended: true, Words: whole})
	return true
}

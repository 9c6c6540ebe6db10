package rules

import (
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// called reads what the speaker is called: "call me Sam", "people at work call me Doc",
// "I'd rather be called Max".
func (r *line) called(c *lang.Clause) bool {
	if !r.svo() || !r.l.Own || c.Question || c.Supposed && !r.ratherCalled(c) || c.Reported || c.Condition || c.Hedged {
		return false
	}
	if j := c.To; r.ratherCalled(c) {
		if r.norm(j-1) == "if" {
			j--
		}
		if w := r.norm(j + 2); r.norm(j) == "if" && r.norm(j+1) == "you" && (w == "call" || w == "called") && r.norm(j+3) == "me" {
			return r.nickname(r.clauseAt(j+2), j+4) // "I'd prefer it if you called me Max"
		}
	}
	for j := c.From; j+1 < c.To; j++ {
		if w := r.norm(j); (w == "call" || w == "calls" || w == "called") && !r.s.Tokens[j].Quoted {
			if at := r.callees(c, j); at > 0 {
				return r.nickname(c, at)
			}
		}
	}
	return false
}

// ratherCalled reports whether a clause says what the speaker would like to be called.
func (r *line) ratherCalled(c *lang.Clause) bool {
	return c.Subject.Who == lang.First && c.Verb.Modal && !c.Verb.Negated && (r.has(c, "rather") || r.has(c, "prefer") || r.has(c, "like") || r.has(c, "appreciate") || r.has(c, "love"))
}

// callees returns where the name begins in a clause with "call" at token j, or 0.
func (r *line) callees(c *lang.Clause, j int) int {
	if r.norm(j) == "called" {
		switch {
		case !r.ratherCalled(c):
		case r.norm(j-1) == "be":
			return j + 1 // "I'd rather be called Max"
		case r.norm(j-1) == "you" && r.norm(j+1) == "me":
			return j + 2
		}
		return 0
	}
	if r.norm(j+1) != "me" {
		return 0
	}
	switch {
	case (j > c.Verb.To || c.Lead == "but") && r.norm(j) == "call" && r.norm(j-1) == "but" && (c.Subject.Who == lang.First || c.Subject.Who == lang.Mine):
		return j + 2 // "my name is Beatrix but call me Bea"
	case c.Subject.Who == lang.First:
		if r.ratherCalled(c) && r.norm(j-1) == "you" || r.callers(c, j) && r.norm(c.Verb.From) != "do" {
			return j + 2 // "I'd rather you call me Max", "I'm Ana but everybody calls me Annie"
		}
		return 0
	case c.Verb.Negated || c.Verb.Tense != lang.Present && c.Verb.Lemma != "":
		return 0
	case c.Subject.Who == lang.Second && (c.Verb.Can || c.Verb.Modal):
	case c.Subject.Who == lang.Nobody && c.Verb.Bare && c.Verb.To == j+1:
	case r.callers(c, j) && !r.denied(c):
	default:
		return 0
	}
	return j + 2
}

// callers reports whether those who call the speaker something are more than one: what
// one person says is no name yet.
func (r *line) callers(c *lang.Clause, call int) bool {
	for j := call - 1; j >= c.From; j-- {
		if w := r.norm(j); !r.s.Tokens[j].Word {
			return false
		} else if r.w.Word("callers", w) {
			return true
		}
	}
	return false
}

// nickname proposes the name at i.
func (r *line) nickname(c *lang.Clause, i int) bool {
	if r.norm(i) == "by" || r.norm(i) == "simply" || r.norm(i) == "just" {
		i++
	}
	from, to := r.trim(capture{"name", i, c.To})
	for j := from; j < to; j++ {
		if w := r.norm(j); w == "than" || w == "or" || w == "if" || w == "not" {
			to = j
		}
	}
	if from >= to || !r.s.Tokens[from].Cap || to-from > 3 {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "nickname", Value: r.text(from, to)})
	return true
}

// introduces reads how somebody says who is speaking: "this is Priyanka speaking",
// "name's Desmond".
func (r *line) introduces(c *lang.Clause) bool {
	if !r.l.Own || c.Question || c.Supposed || c.Reported || c.Condition || c.Hedged || c.Verb.Negated {
		return false
	}
	i, to := c.From, c.To
	for r.norm(i) == "the" || r.norm(i) == "and" {
		i++
	}
	switch w, next := r.norm(i), r.norm(i+1); {
	case (w == "this" || w == "it") && (next == "is" || next == "'s"):
		end := i + 2
		for end < to && r.s.Tokens[end].Cap {
			end++
		}
		if r.norm(end) != "speaking" && r.norm(end) != "here" {
			return false
		}
		i, to = i+2, end
	case w == "name" && (next == "'s" || next == "is"):
		i += 2
	default:
		return false
	}
	from, end := r.trim(capture{"name", i, to})
	if from >= end || end-from > 4 || !r.proper(from, end) {
		return false
	}
	r.add(sleep.Proposal{Subject: core.SubjectUser, Attribute: "name", Value: r.text(from, end)})
	return true
}

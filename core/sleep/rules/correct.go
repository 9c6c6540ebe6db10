package rules

import (
	"strings"

	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// correct reads what takes back the statement before it: "I meant Lisbon", "it is
// Lisbon, not Porto", "no, it's 281", "not Porto, Lisbon", "wait, 4417".
//
// Only a line that shows that it corrects counts: by naming the old value after
// "not", or by a correcting word at its beginning before a value of the same kind.
func (r *line) correct(i int, c *lang.Clause) bool {
	if n := len(r.out) - 1; n >= 0 && !r.out[n].Event && !r.out[n].Ended && !r.out[n].Prohibited && r.out[n].Value != "" && c.Verb.Lemma == "mean" {
		r.last, r.inLine = &r.out[n], true // "is 90210, I mean 90120"
	}
	if r.last == nil || !r.l.Own || r.s.Question || c.Supposed || c.Reported || c.Hedged {
		return false
	}
	v := c.Verb
	switch {
	case i > 0 && c.Subject.Who == lang.It && v.Lemma == "be" && !v.Negated && r.wasNot(&r.s.Clauses[i-1]):
		f, t := r.trim(capture{"value", v.To, c.To})
		return f < t && r.usable(f, t, "value") && t-f <= 5 && r.replace(f, t)
	case c.Subject.Who == lang.First && v.Lemma == "mean" && !v.Negated:
		return r.meant(c)
	case c.Subject.Who == lang.It && v.Lemma == "be" && v.Tense == lang.Present:
		if !v.Negated {
			return r.rather(v.To, c.To, true)
		}
		return r.butRather(v.To, c.To)
	case (c.Subject.Who == lang.Owned || c.Subject.Who == lang.Mine) && v.Lemma == "be" && v.Tense == lang.Present && !v.Negated && r.has(c, "not"):
		return r.rather(v.To, c.To, true) // "her name is Anna, not Ana"
	case i == 0 && v.Lemma == "" && r.bare(c):
		to := r.endOfLine()
		if at := r.afterthought(); at > 0 {
			to = at
		}
		return r.rather(r.begin(), to, false)
	case (c.Subject.Who == lang.Mine || c.Subject.Who == lang.First) && v.Negated && !v.Modal && !v.Ended:
		return r.butRather(v.To, c.To)
	}
	return false
}

// wasNot reports whether a clause says that the last value is not: "it's not room 14".
func (r *line) wasNot(c *lang.Clause) bool {
	if c.Subject.Who != lang.It || c.Verb.Lemma != "be" || !c.Verb.Negated {
		return false
	}
	f, t := r.trim(capture{"value", c.Verb.To, c.To})
	return f < t && sleep.SameValue(r.text(f, t), r.last.Value)
}

// begin is the first token after openers.
func (r *line) begin() int {
	for i := range r.s.Tokens {
		if r.s.Tokens[i].Word && r.s.Lang.At("openers", r.s.Tokens, i) == 0 && r.s.Lang.At("corrections", r.s.Tokens, i) == 0 {
			return i
		}
	}
	return 0
}

func (r *line) endOfLine() int { return len(r.s.Tokens) }

// bare reports whether the line is a value and nothing else: no verb anywhere.
func (r *line) bare(c *lang.Clause) bool {
	if len(r.s.Tokens) > 10 {
		return false
	}
	for k := range r.s.Clauses {
		if r.s.Clauses[k].Verb.Lemma != "" && !r.s.Clauses[k].Verb.Guessed {
			return false
		}
	}
	return true
}

// meant reads "I meant X" and "I meant X, not Y".
func (r *line) meant(c *lang.Clause) bool {
	from, to := r.trim(capture{"value", c.Verb.To, c.To})
	for j := c.Verb.To + 1; j < c.To; j++ {
		if r.norm(j) == "not" && to > j {
			from, to = r.trim(capture{"value", c.Verb.To, j})
		}
	}
	if from >= to || !r.usable(from, to, "value") || !(r.s.Tokens[from].Cap || lang.HasDigit(r.text(from, to)) || r.flat()) || !r.alike(from, to) && !r.flat() {
		return false
	}
	return r.replace(from, to)
}

// rather reads "X, not OLD", "not OLD, X", and X alone behind a correcting word.
func (r *line) rather(from, to int, copula bool) bool {
	not, old := -1, 0
	for j := from; j < to; j++ {
		if r.norm(j) == "not" {
			not, old = j, j+1
			break
		}
		if (r.norm(j) == "instead" && r.norm(j+1) == "of" || r.norm(j) == "rather" && r.norm(j+1) == "than") && j > from {
			not, old = j, j+2
			break
		}
	}
	switch {
	case not == from:
		return r.butRather(from+1, to)
	case not > from:
		f, t := r.trim(capture{"value", from, not})
		of, ot := r.trim(capture{"value", old, to})
		if at := r.comma(of, ot); at > 0 {
			ot = at
		}
		return f < t && of < ot && r.usable(f, t, "value") && sleep.SameValue(r.text(of, ot), r.last.Value) && r.replace(f, t)
	}
	f, t := r.trim(capture{"value", from, to})
	if w := r.norm(f); f+1 < t && (w == "on" || w == "at" || w == "in") && !strings.HasPrefix(strings.ToLower(r.last.Value), w+" ") {
		f, t = r.trim(capture{"value", f + 1, t})
	}
	return r.correcting() && f < t && r.usable(f, t, "value") && t-f <= 4 && r.alike(f, t) && r.replace(f, t)
}

// butRather reads "OLD but X", "OLD, X" and "OLD, it is X" behind "not".
func (r *line) butRather(from, to int) bool {
	for j := from + 1; j < to; j++ {
		w := r.norm(j)
		if w != "but" && w != "," && w != "rather" && w != ";" && w != "-" && w != "\u2014" && w != "\u2013" && w != "." {
			continue
		}
		of, ot := r.trim(capture{"value", from, j})
		if of >= ot || !sleep.SameValue(r.text(of, ot), r.last.Value) {
			continue
		}
		f, t := r.trim(capture{"value", j + 1, to})
		if f < t && t-f <= 5 && r.usable(f, t, "value") && r.replace(f, t) {
			return true
		}
	}
	return false
}

// correcting reports whether the line begins with a word that corrects.
func (r *line) correcting() bool {
	if r.s.Correction {
		return true
	}
	for i := range r.s.Tokens {
		if r.s.Tokens[i].Word {
			if r.norm(i) == "no" || r.s.Lang.At("corrections", r.s.Tokens, i) > 0 {
				return true
			}
			break
		}
	}
	return r.afterthought() > 0
}

// afterthought returns the comma before a correcting word at the end of the line:
// "1978, sorry".
func (r *line) afterthought() int {
	for i := len(r.s.Tokens) - 2; i > 0; i-- {
		if w := r.norm(i); w != "," && w != "-" && w != "–" {
			continue
		}
		n := r.s.Lang.At("corrections", r.s.Tokens, i+1)
		for j := i + 1 + n; n > 0 && j < len(r.s.Tokens); j++ {
			if r.s.Tokens[j].Word {
				return 0
			}
		}
		if n > 0 {
			return i
		}
	}
	return 0
}

// comma returns the first comma between two tokens, or 0.
func (r *line) comma(from, to int) int {
	for j := from + 1; j < to; j++ {
		if r.norm(j) == "," {
			return j
		}
	}
	return 0
}

// alike reports whether a phrase looks like the last value: both with digits, or both
// names.
func (r *line) alike(from, to int) bool {
	new, old := r.text(from, to), r.last.Value
	if lang.HasDigit(new) != lang.HasDigit(old) {
		return false
	}
	if lang.HasDigit(new) {
		return true
	}
	upper := old[0] >= 'A' && old[0] <= 'Z' || old[0] >= 0x80
	return upper && r.s.Tokens[from].Cap
}

// replace gives the last statement another value.
func (r *line) replace(from, to int) bool {
	if sleep.SameValue(r.text(from, to), r.last.Value) {
		return false
	}
	if r.inLine {
		r.last.Value = r.text(from, to)
		return true
	}
	r.add(sleep.Proposal{Subject: r.last.Subject, Attribute: r.last.Attribute, Value: r.text(from, to)})
	if sleep.AttributeOf(r.last.Attribute).Many { // of others, the new value takes the old one's place
		r.add(sleep.Proposal{Subject: r.last.Subject, Attribute: r.last.Attribute, Value: r.last.Value, Ended: true, Words: r.text(from, to)})
	}
	return true
}

package text

import "strings"

// QueryTerm is a term to search for.
type QueryTerm struct {
	Text   string
	Weight float32 // factor of the term's score; terms of weight 0 or less are not searched
	Class  Class
}

// Query is the set of terms of a question, each once.
type Query struct {
	Terms []QueryTerm
	// Stop tells that the question has nothing but function words, which then
	// are its terms.
	Stop bool
}

// ParseQuery tokenises a question. Nothing in it is syntax. Function words are
// left out unless nothing else is there, repetitions count once, and pieces of
// words have the weight of their class; a term that is both whole and piece
// has the greater. The result is empty if s has no letter, digit or emoji.
func ParseQuery(s string) Query {
	var t Terms
	t.Tokenize(s)
	return t.Query()
}

// Query makes the query of the text last tokenised.
func (t *Terms) Query() Query {
	q := Query{Terms: t.queryTerms(false)}
	if len(q.Terms) == 0 && len(t.toks) > 0 {
		q.Stop = true
		q.Terms = t.queryTerms(true)
	}
	return q
}

func (t *Terms) queryTerms(withStop bool) []QueryTerm {
	const few = 32 // up to here looking through the terms beats a map
	all := string(t.buf)
	out := make([]QueryTerm, 0, min(len(t.toks), few))
	var seen map[string]int
	for _, k := range t.toks {
		if k.stop && !withStop {
			continue
		}
		term := all[k.start:k.end]
		at := -1
		if seen != nil {
			if i, ok := seen[term]; ok {
				at = i
			}
		} else {
			for i := range out {
				if out[i].Text == term {
					at = i
					break
				}
			}
		}
		if at >= 0 {
			if w := k.class.Weight(); w > out[at].Weight {
				out[at].Weight, out[at].Class = w, k.class
			}
			continue
		}
		out = append(out, QueryTerm{Text: term, Weight: k.class.Weight(), Class: k.class})
		if seen != nil {
			seen[term] = len(out) - 1
		} else if len(out) == few {
			seen = make(map[string]int, len(t.toks))
			for i := range out {
				seen[out[i].Text] = i
			}
		}
	}
	return out
}

// String returns the terms joined by spaces, for traces and logs at debug level.
func (q Query) String() string {
	var b strings.Builder
	for i, t := range q.Terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

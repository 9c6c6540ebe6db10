package index

import "github.com/orma-memory/orma/core/frame"

// prior writes the channels that say what a row is, not how it matches.
func (v *View) prior(name string, docs []uint32, dst []float32) {
	for i, d := range docs {
		dst[i] = v.priorOf(name, d)
	}
}

func (v *View) priorOf(name string, doc uint32) float32 {
	it := &v.s.items[doc]
	switch name {
	case "question":
		return indicator(it.flags&flagQuestion != 0)
	case "named":
		return v.namedOf(it)
	case "answer_kind":
		return indicator(v.wants&it.flags != 0)
	case "date_match":
		return v.dateOf(doc)
	case "assistant":
		return v.assistantOf(it)
	}
	if before, ok := v.beside(doc, -1); ok { // before_length
		return logWords(v.s.items[before].words)
	}
	return 0
}

// namedOf is 1 for a row of the one speaker whom the query names, and a half for a row
// of the first of several.
func (v *View) namedOf(it *item) float32 {
	switch {
	case v.named < 0 || it.speaker != v.named:
		return 0
	case v.severalNamed:
		return 0.5
	}
	return 1
}

func indicator(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// The distances in days at which nearness to a date has fallen to 1/e: what is said
// after a day is mostly about it for longer than what is said before.
const (
	afterScale  = 7
	beforeScale = 3
)

// Dates finds the days that a query names, as spans of days since the Unix epoch in
// the query's zone.
type Dates func(q *frame.Query) []DaySpan

// DaySpan is a stretch of days: First to Last, both in it, as days since 1970-01-01.
// Weight, in (0, 1], is how much it counts.
type DaySpan struct {
	First, Last int64
	Weight      float32
}

// dateOf is how near to a day that the query names a row was said.
func (v *View) dateOf(doc uint32) float32 {
	v.learnDates()
	if len(v.dates) == 0 {
		return 0
	}
	_, offset := v.day(doc).Zone()
	day := floorDiv(v.s.items[doc].at+int64(offset), 86400)
	best := float32(0)
	for _, s := range v.dates {
		switch {
		case day > s.Last:
			best = max(best, s.Weight*nearness(float64(day-s.Last), afterScale))
		case day < s.First:
			best = max(best, s.Weight*nearness(float64(s.First-day), beforeScale))
		default:
			best = max(best, s.Weight)
		}
	}
	return best
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// dateNear is how near to a named day a row must be to be searched for it.
const dateNear = 0.3

// searchDates returns the k best rows by words among those said near the days that the
// query names.
func (v *View) searchDates(k int, dst []frame.Hit) []frame.Hit {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.learnDates()
	if len(v.dates) == 0 {
		return dst
	}
	return v.searchWords(k, func(doc uint32) bool { return v.may(doc) && v.dateOf(doc) >= dateNear }, dst)
}

// learnDates finds the days that the query names, once a view.
func (v *View) learnDates() {
	if v.datesOK {
		return
	}
	v.datesOK = true
	v.dates = nil
	if v.s.dates != nil {
		v.dates = v.s.dates(v.query)
	}
}

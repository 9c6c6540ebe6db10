package clock

import "time"

// A Grain says how exactly a [Span] was given.
type Grain uint8

// The grains. A Range was given by its two ends or is part of something larger
// ("between 3 and 5 May", "early June").
const (
	GrainDay Grain = iota
	GrainWeek
	GrainMonth
	GrainSeason
	GrainYear
	GrainRange
)

// A Rel says how a fact lies to its span.
type Rel uint8

// The relations: in the span, from its first day on ("since March", "as of"),
// up to its last ("until Friday"), at its end at the latest ("by Friday"), and
// at some unknown time before or after it.
const (
	At Rel = iota
	Since
	Until
	By
	Before
	After
)

// A Span is the days that an expression means: Start to End, both included,
// with Start never after End.
type Span struct {
	Start, End Date
	Grain      Grain
	Rel        Rel
	Approx     bool // "about", "around", "roughly"
}

// Day returns the day the span stands for where one is needed: the first, or
// after "until" and "by" the last. It is "YYYY-MM-DD".
func (s Span) Day() string {
	if s.Rel == Until || s.Rel == By {
		return s.End.String()
	}
	return s.Start.String()
}

// String returns the span as exactly as it was given: 2026-05-03, 2026-05,
// 2026, or 2026-05-03/2026-05-09. The relation is left out.
func (s Span) String() string {
	start := s.Start.String()
	switch {
	case s.Start.IsZero():
		return ""
	case s.Grain == GrainMonth && s.Start.AddDays(s.days()) == s.Start.AddMonths(1):
		return start[:len("2006-01")]
	case s.Grain == GrainYear:
		return start[:len("2006")]
	case s.Start == s.End:
		return start
	default:
		return start + "/" + s.End.String()
	}
}

// days counts the days of the span.
func (s Span) days() int { return s.End.number() - s.Start.number() + 1 }

func (s Span) ok() bool {
	return !s.Start.IsZero() && !s.End.IsZero() && !s.End.Before(s.Start)
}

// oneDay returns the span of a day; it is not ok for the zero Date.
func oneDay(d Date) Span { return Span{Start: d, End: d} }

// A Tense is what the verbs of a clause say about its time.
type Tense uint8

// The tenses. Unknown means that no verb was recognised.
const (
	Unknown Tense = iota
	Past
	Present
	Future
)

// A DateOrder says how dates in digits are read.
type DateOrder uint8

// The orders: day, month, year; month, day, year; year, month, day. AnyOrder
// is the zero value: only what reads in one way is read.
const (
	AnyOrder DateOrder = iota
	DMY
	MDY
	YMD
)

// Options are what a line alone does not tell.
type Options struct {
	Zone  *time.Location // of the speaker; nil is UTC
	Order DateOrder
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

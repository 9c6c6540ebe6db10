package clock

import (
	"fmt"
	"strconv"
	"strings"
)

// A class is a set of words that patterns name as <class>. Those below have
// values that the code works with; each [group NAME] of a file adds one.
type class uint8

const (
	clsNone class = iota
	clsNumber
	clsOrdinal
	clsUnit
	clsWeekday
	clsMonth
	clsSeason
	clsHoliday
	clsQuarter
	clsWhich
	clsEdge
	clsPart
	clsYear // of numbers only
	clsPast // the classes of tense
	clsFuture
	clsPresent
	clsBe
	clsSubject
	clsEither
	clsClause
	clsMain
	clsStop
	clsGroups // the first of the groups
)

var classNames = map[string]class{
	"number": clsNumber, "ordinal": clsOrdinal, "unit": clsUnit, "weekday": clsWeekday, "month": clsMonth,
	"season": clsSeason, "holiday": clsHoliday, "quarter": clsQuarter, "which": clsWhich, "edge": clsEdge, "part": clsPart,
	"past": clsPast, "future": clsFuture, "present": clsPresent, "be": clsBe, "subject": clsSubject, "either": clsEither,
	"clause": clsClause, "main": clsMain, "stop": clsStop,
}

func (c class) isTense() bool { return c >= clsPast && c <= clsStop }

// A unit of time. A word for a unit may stand for several ("fortnight").
type unit int32

const (
	unitSecond unit = iota
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitQuarter
	unitYear
	unitWeekend
)

// The words of the values in language files.
var (
	unitNames = []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year", "weekend"}
	seasons   = []string{"spring", "summer", "autumn", "winter"}
	edgeNames = []string{"start", "mid", "end"}
)

// An entry is a word of the lexicon and all it stands for.
type entry struct {
	senses  []sense
	phrases []phrase // of tense, that begin with it
	begins  []int32  // edges of the root that it takes
	known   bool     // listed in a file other than as a word of a pattern alone
	dot     bool     // may be followed by the dot of an abbreviation
	glue    bool     // may be stuck to a number: "5pm"
	ordinal bool     // makes a number before it an ordinal: "rd"
}

// A sense is one meaning of a word in one language.
type sense struct {
	class class
	lang  uint8
	weak  bool // sure only with a capital: "sat", "may"
	val   int32
}

// A phrase is a value given by several words: "new year's eve".
type phrase struct {
	words []int32
	sense sense
}

// add enters the words or phrases of one line of a file for a value.
func (g *grammar) add(c class, lang uint8, val int32, list string) error {
	for item := range strings.SplitSeq(list, ",") {
		item = strings.Join(strings.Fields(item), " ")
		s := sense{class: c, lang: lang, val: val}
		var weak, dot bool
		item, weak = strings.CutPrefix(item, "^")
		item, many := strings.CutPrefix(item, "*")
		if many && c == clsUnit {
			s.val |= pluralUnit
		}
		if !strings.Contains(strings.TrimSuffix(item, "."), ".") { // not "a.m."
			item, dot = strings.CutSuffix(item, ".")
		}
		s.weak = weak
		if item == "" {
			return fmt.Errorf("an empty word in %q", list)
		}
		if strings.Contains(item, " ") {
			p := phrase{sense: s}
			for word := range strings.SplitSeq(item, " ") {
				p.words = append(p.words, g.intern(word))
			}
			if first := p.words[0]; c.isTense() {
				g.entries[first].phrases = append(g.entries[first].phrases, p)
			} else {
				g.phrases[c] = append(g.phrases[c], p)
			}
			continue
		}
		id := g.intern(item)
		e := &g.entries[id]
		e.senses = append(e.senses, s)
		e.known = true
		e.dot = e.dot || dot
	}
	return nil
}

// intern returns the id of a word, entering it if it is new.
func (g *grammar) intern(word string) int32 {
	word = strings.ToLower(word)
	id, ok := g.words[word]
	if !ok {
		id = int32(len(g.entries))
		g.words[word] = id
		g.entries = append(g.entries, entry{})
	}
	return id
}

// classOf returns the class of a name, making a new group of it if group.
func (g *grammar) classOf(name string, group bool) (class, error) {
	if c, ok := classNames[name]; ok {
		return c, nil
	}
	if c, ok := g.groups[name]; ok {
		return c, nil
	}
	if !group {
		return 0, fmt.Errorf("unknown class %q", name)
	}
	if len(g.groups) >= 200 {
		return 0, fmt.Errorf("too many groups at %q", name)
	}
	c := clsGroups + class(len(g.groups))
	g.groups[name] = c
	return c, nil
}

// value reads the value of a line of a lexicon section.
func (g *grammar) value(c class, s string) (int32, error) {
	lo, hi, names := 0, 0, []string(nil)
	switch c {
	case clsNumber:
		lo, hi = 1, 1000
	case clsOrdinal:
		lo, hi = -1, 99
	case clsWeekday:
		lo, hi = 1, 7
	case clsMonth:
		lo, hi = 1, 12
	case clsQuarter:
		lo, hi = 1, 4
	case clsWhich:
		lo, hi = -1, 1
	case clsSeason:
		names = seasons
	case clsEdge, clsPart:
		names = edgeNames
	case clsUnit:
		return unitValue(s)
	case clsHoliday:
		return g.holiday(s)
	}
	if names != nil {
		return index(names, s)
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("%q is not a number from %d to %d", s, lo, hi)
	}
	return int32(n), nil
}

// pluralUnit marks words such as "weeks" in the value of a unit.
const pluralUnit = 1 << 20

// unitValue reads "week" or "14 day" as the unit and its multiple above it.
func unitValue(s string) (int32, error) {
	times, name := 1, s
	if n, rest, ok := strings.Cut(s, " "); ok {
		v, err := strconv.Atoi(n)
		if err != nil || v < 1 || v > 100 {
			return 0, fmt.Errorf("%q does not begin with a number from 1 to 100", s)
		}
		times, name = v, rest
	}
	u, err := index(unitNames, name)
	return u | int32(times)<<8, err
}

func index(names []string, s string) (int32, error) {
	for i, name := range names {
		if name == s {
			return int32(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %s", s, strings.Join(names, ", "))
}

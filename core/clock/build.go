package clock

import "time"

// An op is the meaning of a pattern, by the name that language files use.
type op uint8

const (
	opNone op = iota
	opDigits
	opDay
	opSigned
	opShift
	opWithin
	opHalf
	opFrom
	opUnit
	opPeriod
	opOccur
	opWeekIn
	opDomIn
	opNth
	opEdge
	opEdgeUnit
	opThird
	opRange
	opDomRange
	opRel
	opTo
	opApprox
	opSame
	opUnitOf
	opWeekdayOf

	// Names for opOccur with more in the file; build turns them into it.
	opWeekday
	opWeekend
	opWeekendsAgo
	opDate
	opDateYear
)

// opNames are documented at the head of lang/en.txt.
var opNames = map[string]op{
	"none": opNone, "day": opDay, "signed": opSigned, "shift": opShift, "within": opWithin, "half": opHalf, "from": opFrom,
	"unit": opUnit, "period": opPeriod, "weekday": opWeekday, "weekend": opWeekend, "weekendsago": opWeekendsAgo,
	"weekin": opWeekIn, "date": opDate, "dateyear": opDateYear, "domin": opDomIn, "nth": opNth, "edge": opEdge,
	"edgeunit": opEdgeUnit, "third": opThird, "range": opRange, "domrange": opDomRange, "rel": opRel, "to": opTo,
	"approx": opApprox, "same": opSame, "unitof": opUnitOf, "weekdayof": opWeekdayOf,
}

// Which of the days that come again and again is meant.
const (
	whichLast int32 = -1
	whichThis int32 = 0
	whichNext int32 = 1
	whichNear int32 = 2 // by the tense
)

// argFrom is Since, but At for what is past by its own words.
const argFrom = 100

var argNames = map[string]int32{
	"last": whichLast, "this": whichThis, "next": whichNext, "near": whichNear,
	"start": 0, "mid": 1, "end": 2,
	"since": int32(Since), "from": argFrom, "until": int32(Until), "by": int32(By), "before": int32(Before), "after": int32(After),
	"day": int32(unitDay), "week": int32(unitWeek), "weekend": int32(unitWeekend), "month": int32(unitMonth), "year": int32(unitYear),
}

// A family is a kind of days that come again and again.
type family uint8

const (
	famWeekday family = iota
	famDom            // a day of the month
	famWeekend        // from here on the nearest counts without a verb
	famMonth
	famMonthDay
	famQuarter
	famSeason
	famHoliday
	famYear // comes once: the year itself
)

// An expr is an expression before its days are known.
type expr struct {
	op       op
	fam      family
	lang     uint8
	unit     unit
	n        int32 // a number, by op; the number of the token for opDigits
	month    int32
	dom      int32
	dom2     int32
	which    int32
	year     int32 // 0 if not given
	yearRel  bool  // which counts years from this one
	sub      int32
	sub2     int32
	value    int32 // the season, holiday, quarter, edge or part
	weekday  time.Weekday
	hasDate  bool // sub is set
	hasCount bool // n is from the text
	plural   bool // the unit is: "weeks"
}

// build returns the meaning of a pattern that matched, or false if its parts
// make no sense together.
func build(t *term, caps []capture, toks []token) (expr, bool) {
	e := expr{op: t.op, n: t.arg[0], which: t.arg[0], value: t.arg[0]}
	var seen [clsGroups]bool
	e.collect(caps, &seen)
	if t.op == opDigits {
		return e, toks[t.arg[0]].kind == tokDate
	}
	if !e.hasCount && (t.op == opShift || t.op == opFrom || t.op == opWithin || t.op == opPeriod) {
		e.n = 1
	}
	switch t.op {
	case opShift, opFrom, opPeriod:
		e.which = t.arg[0] // the direction
		if t.op == opFrom {
			e.implyUnit(seen[clsUnit], unitDay)
			return e, e.hasDate
		}
		return e, seen[clsUnit] && !e.hasDate
	case opWithin:
		return e, seen[clsUnit]
	case opHalf:
		if !e.hasCount {
			e.n = 0
		}
		e.which = t.arg[0]
		return e, seen[clsUnit]
	case opUnit:
		return e, seen[clsUnit] && !e.plural && e.unit>>8 == 1 && whole(e.unit&0xff)
	case opWeekday, opWeekend, opWeekendsAgo, opDate, opDateYear:
		return e, e.occur(t, &seen)
	case opWeekIn:
		if e.hasCount {
			e.which = -e.n
		}
		return e, seen[clsWeekday]
	case opDomIn:
		return e, e.dom > 0
	case opNth, opWeekdayOf:
		e.unit = unit(t.arg[1]) // of opNth: days, weeks or weekends where no weekday is given
		e.which = t.arg[0]
		if seen[clsWeekday] {
			e.unit = -1
		}
		if t.op == opNth && t.arg[0] != 0 {
			e.n = t.arg[0]
		}
		return e, e.hasDate && e.n != 0 && (t.op == opNth || seen[clsWeekday])
	case opEdgeUnit:
		return e, seen[clsUnit] && !e.plural && e.unit>>8 == 1 && whole(e.unit&0xff)
	case opUnitOf:
		e.which = t.arg[0]
		e.implyUnit(seen[clsUnit], unit(t.arg[1]))
		return e, e.hasDate
	case opRange:
		return e, e.sub2 >= 0 && e.hasDate
	case opDomRange:
		return e, e.dom2 > 0
	case opEdge, opThird, opRel, opTo, opApprox, opSame:
		return e, e.hasDate
	default:
		return e, true
	}
}

// collect takes what the pattern captured.
func (e *expr) collect(caps []capture, seen *[clsGroups]bool) {
	e.sub2 = -1
	for _, c := range caps {
		if c.class >= clsGroups {
			continue
		}
		switch c.class {
		case clsNone:
			if e.hasDate {
				e.sub2 = c.val
				continue
			}
			e.sub, e.hasDate = c.val, true
		case clsNumber:
			e.n, e.hasCount = c.val, true
		case clsOrdinal:
			switch {
			case !c.isDom:
				e.n = c.val
			case e.dom > 0:
				e.dom2 = c.val
			default:
				e.dom = c.val
			}
		case clsUnit:
			e.unit, e.plural = unit(c.val&^pluralUnit), c.val&pluralUnit != 0
		case clsWeekday:
			e.weekday = time.Weekday(c.val % 7)
		case clsMonth:
			e.month = c.val
		case clsYear:
			e.year = c.val
		case clsWhich:
			e.which = c.val
		default: // season, holiday, quarter, edge, part
			e.value = c.val
		}
		seen[c.class] = true
	}
}

// occur turns a name of a day or time that comes again into opOccur.
func (e *expr) occur(t *term, seen *[clsGroups]bool) bool {
	e.op = opOccur
	if !seen[clsWhich] && t.op == opDate && t.arg[0] == 0 {
		e.which = whichNear // the default, since "this" needs its word
	}
	switch {
	case t.op == opWeekday:
		e.fam, e.n = famWeekday, t.arg[1] // weeks later
		return seen[clsWeekday]
	case t.op == opWeekend:
		e.fam, e.n = famWeekend, t.arg[1]
		return true
	case t.op == opWeekendsAgo:
		e.fam, e.which, e.n = famWeekend, whichLast, 1-e.n
		return e.hasCount
	case seen[clsHoliday]:
		e.fam = famHoliday
	case seen[clsSeason]:
		e.fam = famSeason
	case seen[clsQuarter]:
		e.fam = famQuarter
	case seen[clsMonth] && e.dom > 0:
		e.fam = famMonthDay
	case seen[clsMonth]:
		e.fam = famMonth
	case e.dom > 0 || seen[clsOrdinal]:
		if e.fam = famDom; e.dom == 0 {
			e.dom = e.n
		}
	case e.year > 0:
		e.fam = famYear
	default:
		return false
	}
	e.n = 0
	e.yearRel = t.op == opDateYear
	return e.fam != famDom || e.dom >= 1 && e.dom <= 31
}

// implyUnit fills in a unit that the pattern has no word for.
func (e *expr) implyUnit(given bool, implied unit) {
	if !given {
		e.unit = implied | 1<<8
	}
}

// whole reports whether a unit has a beginning and an end on the calendar of
// its own.
func whole(u unit) bool {
	return u == unitWeek || u == unitMonth || u == unitQuarter || u == unitYear
}

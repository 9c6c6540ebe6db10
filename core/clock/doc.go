// Package clock works out which days a line means.
//
// A line says "last week", "on 3 May" or "kal"; the days follow from when it
// was said, in the zone of its speaker, and from the tense of its clause. The
// computer's own clock and zone never enter: the same line, said at the same
// time, gives the same days on every machine and in every year it is read.
// What cannot be worked out is reported as such and never guessed.
//
// # What the words mean
//
// Days are calendar days; a clock change makes none longer or shorter. Weeks
// start on Monday. Months and years are counted on the calendar and clamp to
// the last day of a month, so that one month before 31 March is the last of
// February. Only seconds, minutes and hours are counted as elapsed time.
//
//   - "three days ago", "in two weeks", "a year from now" give one day. In a
//     clause about the past "in two weeks" is how long something took, and
//     gives none. "A couple" is two; "a few", "several" and "some" give none.
//   - "last week", "this month", "next year" give the whole calendar unit
//     before, around or after the day of saying.
//   - "the past two months", "the last 10 days" reach back from the day of
//     saying; "the next two weeks" reaches forward.
//   - With a weekday, weekend, month, season, holiday or day of the year,
//     "last" is the latest one that lies wholly before the day of saying,
//     "next" the earliest that lies wholly after it, and "this" the one in the
//     same week (weekdays, weekends) or year (the rest), unless the tense
//     points the other way: then the nearest on the side of the tense. Said on
//     a Tuesday, "last Tuesday" is a week back and "next Tuesday" a week ahead.
//   - A bare weekday is the latest before the day of saying in a clause about
//     the past and else the first after it, never that day itself. "Monday to
//     Friday" without past or future is a habit and gives none.
//   - A weekend, month, season, holiday, day and month, or day of the month
//     without a year is the latest not after the day of saying in a clause about
//     the past, and the earliest not before it in one about the present or
//     future. Without any verb to go by it is the nearest, ties to the future; a
//     day of the month alone is then the coming one. A season needs the past or
//     the future: "I ski in the winter" is a habit. After "since" the past holds.
//   - 08/10 goes by the configured order; without one only a date that reads
//     in one way is taken. A year in two digits is the one from 80 years before
//     the day of saying to 19 after it.
//   - Winter 2019 begins in December 2019; seasons are those of the hemisphere
//     of the speaker's zone.
//   - "Early", "mid" and "late" are thirds: of a month its days to the 10th,
//     to the 20th and the rest; of a year four months each. "Start" and "end"
//     are the first and the last day.
//   - Hindi "kal" and "parso" count back in the past and ahead otherwise;
//     without a verb they give none.
//   - Habits ("every Monday", "on Fridays"), decades ("the 90s") and "soon",
//     "recently", "some day" give none.
//
// Words and phrases are data: lang/*.txt, one file a language, described at
// the head of lang/en.txt. Code holds the calendar only.
package clock

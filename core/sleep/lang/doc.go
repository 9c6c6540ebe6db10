// Package lang reads the grammar of one line: its clauses, who each of them is
// about, and whether it states something or only asks, supposes, quotes, denies
// or ends it.
//
// It is no parser of a language. It knows the closed word classes, the frame of
// a plain statement, and when to say that it does not know. Words are data:
// data/*.txt, one file a language. In a file, "[name]" begins a list of entries,
// which are separated by commas or line ends; "entry = x" gives an entry a
// value; "#" begins a comment. The lists that mean something are:
//
//	order             "subject verb" or "subject object verb"
//	common            words that show a line to be of this language
//	contractions      one written word that stands for several
//	typos             usual misspellings
//	first me my mine you it pronouns possessives
//	                  persons; the value is m, f or p (plural) where known
//	kin               words for people in relation to somebody
//	titles            what stands before a name
//	be have do future modal can
//	                  auxiliary verbs and their forms
//	negators enders hedges wishes reports vouches suppositions if when
//	                  what makes a clause less than a plain statement
//	questions question words question tails
//	making reworking  what asks for a text, and for work on one
//	frame nouns       before a colon: what follows is such a text
//	examples jokes make believe
//	                  what makes a line no claim about the world
//	openers tails     what may stand around a statement and says nothing
//	light             words with no content of their own
//	verbs             verbs by their base form, with past and participle where
//	                  these are irregular
//
// A language without "verbs" is read without verb groups: a clause ends at a mark
// or a joining word, and "negators", "question words" and their like count wherever
// they stand in it. "endings" are the words that may end a clause, "past", "present"
// and "future" those that tell its time.
//
// data/any.words has words for "not" in languages without a file.
package lang

// Package sqlite keeps everything in one SQLite file. It implements [core.Store].
//
// # What is kept and what is derived
//
// The record is the tables episodes, journal and uses. Passages, their full text
// index, vectors and snapshots are derived from episodes; states, events, entities
// and links from episodes by sleep, or from commands. [Store.Check] makes the
// derived tables anew.
//
// # Keys, generations and epochs
//
// All kinds of items share one sequence of IDs. In the tables an item's key is its
// space and ID packed into one integer (key.go), so that a space's rows lie
// together and the cost of a space does not grow with the number of others. For
// the same reason each term in the full text index begins with its space's number:
// the lists of rows that a search reads are of one space only, and so are the
// statistics it ranks by (search.go).
//
// Each write transaction raises the generation of the spaces it touches and stamps
// the rows that it changed, so the feed (feed.go) finds what is new by an index.
// What takes something away (erase, quarantine, requeue) gives the space a new
// epoch, at which readers begin from nothing. Epochs come from one counter: a space
// that is erased and made again never shows an old one.
//
// # Repeats
//
// Texts that are equal after normalisation, of the same space, role, speaker and
// class of kind (documents: and source; rules never) form a group. Its first
// episode that is not quarantined holds the passages; the others say so in
// RepeatOf, wait for sleep like any other (the same words said later may be news)
// and count towards the first one's Repeats and expiry: the text stays recallable
// as long as any of them lives. Erasing one of a group erases all, because an
// erased text must leave no trace.
//
// # Processes and crashes
//
// The file is in WAL mode. A process has one connection that writes and a few that
// read. Writes that arrive together share one transaction. Every transaction
// checks the schema version first, so that an older process stops when a newer one
// has migrated the file. With synchronous NORMAL a write that was acknowledged
// survives the death of the process; with [Options.Full] also a loss of power.
package sqlite

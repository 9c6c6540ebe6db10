// Package core defines the things Orma keeps (episodes, passages, states, events,
// entities, links, uses) and what the engine needs from the outside: somewhere to
// keep them. It imports only the standard library.
//
// The words are the product's words and are used everywhere with one meaning:
//
//   - A space is the unit of isolation. Every read and write names one.
//   - An episode is one immutable record: a turn, note, document or tool result.
//   - A passage is a run of whole sentences of one episode, short enough to be read
//     at a glance: the unit of text recall. A source is a sentence inside one: the
//     unit of citation.
//   - A state is one attribute of one subject, true for a time. A rule is a
//     forbidden state.
//   - An event is something that happened.
//   - An entity is what passages, states and events are about; a link joins two.
//   - A use is a moment at which an item was stated, cited or recalled.
package core

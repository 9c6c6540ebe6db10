// Package index keeps what can be recalled of one space in memory: words, vectors,
// and what ranking needs to know of each item. It is filled from a store's feed,
// follows it at each query, and can be thrown away at any time.
//
// An item is a passage, a state or an event; here it has a dense number, its doc.
package index

// Package pack writes the block: the best of what was recalled, within a token
// budget, as text that goes into a prompt, and the reason why each item is in it or
// not.
//
// Packing is deterministic: equal scores go to the lower id, and nothing depends on
// a clock other than the one passed in. The block has two parts. The stable part
// (framing, rules, states) changes only when those do, so that a runtime's prompt
// cache survives; the turn part holds passages, events and today's date.
//
// Rules come first and are never cut or left out. Text from memory is cleaned so
// that it can never look like a line of the block; see clean.go and mimic.go.
package pack

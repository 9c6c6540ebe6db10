// Package proxy passes requests on to a model's server and gives chats memory on the
// way: before a request goes on, what is remembered is put into it; after the answer,
// what was said is recorded.
//
// Memory never costs a request. What cannot be read goes on as it came, a recall that
// takes too long is left out, recording happens behind the answer, and everything that
// is no chat passes through as it is.
package proxy

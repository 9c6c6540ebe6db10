// Package engine is Orma as a library: remember, search, recall, facts, sleep and
// the rest, over any [core.Store]. The command line, the proxy, MCP and the HTTP
// API translate to these verbs and do nothing else.
//
// Most programs open it through package local, which wires the embedded store, the
// built-in stages and the embedders.
package engine

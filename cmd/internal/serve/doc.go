// Package serve is the server that the front ends share: it listens, checks who may
// enter, and hands requests to the HTTP API, to MCP, to the view, or to the proxy,
// which takes whatever is none of ours.
package serve

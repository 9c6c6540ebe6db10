// Package mcp serves memory over the Model Context Protocol: on standard input and
// output, and as an HTTP handler (streamable HTTP). It translates to the verbs of the
// engine and keeps three promises to an agent: its results never grow beyond a number
// of tokens, what was cut can be read on by a handle, and a failure is an answer that
// says what to do.
//
// A handle is a resource URI (see [handle]); it holds no state of the server.
//
// It is the only package that imports the MCP SDK.
package mcp

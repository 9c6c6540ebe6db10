// Package setup writes Orma into the configuration of agents and editors, and takes it
// out again. It changes the bytes of its own entry and no others: comments, trailing
// commas, order and white space of a file are its user's.
//
// A client is a row of the table in clients.go. JSON files, with or without comments,
// are edited by package file jsonc.go, the one TOML file by toml.go.
package setup

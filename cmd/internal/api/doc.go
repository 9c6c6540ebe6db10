// Package api is the HTTP API under /_orma/v1: every verb of the engine as a route.
// A route is a line of a table: its path, who may call it, the types of its body and
// its answer, and a function. The OpenAPI document is made from the same table.
package api

// Package access decides who may do what over HTTP: which host names and origins a
// request may come under, which token it carries, and which spaces that token opens.
//
// Loopback is no boundary: any web page can reach it. So every request passes the
// same checks, with tokens or without.
package access

// Package history reads what people bring with them, and writes what they take away:
// rows of JSON lines, and documents cut into episodes. It knows forms, not stores.
package history

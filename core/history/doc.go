// Package history reads what people bring with them, and writes what they take away:
// rows of JSON lines, exports of other programs, and documents cut into episodes. It
// knows forms, not stores.
//
// A format is a file with one function, which yields an [Item] for each episode or
// fault that it finds; everything after that is the same for all. Files are read as
// streams, whatever their size: [MaxElement] bounds what is held at a time.
package history

package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Problem is one thing wrong with a configuration, with its place.
type Problem struct {
	File string // a path, a profile such as "default.toml (built in)", or a flag
	Line int    // 0 where there is no line
	Text string
}

// Error returns "file:line: text".
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// Problems are all that is wrong. An error of this package has code
// [core.CodeConfig] and holds a Problems.
type Problems []Problem

// Error returns one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// maxProblems is how many problems are reported: a file with more is not a
// configuration with typing errors in it.
const maxProblems = 50

// report gathers problems.
type report struct {
	list []located
}

type located struct {
	Problem
	layer int
}

// add records a problem at a place.
func (r *report) add(p place, format string, args ...any) {
	r.list = append(r.list, located{Problem{p.file, p.line, fmt.Sprintf(format, args...)}, p.layer})
}

// err returns the problems in the order of layers and lines as one error, or nil.
func (r *report) err() error {
	if len(r.list) == 0 {
		return nil
	}
	slices.SortStableFunc(r.list, func(a, b located) int {
		return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	list := slices.Compact(r.list)
	var ps Problems
	for i, p := range list {
		if i == maxProblems {
			ps = append(ps, Problem{File: p.File, Text: fmt.Sprintf("and %d more problems", len(list)-i)})
			break
		}
		ps = append(ps, p.Problem)
	}
	return core.Errorf(core.CodeConfig, "%w", ps)
}

// place is where something stands.
type place struct {
	layer int
	file  string
	line  int
}

package rules

import (
	"fmt"
	"strings"
)

// pattern is one line of a rules file.
type pattern struct {
	attributes []string // one for each capture that is kept; <noun> in a name is filled in
	options    map[string]bool
	elements   []element
}

// element is one part of a pattern: a verb, words, a list, or a capture.
type element struct {
	verb     bool
	words    []string
	list     string
	capture  string
	optional bool
}

// kinds are the kinds of captures.
var kinds = map[string]bool{
	"value": true, "place": true, "name": true, "job": true, "list": true, "date": true, "number": true, "pay": true, "count": true, "any": true, "old": true, "noun": true, "dwelling": true, "school": true, "made": true,
}

var options = map[string]bool{
	"past": true, "any": true, "negated": true, "first": true, "mine": true, "lower": true, "upper": true, "sure": true, "ended": true, "event": true, "rule": true, "cap": true,
}

func parsePatterns(src string) ([]pattern, error) {
	var out []pattern
	for n, line := range strings.Split(src, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		p, err := parsePattern(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func parsePattern(line string) (pattern, error) {
	head, body, ok := strings.Cut(line, ":")
	if !ok {
		return pattern{}, fmt.Errorf("no colon")
	}
	p := pattern{options: map[string]bool{}}
	names, opts, _ := strings.Cut(head, "(")
	for _, o := range strings.Fields(strings.TrimSuffix(strings.TrimSpace(opts), ")")) {
		if !options[o] {
			return p, fmt.Errorf("no option %q", o)
		}
		p.options[o] = true
	}
	for _, a := range strings.Split(names, "+") {
		p.attributes = append(p.attributes, strings.TrimSpace(a))
	}
	for _, f := range strings.Fields(body) {
		e, err := parseElement(f)
		if err != nil {
			return p, err
		}
		p.elements = append(p.elements, e)
	}
	if len(p.elements) == 0 {
		return p, fmt.Errorf("no pattern")
	}
	return p, nil
}

func parseElement(f string) (element, error) {
	var e element
	if s, ok := strings.CutPrefix(f, "["); ok {
		e.optional = true
		if f, ok = strings.CutSuffix(s, "]"); !ok {
			return e, fmt.Errorf("%q is not closed", s)
		}
	}
	if s, ok := strings.CutPrefix(f, "~"); ok {
		e.verb, f = true, s
	}
	switch {
	case strings.HasPrefix(f, "{"):
		e.list = strings.ReplaceAll(strings.Trim(f, "{}"), "_", " ")
	case strings.HasPrefix(f, "<"):
		e.capture = strings.Trim(f, "<>")
		if !kinds[e.capture] {
			return e, fmt.Errorf("no kind of capture %q", e.capture)
		}
	default:
		e.words = strings.Split(f, "|")
	}
	return e, nil
}

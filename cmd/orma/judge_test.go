package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// expectation is what must be true of a block. A list in place of a string means any
// of its strings.
type expectation struct {
	Contains  []any    `json:"contains"`
	Absent    []string `json:"absent"`
	Outdated  []string `json:"outdated"` // only on lines that are marked outdated
	Current   []string `json:"current"`  // on a line that is not
	Before    [][2]any `json:"before"`   // the first stands before the second
	AtMost    [][2]any `json:"at_most"`  // on at most so many lines; "^s": that begin with s
	Rules     []string `json:"rules"`    // among the rules
	NoRules   []string `json:"no_rules"` // not among them
	MaxTokens int      `json:"max_tokens"`
}

var folder = cases.Fold()

func fold(s string) string { return norm.NFC.String(folder.String(norm.NFC.String(s))) }

func bare(line string) string { return strings.TrimLeft(strings.TrimSpace(fold(line)), "-*• ") }

// lineBreak is any line break of Unicode.
var lineBreak = regexp.MustCompile(`\r\n|[\n\v\f\r\x{1c}-\x{1e}\x{85}\x{2028}\x{2029}]`)

func (x *expectation) judge(t *testing.T, block string, tokens int) {
	t.Helper()
	whole := fold(block)
	lines := lineBreak.Split(block, -1)
	rules := rulesIn(lines)
	for _, want := range x.Contains {
		if !slices.ContainsFunc(choices(want), func(s string) bool { return strings.Contains(whole, fold(s)) }) {
			t.Errorf("not in the block: %v", want)
		}
	}
	for _, s := range x.Absent {
		if strings.Contains(whole, fold(s)) {
			t.Errorf("must not be in the block: %q", s)
		}
	}
	standing := func(s string) int {
		n := 0
		for _, l := range lines {
			if l = fold(l); !strings.Contains(l, "[outdated") && strings.Contains(l, fold(s)) {
				n++
			}
		}
		return n
	}
	for _, s := range x.Outdated {
		if standing(s) > 0 {
			t.Errorf("must be marked outdated: %q", s)
		}
	}
	for _, s := range x.Current {
		if standing(s) == 0 {
			t.Errorf("must stand on a line that is not outdated: %q", s)
		}
	}
	for _, p := range x.Before {
		a, b := strings.Index(whole, fold(p[0].(string))), strings.Index(whole, fold(p[1].(string)))
		if a < 0 || b < 0 || a >= b {
			t.Errorf("%q must come before %q: %d, %d", p[0], p[1], a, b)
		}
	}
	for _, p := range x.AtMost {
		s, prefix := strings.CutPrefix(p[0].(string), "^")
		n := 0
		for _, l := range lines {
			if prefix && strings.HasPrefix(bare(l), fold(s)) || !prefix && strings.Contains(fold(l), fold(s)) {
				n++
			}
		}
		if n > int(p[1].(float64)) {
			t.Errorf("%q is on %d lines, at most %v", s, n, p[1])
		}
	}
	inRules := func(s string) bool {
		return slices.ContainsFunc(rules, func(r string) bool { return strings.Contains(r, fold(s)) })
	}
	for _, s := range x.Rules {
		if !inRules(s) {
			t.Errorf("must be a rule: %q", s)
		}
	}
	for _, s := range x.NoRules {
		if inRules(s) {
			t.Errorf("must not be a rule: %q", s)
		}
	}
	if n := x.MaxTokens; n > 0 && (tokens > n || utf8.RuneCountInString(block) > 8*n) {
		t.Errorf("%d tokens, %d characters; at most %d tokens", tokens, utf8.RuneCountInString(block), n)
	}
}

func choices(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, s := range v {
			out = append(out, s.(string))
		}
	}
	return out
}

var heading = regexp.MustCompile(`^\s*(#|\*\*[^*]+\*\*:?\s*$|\pL.*:\s*$)`)

// rulesIn returns the lines that a reader takes for rules: "[FORBIDDEN: …]", and what
// stands under a heading that begins with "Forbidden".
func rulesIn(lines []string) []string {
	var out []string
	inside, filled := false, false
	for _, line := range lines {
		text := strings.TrimLeft(bare(line), "# ")
		switch {
		case strings.HasPrefix(text, "[forbidden:"), strings.HasPrefix(text, "forbidden"):
			out = append(out, text)
			inside, filled = strings.HasPrefix(text, "f"), false
		case heading.MatchString(line), text == "" && filled:
			inside = false
		case inside && text != "":
			out = append(out, text)
			filled = true
		}
	}
	return out
}

func (c *behaviour) judgeFacts(t *testing.T, table []map[string]any) {
	t.Helper()
	active := 0
	for _, row := range table {
		if row["active"] == true {
			active++
		}
		if s, _ := row["sources"].([]any); len(s) == 0 {
			t.Errorf("a fact without sources: %v", row)
		}
	}
	for _, want := range c.Facts {
		if !slices.ContainsFunc(table, func(row map[string]any) bool { return rowFits(row, want) }) {
			t.Errorf("no fact like %v", want)
		}
	}
	for _, want := range c.NoFacts {
		if slices.ContainsFunc(table, func(row map[string]any) bool { return rowFits(row, want) }) {
			t.Errorf("there must be no fact like %v", want)
		}
	}
	if c.MaxActiveFacts != nil && active > *c.MaxActiveFacts {
		t.Errorf("%d active facts, at most %d", active, *c.MaxActiveFacts)
	}
}

// rowFits reports whether a row of the fact table has all fields of a wanted one.
func rowFits(row, want map[string]any) bool {
	for k, v := range want {
		if !fieldFits(k, row[k], v) {
			return false
		}
	}
	return true
}

func fieldFits(key string, got, want any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return fieldFits(key, got, w) })
	}
	if b, ok := want.(bool); ok {
		return (got == true) == b
	}
	g, _ := got.(string)
	w, _ := want.(string)
	if key == "valid_from" || key == "valid_to" {
		return g[:min(10, len(g))] == w
	}
	g, w = strings.ReplaceAll(fold(g), "_", " "), strings.ReplaceAll(fold(w), "_", " ")
	switch {
	case key == "subject" && strings.HasPrefix(w, "!"):
		return !fieldFits(key, g, w[1:])
	case key == "subject" && w != "user":
		return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(w) + `($|[^\pL\pN_])`).MatchString(g)
	case w == "" || key == "subject":
		return g == w
	}
	return strings.Contains(g, w)
}

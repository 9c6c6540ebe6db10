package secret

import (
	"fmt"
	"strconv"
	"strings"
)

// parse reads patterns in the format that patterns.txt explains at its head.
func parse(text string) (*Masker, error) {
	m := &Masker{words: words{plain: map[string]bool{}, code: map[string]bool{}}}
	m.index.rules = map[[2]byte][]hint{}
	lets := map[string]string{}
	line := 0
	for raw := range strings.Lines(text) {
		line++
		s := strings.TrimSpace(raw)
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		if err := m.line(s, lets); err != nil {
			return nil, fmt.Errorf("patterns: line %d: %w", line, err)
		}
	}
	return m, nil
}

func (m *Masker) line(s string, lets map[string]string) error {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		kind := s[1 : len(s)-1]
		if !mark.MatchString("[secret: " + kind + "]") {
			return fmt.Errorf("the kind %q is not of small letters, digits and spaces", kind)
		}
		m.rules = append(m.rules, &rule{kind: kind})
		return nil
	}
	word, rest, _ := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "let":
		name, re, _ := strings.Cut(rest, " ")
		lets["${"+name+"}"] = strings.TrimSpace(re)
		return nil
	case "plain", "code":
		list := m.words.plain
		if word == "code" {
			list = m.words.code
		}
		for w := range strings.FieldsSeq(rest) {
			list[w] = true
		}
		return nil
	}
	if len(m.rules) == 0 {
		return fmt.Errorf("%q stands before any [KIND]", word)
	}
	return m.ruleLine(len(m.rules)-1, word, rest, lets)
}

func (m *Masker) ruleLine(i int, word, rest string, lets map[string]string) error {
	r := m.rules[i]
	switch word {
	case "hint":
		return m.hint(i, rest)
	case "match":
		for name, re := range lets {
			rest = strings.ReplaceAll(rest, name, re)
		}
		if strings.Contains(rest, "${") {
			return fmt.Errorf("a part is not defined in %q", rest)
		}
		r.patterns = append(r.patterns, newPattern(rest))
		return nil
	case "need":
		need, ok := tests[rest]
		if !ok {
			return fmt.Errorf("unknown test %q", rest)
		}
		r.need = need
		return nil
	default:
		return fmt.Errorf("unknown word %q", word)
	}
}

func (m *Masker) hint(i int, rest string) error {
	kind, number, _ := strings.Cut(rest, " ")
	if n, err := strconv.Atoi(number); err == nil && n > 0 && (kind == "digits" || kind == "word") {
		if kind == "digits" {
			m.rules[i].digits = n
		} else {
			m.rules[i].longest = n
		}
		return nil
	}
	for h := range strings.SplitSeq(rest, ",") {
		h = strings.TrimSpace(h)
		if len(h) < 2 || strings.ContainsAny(h, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			return fmt.Errorf("%q is not a hint of two small letters or more", h)
		}
		m.index.add(hint{h, i})
	}
	return nil
}

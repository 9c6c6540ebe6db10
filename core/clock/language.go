package clock

import (
	"fmt"
	"strings"
)

// A section is a part of a language file while it is read.
type section struct {
	name   string
	class  class
	values bool // lines are "value = words", not just words
}

// read enters the words of a language file; its patterns come after those of
// all files, since they may use the words of others.
func (g *grammar) read(name, text string) error {
	if len(g.langs) >= 32 {
		return fmt.Errorf("%s: more than 32 languages", name)
	}
	lang := uint8(len(g.langs))
	g.langs = append(g.langs, language{name: name})
	var sec section
	line := 0
	for raw := range strings.Lines(text) {
		line++
		s, _, _ := strings.Cut(raw, "#")
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		var err error
		if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.Contains(s, "=") {
			sec, err = g.section(s[1 : len(s)-1])
		} else {
			err = g.line(lang, sec, s, line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	return nil
}

// section reads the head of a section: [NAME], [group NAME] or [suffix TENSE].
func (g *grammar) section(head string) (section, error) {
	kind, name, two := strings.Cut(head, " ")
	switch {
	case kind == "group" && two:
		if _, taken := classNames[name]; taken || name == "" || strings.ContainsAny(name, "<>-") {
			return section{}, fmt.Errorf("%q cannot be the name of a group", name)
		}
		c, err := g.classOf(name, true)
		return section{name: "words", class: c}, err
	case kind == "suffix" && two:
		c, err := g.classOf(name, false)
		if err == nil && !c.isTense() {
			err = fmt.Errorf("%q is not a tense", name)
		}
		return section{name: "suffix", class: c}, err
	case two:
		return section{}, fmt.Errorf("unknown section [%s]", head)
	case kind == "pattern" || kind == "include" || kind == "glue" || kind == "ordinals" || kind == "not":
		return section{name: kind}, nil
	}
	c, ok := classNames[kind]
	if !ok {
		return section{}, fmt.Errorf("unknown section [%s]", head)
	}
	return section{name: "words", class: c, values: !c.isTense()}, nil
}

func (g *grammar) line(lang uint8, sec section, s string, line int) error {
	l := &g.langs[lang]
	switch sec.name {
	case "pattern":
		l.patterns = append(l.patterns, source{line: line, text: s})
		return nil
	case "include":
		return g.include(lang, s)
	case "glue", "ordinals":
		for word := range strings.SplitSeq(s, ",") {
			e := &g.entries[g.intern(strings.TrimSpace(word))]
			e.glue = e.glue || sec.name == "glue"
			e.ordinal = e.ordinal || sec.name == "ordinals"
		}
		return nil
	case "not":
		return g.add(clsNone, lang, 0, s)
	case "suffix":
		for suffix := range strings.SplitSeq(s, ",") {
			if suffix = strings.TrimSpace(suffix); len(suffix) < 2 {
				return fmt.Errorf("the suffix %q is too short", suffix)
			}
			l.suffixes = append(l.suffixes, suffixed{text: suffix, class: sec.class})
		}
		return nil
	case "words":
		if !sec.values {
			return g.add(sec.class, lang, 0, s)
		}
		value, words, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q is not of the form value = words", s)
		}
		val, err := g.value(sec.class, strings.TrimSpace(value))
		if err != nil {
			return err
		}
		return g.add(sec.class, lang, val, words)
	default:
		return fmt.Errorf("%q stands before any section", s)
	}
}

// include makes classes of an earlier language part of this one: "en: month unit".
func (g *grammar) include(lang uint8, s string) error {
	from, names, _ := strings.Cut(s, ":")
	for i := range g.langs[:lang] {
		if g.langs[i].name != strings.TrimSpace(from)+".txt" {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			c, err := g.classOf(name, false)
			if err != nil {
				return err
			}
			g.langs[lang].includes = append(g.langs[lang].includes, included{c, uint8(i)})
		}
		return nil
	}
	return fmt.Errorf("no language %q was read before", from)
}

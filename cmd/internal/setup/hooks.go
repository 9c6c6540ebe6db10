package setup

import (
	"strings"
)

// hooks say where a client's hooks are written, in Claude Code's form.
type hooks struct {
	user    func(Place) []string
	project string
}

// hookEvents are the events that we ask for, each with the tools it is about.
var hookEvents = []struct{ event, matcher string }{
	{"SessionStart", ""},
	{"UserPromptSubmit", ""},
	{"PreToolUse", "Bash|Edit|Write|MultiEdit|NotebookEdit"},
	{"PostToolUse", "Bash|Edit|Write|MultiEdit|NotebookEdit|WebFetch"},
	{"Stop", ""},
	{"SubagentStop", ""},
}

// hookTimeout is the time, in seconds, after which the client gives up: ours is less.
const hookTimeout = 5

// hookEntry is the element that is added to an event's list.
func hookEntry(s Server, event, matcher string) object {
	h := object{{"type", "command"}, {"command", shellWords(append([]string{s.Command, "hook", event}, s.Args...))}, {"timeout", hookTimeout}}
	entry := object{{"hooks", []any{h}}}
	if matcher != "" {
		entry = append(object{{"matcher", matcher}}, entry...)
	}
	return entry
}

// isHook reports whether an element of an event's list is ours.
func isHook(plain string) bool {
	return strings.Contains(plain, ` hook `) && strings.Contains(plain, "orma")
}

// shellWords writes a command line for a shell.
func shellWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@,+", r) || r > 127)
		}) {
			w = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(w) + `"`
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}

// putHooks adds our hooks to a settings file, and takes out older ones of ours.
func putHooks(data string, s Server) (string, error) {
	for _, e := range hookEvents {
		want := hookEntry(s, e.event, e.matcher)
		root, err := parseJSONC(data)
		if err != nil {
			return "", err
		}
		list, rest := walk(&root, []string{"hooks", e.event})
		if len(rest) == 0 && list.kind == '[' {
			n, ours := 0, 0
			for i := range list.items {
				plain := plainJSON(data, &list.items[i].value)
				if isHook(plain) {
					ours++
				}
				if same(plain, want) {
					n++
				}
			}
			if n == 1 && ours == 1 {
				continue
			}
		}
		if data, err = take(data, []string{"hooks", e.event}, isHook); err != nil {
			return "", err
		}
		if data, err = add(data, []string{"hooks", e.event}, want); err != nil {
			return "", err
		}
	}
	return data, nil
}

// takeHooks removes our hooks, and the lists that are empty then.
func takeHooks(data string) (string, error) {
	for _, e := range hookEvents {
		path := []string{"hooks", e.event}
		before := data
		var err error
		if data, err = take(data, path, isHook); err != nil {
			return "", err
		}
		if before != data {
			if data, err = takeEmpty(data, path); err != nil {
				return "", err
			}
		}
	}
	return data, nil
}

// takeEmpty removes the member at a path if it holds nothing.
func takeEmpty(data string, path []string) (string, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return "", err
	}
	n, rest := walk(&root, path)
	if len(rest) > 0 || n.kind != '{' && n.kind != '[' || strings.TrimSpace(data[n.start+1:n.end-1]) != "" {
		return data, nil
	}
	return take(data, path, nil)
}

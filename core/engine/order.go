package engine

import (
	_ "embed" // for the patterns
	"regexp"
	"strings"
	"sync"
)

//go:embed orders.txt
var orderFile string

// orders matches text that gives a model orders.
var orders = sync.OnceValue(func() *regexp.Regexp {
	var alternatives []string
	for line := range strings.Lines(orderFile) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			alternatives = append(alternatives, line)
		}
	}
	return regexp.MustCompile(`(?im)` + strings.Join(alternatives, "|"))
})

// ReadsLikeOrder reports whether a text reads like an order to a model. Such text
// from a tool or an assistant is kept and quoted, never followed.
func ReadsLikeOrder(body string) bool { return orders().MatchString(body) }

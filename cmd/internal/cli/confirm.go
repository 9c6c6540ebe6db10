package cli

import (
	"bufio"
	"fmt"
	"strings"
)

// confirm asks whether to do something that cannot be undone. Without a terminal only
// --yes says so.
func (a *app) confirm(yes bool, what string) error {
	if yes {
		return nil
	}
	if !isTerminal(a.proc.Stdin) || !isTerminal(a.err) {
		return usagef("this would %s", what).Hinted("add --yes to do it")
	}
	fmt.Fprintf(a.err, "This will %s. Go on? [y/N] ", clean(what))
	answer, _ := bufio.NewReader(a.proc.Stdin).ReadString('\n') // no answer is no
	if s := strings.ToLower(strings.TrimSpace(answer)); s != "y" && s != "yes" {
		return usagef("nothing was done")
	}
	return nil
}

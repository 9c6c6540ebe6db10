package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// takesText marks a command whose argument is a text, which may look like a flag.
func takesText(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{"text": "yes"}
	return c
}

// textArgs lets a text begin with a dash: one with a space in it is never a flag, and
// a plea for help is the text if it stands first and more follows it. Such a text is
// put behind a "--", where all is text.
func textArgs(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations["text"] == "" || slices.Contains(args, "--") {
		return args
	}
	first := slices.Index(args, cmd.Name()) + 1
	for i, s := range args {
		if i < first || !strings.HasPrefix(s, "-") || isValue(cmd, args[i-1]) {
			continue
		}
		name, _, _ := strings.Cut(s, "=")
		help := (s == "--help" || s == "-h") && i == first && len(args) > i+1
		if help || strings.ContainsAny(name, " \t\r\n") {
			return append(slices.Delete(slices.Clone(args), i, i+1), "--", s)
		}
	}
	return args
}

// isValue reports whether what follows a flag is its value.
func isValue(cmd *cobra.Command, before string) bool {
	name, ok := strings.CutPrefix(before, "--")
	if !ok || strings.Contains(name, "=") {
		return false
	}
	f := cmd.Flag(name)
	return f != nil && f.NoOptDefVal == ""
}

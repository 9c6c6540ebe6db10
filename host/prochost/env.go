package prochost

import (
	"slices"
	"strings"
)

// passed are the variables that every program is given: where programs, its home and
// temporary files are, and how the user's language writes. The last ones Windows needs.
var passed = []string{
	"PATH", "HOME", "USER", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
	"SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
}

// environment cuts an environment down to what is always passed on and what more names.
// Keys of services and the like stay here unless they are asked for.
func environment(all, more []string) []string {
	var out []string
	for _, kv := range all {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(passed, strings.ToUpper(name)) || slices.Contains(more, name) {
			out = append(out, kv)
		}
	}
	return out
}

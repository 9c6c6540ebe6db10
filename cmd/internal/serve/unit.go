package serve

import (
	"embed"
	"strings"
	"text/template"

	"github.com/orma-memory/orma/core"
)

//go:embed unit/*.tmpl
var unitFiles embed.FS

// Unit returns a file by which an init system starts the server: systemd or launchd.
func Unit(system, program string, args []string) (string, error) {
	name := map[string]string{"systemd": "unit/orma.service.tmpl", "launchd": "unit/orma.plist.tmpl"}[system]
	if name == "" {
		return "", core.Errorf(core.CodeUsage, "no unit for %q", system).Hinted("use systemd or launchd")
	}
	funcs := template.FuncMap{"word": systemdWord, "xml": xmlText}
	t, err := template.New("").Funcs(funcs).ParseFS(unitFiles, name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.ExecuteTemplate(&b, strings.TrimPrefix(name, "unit/"), append([]string{program}, args...))
	return b.String(), err
}

// systemdWord quotes a word for ExecStart, where % and $ mean something.
func systemdWord(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(s)
	if strings.ContainsAny(s, " \t'\"\\;") || s == "" {
		return `"` + s + `"`
	}
	return s
}

func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

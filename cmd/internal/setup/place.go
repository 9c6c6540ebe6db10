package setup

import (
	"os"
	"path/filepath"
)

// Place is where configurations lie.
type Place struct {
	OS      string // as runtime.GOOS
	Home    string // the user's folder
	Project string // the project's folder
	Env     func(name string) string
}

// config returns the folder of programs' settings.
func (p Place) config() string {
	switch p.OS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		if dir := p.Env("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(p.Home, "AppData", "Roaming")
	}
	return p.xdg()
}

// xdg returns the folder that programs use which do as on Linux everywhere but on
// Windows.
func (p Place) xdg() string {
	if dir := p.Env("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(p.Home, ".config")
}

// code returns a path in VS Code's user folder.
func (p Place) code(path string) string {
	return filepath.Join(p.config(), "Code", "User", filepath.FromSlash(path))
}

// home returns candidates below the user's folder.
func home(paths ...string) func(Place) []string {
	return func(p Place) []string {
		var out []string
		for _, path := range paths {
			out = append(out, filepath.Join(p.Home, filepath.FromSlash(path)))
		}
		return out
	}
}

func (p Place) claudeCode() []string {
	if dir := p.Env("CLAUDE_CONFIG_DIR"); dir != "" {
		return []string{filepath.Join(dir, ".claude.json")}
	}
	return []string{filepath.Join(p.Home, ".claude.json")}
}

func (p Place) claudeSettings() []string {
	if dir := p.Env("CLAUDE_CONFIG_DIR"); dir != "" {
		return []string{filepath.Join(dir, "settings.json")}
	}
	return []string{filepath.Join(p.Home, ".claude", "settings.json")}
}

func (p Place) claudeDesktop() []string {
	return []string{filepath.Join(p.config(), "Claude", "claude_desktop_config.json")}
}

func (p Place) codex() []string {
	if dir := p.Env("CODEX_HOME"); dir != "" {
		return []string{filepath.Join(dir, "config.toml")}
	}
	return []string{filepath.Join(p.Home, ".codex", "config.toml")}
}

func (p Place) openCode() []string {
	dir := filepath.Join(p.xdg(), "opencode")
	return []string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
}

func (p Place) zed() []string {
	if p.OS == "windows" {
		return []string{filepath.Join(p.config(), "Zed", "settings.json")}
	}
	return []string{filepath.Join(p.xdg(), "zed", "settings.json")}
}

// cline has had its own folder since its command line came; before, and still in many
// installations, its file is the extension's in VS Code.
func (p Place) cline() []string {
	if path := p.Env("CLINE_MCP_SETTINGS_PATH"); path != "" {
		return []string{path}
	}
	return []string{
		filepath.Join(p.Home, ".cline", "data", "settings", "cline_mcp_settings.json"),
		p.code("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
	}
}

// choose picks the candidate that is in use.
func (p Place) choose(paths []string) string {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	for _, path := range paths {
		if _, err := os.Stat(filepath.Dir(path)); err == nil {
			return path
		}
	}
	return paths[0]
}

package setup

import (
	"strings"
	"testing"
)

var tomlPath = []string{"mcp_servers", "orma"}

func TestPutTOML(t *testing.T) {
	block := "[mcp_servers.orma]\ncommand = \"orma\"\nargs = [\"mcp\"]\n"
	tests := []struct{ name, in, want string }{
		{"empty", "", block},
		{"other keys", "model = \"m\" # mine\n", "model = \"m\" # mine\n\n" + block},
		{"no line break at the end", "a = 1", "a = 1\n\n" + block},
		{
			"long values", "a = '''\n[mcp_servers.orma]\n'''\nb = [\n  1, # ]\n  2,\n]\nc = \"\"\"x\\\"\"\"\"\"\n[t]\nd = {x = \"}\"}\n",
			"a = '''\n[mcp_servers.orma]\n'''\nb = [\n  1, # ]\n  2,\n]\nc = \"\"\"x\\\"\"\"\"\"\n[t]\nd = {x = \"}\"}\n\n" + block,
		},
		{"the same", "[mcp_servers.orma]\nargs = [\"mcp\"]\ncommand = \"orma\" # here\n[z]\n", "[mcp_servers.orma]\nargs = [\"mcp\"]\ncommand = \"orma\" # here\n[z]\n"},
		{
			"an older entry", "[mcp_servers . \"orma\"] # mine\nurl = \"http://x\" # gone\ncommand = 'old'  # c\nstartup_timeout_sec = 9\n\n[mcp_servers.orma.env]\nA = \"1\"\n",
			"[mcp_servers . \"orma\"] # mine\nargs = [\"mcp\"]\ncommand = \"orma\"  # c\nstartup_timeout_sec = 9\n\n[mcp_servers.orma.env]\nA = \"1\"\n",
		},
		{"windows line breaks", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(block, "\n", "\r\n")},
		{"other servers", "[mcp_servers.a]\ncommand = \"x\"\n\n# the end\n", "[mcp_servers.a]\ncommand = \"x\"\n\n# the end\n\n" + block},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := putTOML(tt.in, tomlPath, ours, "url")
			if err != nil || got != tt.want {
				t.Fatalf("put:\n%s\n%v, want\n%s", got, err, tt.want)
			}
			if again, err := putTOML(got, tomlPath, ours, "url"); err != nil || again != got {
				t.Errorf("put again:\n%s\n%v", again, err)
			}
			if _, err := takeTOML(got, tomlPath); err != nil {
				t.Error(err)
			}
		})
	}
	for name, in := range map[string]string{
		"inline": "mcp_servers = {}\n", "inline entry": "[mcp_servers]\norma = {command = \"x\"}\n", "dotted": "mcp_servers.orma.command = \"x\"\n",
		"list of tables": "[[mcp_servers]]\n", "no value": "a =\n", "no key": "= 1\n", "open text": "a = \"b\n", "open long text": "a = \"\"\"b\n",
		"open list": "a = [1,\n", "open header": "[a\n", "rest of line": "a = 1\n[b] c\n", "open list of tables": "[[a]\n",
	} {
		if out, err := putTOML(in, tomlPath, ours); err == nil {
			t.Errorf("%s: %q became %q", name, in, out)
		}
	}
	if got, err := putTOML("", tomlPath, object{{"command", "o"}, {"env", object{{"ORMA_HOME", `C:\x`}}}}); err != nil || !strings.Contains(got, `env = { ORMA_HOME = "C:\\x" }`) {
		t.Errorf("environment: %s, %v", got, err)
	}
}

func TestTakeTOML(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"last", "a = 1\n\n[mcp_servers.orma]\ncommand = \"x\"\n", "a = 1\n"},
		{"between", "[mcp_servers.orma]\ncommand = \"x\"\n\n# b is next\n[b]\nc = 1\n", "\n# b is next\n[b]\nc = 1\n"},
		{"with tables below", "[mcp_servers.orma]\ncommand = \"x\"\n[mcp_servers.orma.env]\nA = 1\n[b]\n", "[b]\n"},
		{"not there", "[mcp_servers.ormagen]\n", "[mcp_servers.ormagen]\n"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := takeTOML(tt.in, tomlPath); err != nil || got != tt.want {
				t.Errorf("take:\n%q\n%v, want\n%q", got, err, tt.want)
			}
		})
	}
}

// FuzzTOML checks that a table that is added and taken away leaves the bytes that were
// there, but for a last line break.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{"", "a = 1", "a=1\n[b]\nc=[\n1,#x\n]\n", "a='''\n'''\n", "[a.\"b.c\"]\n", "# c", "\n\n", "a = \"\"\"\\\"\"\"\"\n", "[[a]]\nb = {c=1}\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out, err := putTOML(in, tomlPath, ours)
		if err != nil || strings.Contains(in, "orma") {
			return
		}
		back, err := takeTOML(out, tomlPath)
		if err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		if strings.TrimRight(back, "\r\n") != strings.TrimRight(in, "\r\n") {
			t.Fatalf("%q became %q and came back as %q", in, out, back)
		}
	})
}

package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestTokensFromTheCommandLine(t *testing.T) {
	h := newHome(t)
	made := h.run("token", "new", "phone", "--space", "home,work", "--right", "read", "--json")
	var tok struct {
		ID, Token, Right string
		Spaces           []string
	}
	if err := json.Unmarshal([]byte(made.out), &tok); err != nil || made.code != 0 {
		t.Fatalf("%+v, %v", made, err)
	}
	if !strings.HasPrefix(tok.Token, "orma_") || tok.Right != "read" || strings.Join(tok.Spaces, " ") != "home work" {
		t.Errorf("%+v", tok)
	}
	list := h.run("token", "list")
	if !strings.Contains(list.out, tok.ID) || !strings.Contains(list.out, "home, work") || strings.Contains(list.out, tok.Token) {
		t.Errorf("%+v", list)
	}
	if r := h.run("token", "revoke", tok.ID); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if list := h.run("token", "list"); !strings.Contains(list.out, "revoked") {
		t.Errorf("%+v", list)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"token", "revoke", tok.ID}, exitFailed},
		{[]string{"token", "revoke"}, exitUsage},
		{[]string{"token", "new"}, exitUsage},
		{[]string{"token", "new", "x", "--right", "root"}, exitUsage},
		{[]string{"token", "new", "x", "--all", "--space", "a"}, exitUsage},
		{[]string{"token", "new", " "}, exitFailed},
	} {
		if r := h.run(c.args...); r.code != c.code || r.err == "" || r.out != "" {
			t.Errorf("%q: %+v, want code %d", c.args, r, c.code)
		}
	}
}

// TestServeSaysWhereItListens starts a private server as a program would, uses it, and
// stops it.
func TestServeSaysWhereItListens(t *testing.T) {
	h := newHome(t)
	cmd := h.command("serve", "--private", "--json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var at struct{ Address, Token string }
	if err != nil || json.Unmarshal([]byte(line), &at) != nil || at.Address == "" || at.Token == "" {
		t.Fatalf("%q, %v", line, err)
	}
	ask := func(token string) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", at.Address+"/_orma/v1/stats", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if with, without := ask(at.Token), ask("none"); with != 200 || without != 401 {
		t.Errorf("with the token %d, without %d", with, without)
	}
	if runtime.GOOS == "windows" {
		_ = cmd.Process.Kill() // there is no polite way
	} else if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil && runtime.GOOS != "windows" {
		t.Errorf("it did not end well: %v", err)
	}
}

func TestServeIsCalledWrongly(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{
		{"serve", "x"}, {"serve", "--port", "70000"}, {"serve", "--upstream", "localhost:1"}, {"serve", "--host", "a:b"},
		{"serve", "--print-unit", "openrc"}, {"proxy", "--idle-exit", "5s"},
	} {
		if r := h.run(args...); r.code != exitUsage || r.err == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
	unit := h.run("serve", "--db", "my.db", "--print-unit", "systemd", "--port", "9000")
	if unit.code != 0 || !strings.Contains(unit.out, "ExecStart=") || strings.Contains(unit.out, "print-unit") || !strings.Contains(unit.out, "/my.db --port 9000") {
		t.Errorf("%+v", unit)
	}
}

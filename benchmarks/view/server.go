package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
)

// server is a private server of the built program.
type server struct {
	cmd     *exec.Cmd
	address string
	token   string
}

func start(ctx context.Context, orma, db, home string) (*server, error) {
	cmd := exec.CommandContext(ctx, orma, "serve", "--private", "--json", "--db", db)
	cmd.Env = append(os.Environ(), "ORMA_HOME="+home)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; run make build, or name the program with -orma", err)
	}
	s := &server{cmd: cmd}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var at struct{ Address, Token string }
	if err == nil {
		err = json.Unmarshal(line, &at)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the server does not say where it is: %w", err)
	}
	s.address, s.token = at.Address, at.Token
	return s, nil
}

func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
}

func (s *server) get(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %.200s", resp.StatusCode, body)
	}
	return body, err
}

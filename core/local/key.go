package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/sqlite"
)

// keyWait bounds how long the command that prints a key may take: a person may have to
// unlock a keyring.
const keyWait = 2 * time.Minute

// Key returns the key of the database that the configuration names: none, what a file or
// a variable holds, or what a command prints.
func (o Options) Key(ctx context.Context, cfg *config.Config) (sqlite.Key, error) {
	set := cfg.Settings.Store
	var text, from string
	switch {
	case set.KeyFile != "":
		from = "store.key_file " + abs(o.Home, set.KeyFile)
		data, err := os.ReadFile(abs(o.Home, set.KeyFile))
		if err != nil {
			return sqlite.Key{}, core.Errorf(core.CodeConfig, "the key of the database cannot be read: %w", err).
				Hinted("put the file back; without it the database cannot be read")
		}
		text = string(data)
	case set.KeyEnv != "":
		from = "store.key_env " + set.KeyEnv
		if text = o.variable(set.KeyEnv); text == "" {
			return sqlite.Key{}, core.Errorf(core.CodeConfig, "the key of the database is to be in %s, which is not set", set.KeyEnv).
				Hinted("set it, or change [store] key_env")
		}
	case len(set.KeyCommand) > 0:
		from = "store.key_command"
		var err error
		if text, err = o.keyFrom(ctx, set.KeyCommand); err != nil {
			return sqlite.Key{}, err
		}
	default:
		return sqlite.Key{}, nil
	}
	k, err := sqlite.ParseKey(text)
	if err != nil {
		return k, core.Errorf(core.CodeConfig, "%s: %w", from, err)
	}
	return k, nil
}

// keyFrom runs the command that prints the key.
func (o Options) keyFrom(ctx context.Context, words []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	var out, errs bytes.Buffer
	c := exec.CommandContext(ctx, words[0], words[1:]...) // the user's own configuration names it
	c.Stdout, c.Stderr, c.Env = &out, &errs, o.Env
	if err := c.Run(); err != nil {
		if said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n"); said != "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
		return "", core.Errorf(core.CodeConfig, "store.key_command %s: %w", words[0], err).
			Hinted("run it by hand: it must print the key and nothing else")
	}
	return out.String(), nil
}

// variable returns a variable of the environment.
func (o Options) variable(name string) string {
	for _, e := range o.Env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	if o.Env == nil {
		return os.Getenv(name)
	}
	return ""
}

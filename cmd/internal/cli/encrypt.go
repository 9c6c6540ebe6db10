package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/sqlite"
)

func (a *app) encryptCommand() *cobra.Command {
	var file string
	var off, yes bool
	c := &cobra.Command{
		Use:   "encrypt",
		Short: "Encrypt the database, change its key, or take encryption away",
		Long: `Writes the database anew under a key and overwrites the old file. The key is that of
[store] in the configuration (key_file, key_env or key_command), or with --key-file that
of a file, which is made with a new key if it is not there. --off writes the database
without encryption.

Keep the key apart from the database and in more than one place: without it nothing can
be read. Backups made before stay as they are. Stop other processes that use the
database first.`,
		Example: `  orma encrypt --key-file ~/.config/orma.key
  orma encrypt --key-file new.key      # from the configured key to another
  orma encrypt --off`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, o, err := a.load()
			if err != nil {
				return err
			}
			path := o.Database(cfg)
			from, err := o.Key(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			to, made := from, false
			switch {
			case off && file != "":
				return usagef("--off and --key-file cannot stand together")
			case off:
				to = sqlite.Key{}
			case file != "":
				if file, err = filepath.Abs(file); err != nil {
					return err
				}
				if _, err := os.Stat(path); err != nil {
					return fileError(path, err)
				}
				if to, made, err = readOrMakeKey(file); err != nil {
					return err
				}
			case from == (sqlite.Key{}):
				return usagef("no key is configured").Hinted("say where the key is, or is to be made: orma encrypt --key-file FILE")
			}
			if made {
				a.say("made the key %s: keep a copy apart from the database, nothing can be read without it", file)
			}
			if err := a.confirm(yes || !off, "write "+path+" without encryption"); err != nil {
				return err
			}
			copies, err := sqlite.Recrypt(cmd.Context(), path, from, to)
			if err != nil {
				return err
			}
			if path, err = filepath.Abs(path); err != nil {
				return err
			}
			return a.printRecrypted(path, file, off, copies)
		},
	}
	c.Flags().StringVar(&file, "key-file", "", "`FILE` with the key, made if it is not there")
	c.Flags().BoolVar(&off, "off", false, "write the database without encryption")
	c.Flags().BoolVar(&yes, "yes", false, "with --off: do it without asking")
	return c
}

// readOrMakeKey reads a key from a file, or makes one.
func readOrMakeKey(path string) (k sqlite.Key, made bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		made = true
		text = []byte(sqlite.NewKey() + "\n")
		err = writeNew(path, text)
	}
	if err != nil {
		return k, made, fileError(path, err)
	}
	if k, err = sqlite.ParseKey(string(text)); err != nil {
		return k, made, wrapped(path, err)
	}
	return k, made, nil
}

// writeNew writes a file that only its owner may read, and sees it on the disk.
func writeNew(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil { // its name too, where a system can
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

func (a *app) printRecrypted(path, file string, off bool, copies []string) error {
	for _, c := range copies {
		a.say("note: the copy %s stays as it was", c)
	}
	if a.json {
		return a.printJSON(map[string]any{"database": path, "encrypted": !off, "copies": append([]string{}, copies...)})
	}
	switch {
	case off:
		a.print("wrote %s without encryption; take the key out of [store] in the configuration", clean(path))
	case file != "":
		a.print("encrypted %s; put this into the configuration:\n\n[store]\nkey_file = %s", clean(path), tomlText(file))
	default:
		a.print("encrypted %s", clean(path))
	}
	return nil
}

// tomlText writes a path as TOML: as it is where that can be, for the sake of
// backslashes.
func tomlText(s string) string {
	for _, r := range s {
		if r == '\'' || r < ' ' {
			return fmt.Sprintf("%q", s)
		}
	}
	return "'" + s + "'"
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sqlite"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup [FILE]",
		Short: "Write a consistent copy of the database",
		Long: `Writes a consistent copy while other processes go on. Without a FILE it goes to
backups in Orma's folder, named after the present time.`,
		Args: wants(0, 1, "one FILE at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				path := ""
				if len(args) == 1 {
					path = args[0]
				} else {
					path = a.backupName(m)
				}
				bar := a.newBar("backup", 0)
				err := m.Store.Backup(cmd.Context(), path, func(done, total int) {
					bar.total = int64(total)
					bar.set(int64(done))
				})
				bar.clear()
				if err != nil {
					return err
				}
				if path, err = filepath.Abs(path); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"backup": path})
				}
				a.print("%s", clean(path))
				return nil
			})
		},
	}
}

// backupName is where a backup goes that nobody named: a new file in Orma's own folder of
// backups, which is swept by the way.
func (a *app) backupName(m *local.Memory) string {
	folder := filepath.Join(m.Home, "backups")
	sqlite.SweepBackups(folder)
	name := strings.TrimSuffix(filepath.Base(m.Path), filepath.Ext(m.Path)) + "-" + a.proc.Now().Format("20060102-150405")
	path := filepath.Join(folder, name+".db")
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); err != nil {
			return path
		}
		path = filepath.Join(folder, fmt.Sprintf("%s-%d.db", name, n))
	}
}

func (a *app) restoreCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in place of the database",
		Long: `Checks a backup and puts it in place of the database. The replaced file is kept beside
it. Stop other processes that use the database first. What was erased after the
backup was made comes back with it.`,
		Args: wants(1, 1, "the FILE of a backup"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, o, err := a.load()
			if err != nil {
				return err
			}
			path := o.Database(cfg)
			if err := a.confirm(yes, "put "+args[0]+" in place of "+path); err != nil {
				return err
			}
			key, err := o.Key(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			kept, err := sqlite.Restore(cmd.Context(), args[0], path, key, true)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]string{"database": path, "kept": kept})
			}
			a.print("restored %s", clean(path))
			if kept != "" {
				a.print("the replaced database is kept as %s", clean(kept))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do it without asking")
	return c
}

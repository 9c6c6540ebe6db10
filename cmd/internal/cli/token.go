package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

// tokenView is a token as --json shows it.
type tokenView struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Token   string     `json:"token,omitempty"` // the secret, once
	Right   core.Right `json:"right"`
	Spaces  []string   `json:"spaces"` // empty: all
	Created time.Time  `json:"created"`
	Used    time.Time  `json:"used,omitzero"`
	Revoked time.Time  `json:"revoked,omitzero"`
}

func viewToken(t *core.Token) tokenView {
	v := tokenView{ID: t.ID, Name: t.Name, Right: t.Right, Spaces: t.Spaces, Created: t.Created, Used: t.Used, Revoked: t.Revoked}
	if v.Spaces == nil {
		v.Spaces = []string{}
	}
	return v
}

func (a *app) tokenCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "token new|list|revoke|log",
		Short: "Let clients in: make, list and revoke tokens, see what they did",
		Long: `A token lets a client of orma serve in. It is bound to spaces and to a right: read,
write or admin. It is shown once; what is stored is its hash. On this machine none is
needed unless serve.tokens = "on".`,
	}
	return family(c, a.tokenNewCommand(), a.tokenListCommand(), a.tokenRevokeCommand(), a.tokenLogCommand())
}

func (a *app) tokenNewCommand() *cobra.Command {
	var right string
	var all bool
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a token and show it once",
		Long: `Makes a token for the space that --space names (several with commas between them), or
with --all for every space. Send it as "Authorization: Bearer orma_…".`,
		Example: `  orma token new phone --space personal --right write
  orma token new backup --all --right admin`,
		Args: wants(1, 1, "a NAME for the token"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var spaces []string
			if all && cmd.Flag("space").Changed {
				return usagef("give --space or --all, not both")
			}
			if !all {
				spaces = strings.Split(a.space, ",")
			}
			secret, t, err := access.NewToken(args[0], core.Right(right), spaces, a.proc.Now())
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				if err := m.Store.AddToken(cmd.Context(), t); err != nil {
					return err
				}
				if a.json {
					v := viewToken(&t)
					v.Token = secret
					return a.printJSON(v)
				}
				a.print("%s", secret)
				a.say("token %s (%s): %s, %s; it is not shown again", t.ID, t.Name, t.Right, spacesOf(&t))
				return nil
			})
		},
	}
	c.Flags().Var(newChoice(&right, words(core.Rights())...), "right", "what it allows: read, write or admin (default write)")
	right = string(core.RightWrite)
	c.Flags().BoolVar(&all, "all", false, "for every space")
	return c
}

func (a *app) tokenListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the tokens, without their secrets",
		Args:  wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				ts, err := m.Store.Tokens(cmd.Context())
				if err != nil {
					return err
				}
				if a.json {
					out := make([]tokenView, len(ts))
					for i := range ts {
						out[i] = viewToken(&ts[i])
					}
					return a.printJSON(out)
				}
				if len(ts) == 0 {
					a.say("no tokens yet: make one with orma token new NAME")
				}
				for i := range ts {
					a.print("%s  %-16s  %-5s  %s  (%s)", ts[i].ID, line(ts[i].Name, 40), ts[i].Right, clean(spacesOf(&ts[i])), tokenState(&ts[i]))
				}
				return nil
			})
		},
	}
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "End a token at once",
		Args:  wants(1, 1, "the ID of a token"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				if err := m.Store.RevokeToken(cmd.Context(), args[0], a.proc.Now()); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"revoked": args[0]})
				}
				a.print("revoked: %s", clean(args[0]))
				return nil
			})
		},
	}
}

func (a *app) tokenLogCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "log",
		Short: "List what clients of orma serve changed, newest first",
		Args:  wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit must be at least 1, not %d", limit)
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				es, err := m.Store.AuditLog(cmd.Context(), 0, limit)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(append([]core.AuditEntry{}, es...))
				}
				if len(es) == 0 {
					a.say("nothing yet: what clients of orma serve change is listed here")
				}
				for i := range es {
					a.print("%s", auditLine(&es[i]))
				}
				return nil
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 100, "most `LINES`")
	return c
}

func auditLine(e *core.AuditEntry) string {
	who, item := "no token", ""
	if e.Token != "" {
		who = "token " + clean(e.Token)
	}
	if e.Item != 0 {
		item = fmt.Sprintf(" %d", e.Item)
	}
	return fmt.Sprintf("%s  %d  %s%s in %s, %s", e.At.Local().Format(time.DateTime), e.Status, clean(e.Verb), item, clean(cmp.Or(e.Space, "no space")), who)
}

func spacesOf(t *core.Token) string {
	if len(t.Spaces) == 0 {
		return "all spaces"
	}
	return strings.Join(t.Spaces, ", ")
}

func tokenState(t *core.Token) string {
	switch {
	case !t.Revoked.IsZero():
		return "revoked " + day(t.Revoked, time.Local)
	case t.Used.IsZero():
		return "made " + day(t.Created, time.Local) + ", never used"
	}
	return "made " + day(t.Created, time.Local) + ", used " + t.Used.Local().Format("2006-01-02 15:04")
}

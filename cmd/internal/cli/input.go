package cli

import (
	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// sourceCommand is the source of what is typed here, where --source says nothing else.
const sourceCommand = "cli"

// inputFlags are what is said about a text.
type inputFlags struct {
	at, zone, session, speaker, ttl, source, role, kind string
}

// when adds the flags that every text has.
func (f *inputFlags) when(c *cobra.Command) {
	c.Flags().StringVar(&f.at, "at", "", "`TIME` it was said (default now)")
	c.Flags().StringVar(&f.zone, "tz", "", "IANA time `ZONE` it was said in, such as Europe/Lisbon")
	c.Flags().StringVar(&f.ttl, "ttl", "", "how long it is recalled: `30m`, 12h, 7d, session or forever (default forever)")
	c.Flags().StringVar(&f.source, "source", "", "`NAME` of where it came from")
}

// who adds the flags of a text that somebody said.
func (f *inputFlags) who(c *cobra.Command) {
	c.Flags().Var(newChoice(&f.role, words(core.Roles())...), "role", "who said it: user, assistant, tool or system (default user)")
	c.Flags().Var(newChoice(&f.kind, words(core.Kinds())...), "kind", "what it is: turn, note, document, tool, anti_pattern or identity (default note; document of a file)")
	c.Flags().StringVar(&f.speaker, "speaker", "", "`NAME` of who said it")
	c.Flags().StringVar(&f.session, "session", "", "`NAME` of the conversation")
}

// input is all but the text. A time without a zone is in --tz.
func (f *inputFlags) input(m *local.Memory) (engine.Input, error) {
	in := engine.Input{
		Kind: core.Kind(f.kind), Role: core.Role(f.role), Speaker: f.speaker, Session: f.session,
		Source: f.source, Zone: f.zone, TTL: f.ttl,
	}
	zone, err := zoneFlag(m, f.zone)
	if err != nil {
		return in, err
	}
	if in.At, err = parseTime("at", f.at, zone); err != nil {
		return in, err
	}
	return in, checkTTL(f.ttl)
}

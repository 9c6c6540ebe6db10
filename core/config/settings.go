package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Settings are the tables that are neither stages nor plugins.
type Settings struct {
	Store   Store   `toml:"store"`
	Clock   Clock   `toml:"clock"`
	Limits  Limits  `toml:"limits"`
	Sleep   Sleep   `toml:"sleep"`
	Serve   Serve   `toml:"serve"`
	Proxy   Proxy   `toml:"proxy"`
	Plugins Plugins `toml:"plugins"`
	Log     Log     `toml:"log"`
}

// Store says where memory is kept.
type Store struct {
	Path        string   `toml:"path"         doc:"database file; empty for memory.db in Orma's folder"`
	Synchronous string   `toml:"synchronous"  doc:"normal: safe from a killed process; full: safe from a loss of power too"`
	KeyFile     string   `toml:"key_file"     doc:"file with the key of an encrypted database, in Orma's folder unless the path says otherwise"`
	KeyEnv      string   `toml:"key_env"      doc:"environment variable that holds the key instead"`
	KeyCommand  []string `toml:"key_command"  doc:"command that prints the key instead, such as that of the system's keyring"`
	KeepSecrets bool     `toml:"keep_secrets" doc:"store keys, tokens and passwords as they came instead of masking them"`
}

// Clock says how times are read and shown.
type Clock struct {
	Timezone  string `toml:"timezone"   doc:"IANA zone of texts that name none; empty for the system's"`
	DateOrder string `toml:"date_order" doc:"how 08/10 is read: dmy, mdy or ymd; empty to read only what reads in one way"`
}

// Limits bound what is accepted and held.
type Limits struct {
	EpisodeBytes  int   `toml:"episode_bytes"  doc:"longest episode"`
	SpaceEpisodes int   `toml:"space_episodes" doc:"most episodes of a space"`
	Spaces        int   `toml:"spaces"         doc:"most spaces"`
	IndexBytes    int64 `toml:"index_bytes"    doc:"memory for indexes; the least recently used go first"`
	QueryBytes    int   `toml:"query_bytes"    doc:"what of a query is searched for"`
	BodyBytes     int   `toml:"body_bytes"     doc:"longest request body"`
}

// Sleep says when and with which model episodes become facts.
type Sleep struct {
	Enabled         bool   `toml:"enabled"          doc:"sleep in the background while a server runs"`
	Upstream        string `toml:"upstream"         doc:"OpenAI-compatible address of sleep's model; empty for the proxy's upstream"`
	Model           string `toml:"model"            doc:"name of the model; empty for the first one that a client asks for"`
	KeyEnv          string `toml:"key_env"          doc:"environment variable that holds the key of the upstream"`
	IdleSeconds     int    `toml:"idle_seconds"     doc:"quiet time after which waiting episodes are read"`
	PendingEpisodes int    `toml:"pending_episodes" doc:"waiting episodes that are read without waiting longer"`
	BatchTokens     int    `toml:"batch_tokens"     doc:"most tokens of lines in one request"`
	MaxAttempts     int    `toml:"max_attempts"     doc:"bad answers after which an episode is set aside"`
	LeaseSeconds    int    `toml:"lease_seconds"    doc:"how long a sleeper that died blocks others"`
	TimeoutMS       int    `toml:"timeout_ms"       doc:"longest wait for the model's answer"`
	ToolFacts       bool   `toml:"tool_facts"       doc:"let tool output become states; never rules"`
}

// Serve says where the server listens.
type Serve struct {
	Host      string   `toml:"host"       doc:"address to listen on"`
	Port      int      `toml:"port"       doc:"port to listen on; 0 for a free one"`
	Tokens    string   `toml:"tokens"     doc:"auto: needed off this machine; on: always; off: never"`
	Hosts     []string `toml:"hosts"      doc:"further names by which browsers may reach it"`
	TimeoutMS int      `toml:"timeout_ms" doc:"longest time for a request of the API"`
	Tracing   bool     `toml:"tracing"    doc:"export OpenTelemetry traces"`
}

// Proxy says how requests to a model get memory.
type Proxy struct {
	Upstream   string `toml:"upstream"    doc:"address of the model's server, with or without /v1; empty to look for one"`
	KeyEnv     string `toml:"key_env"     doc:"environment variable that holds the upstream's key; empty to pass the client's on"`
	DeadlineMS int    `toml:"deadline_ms" doc:"longest wait for memory; then the request goes on without"`
	Space      string `toml:"space"       doc:"space of requests that name none"`
	Record     bool   `toml:"record"      doc:"remember what is said"`
	ToolChars  int    `toml:"tool_chars"  doc:"characters of a tool's result that are remembered, from both ends"`
}

// Plugins says where plugins are looked for.
type Plugins struct {
	Path Paths `toml:"path" doc:"folders with plugins, looked in before the file's own folder and Orma's"`
}

// Log says what is logged.
type Log struct {
	Level string `toml:"level" doc:"debug, info, warn or error"`
}

// Paths is one path or a list of them.
type Paths []string

// UnmarshalTOML takes a text or a list of texts.
func (p *Paths) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		*p = Paths{v}
		return nil
	case []any:
		out := make(Paths, 0, len(v))
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return errors.New("not a text")
			}
			out = append(out, s)
		}
		*p = out
		return nil
	}
	return errors.New("not a text")
}

func (*Paths) wanted() string { return "text in quotes or a list of it" }

// DefaultSettings returns what stands where no layer says otherwise.
func DefaultSettings() Settings {
	return Settings{
		Store:  Store{Synchronous: "normal"},
		Limits: Limits{EpisodeBytes: 1 << 20, SpaceEpisodes: 5_000_000, Spaces: 100_000, IndexBytes: 2 << 30, QueryBytes: 64 << 10, BodyBytes: 32 << 20},
		Sleep: Sleep{
			Enabled: true, IdleSeconds: 120, PendingEpisodes: 20, BatchTokens: 3000,
			MaxAttempts: 3, LeaseSeconds: 120, TimeoutMS: 120_000,
		},
		Serve: Serve{Host: "127.0.0.1", Port: 8080, Tokens: "auto", TimeoutMS: 30_000},
		Proxy: Proxy{DeadlineMS: 200, Space: "default", Record: true, ToolChars: 4000},
		Log:   Log{Level: "warn"},
	}
}

// Validate reports values outside their range.
func (s *Store) Validate() error {
	sources := 0
	for _, given := range []bool{s.KeyFile != "", s.KeyEnv != "", len(s.KeyCommand) > 0} {
		if given {
			sources++
		}
	}
	if sources > 1 {
		return errors.New("only one of key_file, key_env and key_command can be set")
	}
	return oneOf("synchronous", s.Synchronous, "normal", "full")
}

// Validate reports values outside their range.
func (c *Clock) Validate() error {
	var zone error
	if c.Timezone != "" {
		if _, err := time.LoadLocation(c.Timezone); err != nil || strings.EqualFold(c.Timezone, "local") {
			zone = fmt.Errorf("timezone %q is no IANA zone, such as Europe/Lisbon", c.Timezone)
		}
	}
	return errors.Join(zone, oneOf("date_order", c.DateOrder, "", "dmy", "mdy", "ymd"))
}

// Validate reports values outside their range.
func (l *Limits) Validate() error {
	return errors.Join(
		between("episode_bytes", int64(l.EpisodeBytes), 1, 1<<30), between("space_episodes", int64(l.SpaceEpisodes), 1, 1<<40),
		between("spaces", int64(l.Spaces), 1, 1<<31-1), between("index_bytes", l.IndexBytes, 1<<20, 1<<50),
		between("query_bytes", int64(l.QueryBytes), 1, 1<<24), between("body_bytes", int64(l.BodyBytes), 1<<10, 1<<32),
	)
}

// Validate reports values outside their range.
func (s *Sleep) Validate() error {
	return errors.Join(
		address("upstream", s.Upstream), between("idle_seconds", int64(s.IdleSeconds), 0, 1<<31-1),
		between("pending_episodes", int64(s.PendingEpisodes), 1, 1<<31-1),
		between("batch_tokens", int64(s.BatchTokens), 100, 1_000_000),
		between("max_attempts", int64(s.MaxAttempts), 1, 100), between("lease_seconds", int64(s.LeaseSeconds), 10, 86_400),
		between("timeout_ms", int64(s.TimeoutMS), 1, 86_400_000),
	)
}

// Validate reports values outside their range.
func (s *Serve) Validate() error {
	host := error(nil)
	if s.Host == "" || strings.ContainsAny(s.Host, "/ \t") || strings.Contains(s.Host, ":") && net.ParseIP(s.Host) == nil {
		host = fmt.Errorf("host must be an address or a name without a port, not %q", s.Host)
	}
	return errors.Join(host, between("port", int64(s.Port), 0, 65535), oneOf("tokens", s.Tokens, "auto", "on", "off"),
		between("timeout_ms", int64(s.TimeoutMS), 1, 86_400_000))
}

// Validate reports values outside their range.
func (p *Proxy) Validate() error {
	space := error(nil)
	if p.Space == "" {
		space = errors.New("space must not be empty")
	}
	return errors.Join(address("upstream", p.Upstream), between("deadline_ms", int64(p.DeadlineMS), 1, 600_000), space,
		between("tool_chars", int64(p.ToolChars), 0, 10_000_000))
}

// Validate reports values outside their range.
func (l *Log) Validate() error { return oneOf("level", l.Level, "debug", "info", "warn", "error") }

func between(key string, v, low, high int64) error {
	if v < low || v > high {
		return fmt.Errorf("%s must be %d to %d, not %d", key, low, high, v)
	}
	return nil
}

func oneOf(key, v string, words ...string) error {
	if slices.Contains(words, v) {
		return nil
	}
	if words[0] == "" {
		words = words[1:]
	}
	last := len(words) - 1
	return fmt.Errorf("%s must be %s or %s, not %q%s", key, strings.Join(words[:last], ", "), words[last], v, hint(v, words))
}

func address(key, v string) error {
	if v == "" {
		return nil
	}
	if u, err := url.Parse(v); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s must be an http or https address, such as http://127.0.0.1:11434", key)
	}
	return nil
}

package local

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/llm"
	"github.com/orma-memory/orma/core/sleep/rules"
)

// SleepOptions say with which model a sleeper works. Empty fields are those of the
// configuration.
type SleepOptions struct {
	Upstream string
	Model    string
	Backends map[string]sleep.Extractor // of plugins, by name: "wasm:NAME", "process:NAME"
}

// answerTokens bounds an answer of the model: small ones repeat themselves until their
// context is full. A batch whose answer is cut is split.
const answerTokens = 2000

// pingWait is how long "auto" waits for the model's server before it goes by rules.
const pingWait = 2 * time.Second

// Sleeper returns what consolidates this memory. Several may work at once: a lease a
// space keeps them apart.
func (m *Memory) Sleeper(o SleepOptions) (*sleep.Sleeper, error) {
	set := m.Config.Settings
	if !m.Config.Semantic {
		return nil, core.Errorf(core.CodeConfig, "sleep is off: enable_semantic = false").Hinted("switch it on in the configuration")
	}
	zone, err := Zone(m.Config)
	if err != nil {
		return nil, err
	}
	backends, err := m.plugins.backends(m.Config, m.variants.deps)
	if err != nil {
		return nil, err
	}
	backends[rules.Name] = rules.New()
	for name, x := range o.Backends {
		backends[name] = x
	}
	auto := func(context.Context) (string, error) { return rules.Name, nil }
	if upstream := cmp.Or(o.Upstream, set.Sleep.Upstream, set.Proxy.Upstream); upstream != "" {
		c, err := llm.New(llm.Options{
			Upstream: upstream, Model: cmp.Or(o.Model, set.Sleep.Model), Key: os.Getenv(cmp.Or(set.Sleep.KeyEnv, set.Proxy.KeyEnv, "-")),
			Timeout: time.Duration(set.Sleep.TimeoutMS) * time.Millisecond, MaxTokens: answerTokens,
		})
		if err != nil {
			return nil, err
		}
		backends["llm"] = c
		auto = func(ctx context.Context) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, pingWait)
			defer cancel()
			if c.Ping(ctx) != nil {
				return rules.Name, nil
			}
			return "llm", nil
		}
	}
	opt := sleep.Options{
		Steps: m.Config.Sleep, Backends: backends, Auto: auto, Order: orderOf(set.Clock.DateOrder), Zone: zone,
		Tools: set.Sleep.ToolFacts, BatchTokens: set.Sleep.BatchTokens, Tries: set.Sleep.MaxAttempts,
		Lease: time.Duration(set.Sleep.LeaseSeconds) * time.Second, Holder: holder(), Now: m.now, Log: m.log,
	}
	opt.Embedder = m.embedder
	return sleep.New(m.Store, opt)
}

// Schedule returns when sleep begins by itself, as configured.
func (m *Memory) Schedule() sleep.ScheduleOptions {
	s := m.Config.Settings.Sleep
	return sleep.ScheduleOptions{Idle: time.Duration(s.IdleSeconds) * time.Second, Pending: s.PendingEpisodes}
}

// holder names a sleeper among the processes on a store.
func holder() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s:%d:%s", host, os.Getpid(), rand.Text()[:8])
}

package cli

import (
	"cmp"

	"github.com/orma-memory/orma/cmd/internal/proxy"
	"github.com/orma-memory/orma/cmd/internal/serve"
	"github.com/orma-memory/orma/cmd/internal/trace"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/secret"
	"github.com/orma-memory/orma/core/sleep"
)

// newTracer makes what sends traces, if the configuration wants them. The variable is
// the one that all programs with OpenTelemetry read.
func (a *app) newTracer(m *local.Memory, o local.Options) *trace.Tracer {
	if !m.Config.Settings.Serve.Tracing {
		return nil
	}
	return trace.New(trace.Options{
		Endpoint: cmp.Or(a.env("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://127.0.0.1:4318"),
		Version:  thisBuild().Version, Now: a.proc.Now, Log: o.Log,
	})
}

// newProxy makes what passes requests on.
func (a *app) newProxy(m *local.Memory, o local.Options, night *serve.Night) (*proxy.Proxy, error) {
	set := m.Config.Settings
	po := proxy.Options{
		Engine: m.Engine, Store: m.Store, Settings: set.Proxy, Limits: set.Limits,
		Spool: m.Path + ".unrecorded.jsonl", Now: a.proc.Now, Log: o.Log,
	}
	var err error
	if po.Seal, err = m.Store.Sealer(); err != nil {
		return nil, err
	}
	if !set.Store.KeepSecrets {
		mask, err := secret.New()
		if err != nil {
			return nil, err
		}
		po.Mask = mask.Mask
	}
	if night != nil {
		po.Adopt = night.Adopt
	}
	return proxy.New(po)
}

// night makes what sleeps, unless facts are switched off.
func (a *app) night(m *local.Memory, o local.Options) (*serve.Night, error) {
	if !m.Config.Semantic {
		return nil, nil
	}
	set := m.Config.Settings.Sleep
	return serve.NewNight(func(upstream, model string) (*sleep.Sleeper, error) {
		return m.Sleeper(local.SleepOptions{Upstream: upstream, Model: model})
	}, m.Schedule(), set.Model != "" || set.Upstream != "", o.Log)
}

package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/host/either"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/embedtest"
	"github.com/orma-memory/orma/sdk/extracttest"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// patience is the longest run of a stage while it is checked: some checks have 10,000
// rows, and the machine may be busy.
const patience = 10 * time.Second

// Report is what a check found.
type Report struct {
	Info    host.Info
	Results []stagetest.Result
	// Call is the median time of a run over 200 candidates, the host's work included;
	// zero if the plugin does not rank.
	Call time.Duration
}

// OK reports whether every check passed.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Results, func(x stagetest.Result) bool { return len(x.Errors) > 0 })
}

// Check holds the plugin in a folder or file to the conformance suite of its contract. A
// program is run, with the user's rights. cache is a folder for compiled code, or empty.
func Check(ctx context.Context, path, cache string) (rep *Report, err error) {
	file, about, err := locate(path)
	if err != nil {
		return nil, err
	}
	h := either.New(wasmhost.Options{Cache: cache, Timeout: patience}, prochost.Options{Timeout: patience, EmbedTimeout: time.Minute, ExtractTimeout: time.Minute})
	defer func() { err = errors.Join(err, h.Close()) }()
	p, err := h.Open(ctx, host.Source{Path: file, Trusted: !either.IsModule(file)})
	if err != nil {
		return nil, err
	}
	rep = &Report{Info: p.Info}
	if about != nil {
		rep.Results = append(rep.Results, agrees(about, p.Info))
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	deps := component.Deps{Dir: dir}
	for _, spec := range p.Stages {
		rep.Results = append(rep.Results, stagetest.Check(ctx, stagetest.Suite{Spec: spec, Deps: deps})...)
		rep.Results = append(rep.Results, lasts(ctx, spec, deps), rep.quick(ctx, spec, deps))
	}
	for _, spec := range p.Extractors {
		lines, err := sample(dir)
		if err != nil {
			return nil, err
		}
		rep.Results = append(rep.Results, extracttest.Check(ctx, extracttest.Suite{
			Spec: spec, Deps: deps, Lines: lines, MayBeAway: p.Info.Contract == abi.Sleep && p.Info.Runtime == "process",
		})...)
	}
	for _, spec := range p.Embedders {
		rep.Results = append(rep.Results, embedtest.Check(ctx, embedtest.Suite{Spec: spec, Deps: deps})...)
	}
	if p.Info.Runtime == "process" {
		rep.Results = append(rep.Results, restarts(ctx, p, deps, h.Kill))
	}
	return rep, ctx.Err()
}

// locate returns the module or program at path and, if path is a plugin's folder, its plugin.toml.
func locate(path string) (string, *config.PluginFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if !info.IsDir() {
		return path, nil, nil
	}
	p, err := config.ReadPluginFile(filepath.Join(path, File))
	if err != nil {
		return "", nil, err
	}
	file := Output(path, p)
	if _, err := os.Stat(file); err != nil {
		return "", nil, fmt.Errorf("%s is not built yet; run orma plugin build %s", file, path)
	}
	return file, &p, nil
}

func agrees(about *config.PluginFile, info host.Info) stagetest.Result {
	r := stagetest.Result{Name: "plugin_toml", Doc: "plugin.toml and the manifest say the same"}
	version, _, _ := strings.Cut(info.Version, "+") // what follows tells builds apart
	for _, x := range []struct{ key, toml, manifest string }{
		{"name", about.Name, info.Name}, {"version", about.Version, version},
		{"contract", about.Contract, info.Contract}, {"runtime", about.Runtime, info.Runtime},
	} {
		if x.toml != x.manifest {
			r.Errorf("%s is %q in plugin.toml and %q in the module", x.key, x.toml, x.manifest)
		}
	}
	if about.ABI != abi.Version {
		r.Errorf("abi is %d in plugin.toml and %d in the module", about.ABI, abi.Version)
	}
	return r
}

// lasts runs one stage so often that memory which is never given back runs out.
func lasts(ctx context.Context, spec pipeline.Spec, deps component.Deps) stagetest.Result {
	r, start := stagetest.Result{Name: "lasts", Doc: "3,000 runs do not use the memory up"}, time.Now()
	st, err := spec.Build(spec.NewParams(), deps)
	if err != nil {
		r.Errorf("build: %v", err)
		return r
	}
	f := stagetest.Frame(&spec, 1000, 2)
	keep := f.Clone()
	for i := range 3000 {
		restore(f, keep, spec)
		if err := st.Run(ctx, f); err != nil {
			r.Errorf("run %d: %v %s", i+1, err, contract.Detail(err))
			break
		}
	}
	r.Took = time.Since(start)
	return r
}

// restore puts back what a run may have changed.
func restore(f, keep *frame.Frame, spec pipeline.Spec) {
	for _, c := range spec.Writes {
		switch c.Kind {
		case frame.KindF32:
			copy(f.F32(c), keep.F32(c))
		case frame.KindI64:
			copy(f.I64(c), keep.I64(c))
		}
	}
	f.SetOrder(keep.Order())
}

// timeouts are what a recall gives a plugin, by runtime.
var timeouts = map[string]time.Duration{"wasm": 20 * time.Millisecond, "process": 100 * time.Millisecond}

// quick measures runs over 200 candidates, which is what a recall has.
func (rep *Report) quick(ctx context.Context, spec pipeline.Spec, deps component.Deps) stagetest.Result {
	limit := timeouts[rep.Info.Runtime]
	r := stagetest.Result{Name: "quick", Doc: fmt.Sprintf("200 candidates take less than the %v that a recall gives", limit)}
	st, err := spec.Build(spec.NewParams(), deps)
	if err != nil {
		r.Errorf("build: %v", err)
		return r
	}
	f := stagetest.Frame(&spec, 200, 2)
	keep := f.Clone()
	took := make([]time.Duration, 0, 501)
	for range cap(took) {
		restore(f, keep, spec)
		start := time.Now()
		if err := st.Run(ctx, f); err != nil {
			r.Errorf("%v", err)
			return r
		}
		took = append(took, time.Since(start))
		r.Took += took[len(took)-1]
	}
	slices.Sort(took)
	rep.Call = took[len(took)/2]
	r.Logf("%.1f µs a run at 200 candidates", float64(rep.Call.Nanoseconds())/1000)
	if rep.Call > limit {
		r.Errorf("%v a run", rep.Call)
	}
	return r
}

// sample reads the lines in which an extractor is to find something: sample.txt beside
// its module, if it is there.
func sample(dir string) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "sample.txt"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return nonEmptyLines(string(b)), nil
}

func nonEmptyLines(s string) []string {
	var out []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

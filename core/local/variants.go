package local

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
)

// maxVariants bounds the changed pipelines that are kept: each is a few kilobytes.
const maxVariants = 32

// variants are pipelines that requests changed.
type variants struct {
	src  *config.Source
	reg  config.Registries
	deps component.Deps

	mu   sync.Mutex
	keys []string // of made, oldest first
	made map[string]variant
}

type variant struct {
	pipe *pipeline.Pipeline
	pack pack.Packer
}

// get returns the pipeline with stages off and keys set, building it if need be. Only
// keys of stages can be set.
func (v *variants) get(off []string, set map[string]string) (*pipeline.Pipeline, pack.Packer, error) {
	var pairs []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		if !strings.HasPrefix(k, "stage.") {
			return nil, nil, core.Errorf(core.CodeDenied, "a request may set keys of stages, not %q", k)
		}
		pairs = append(pairs, k+"="+set[k])
	}
	key := fmt.Sprintf("%q %q", off, pairs)
	v.mu.Lock()
	defer v.mu.Unlock()
	if got, ok := v.made[key]; ok {
		return got.pipe, got.pack, nil
	}
	cfg, err := v.src.With(off, pairs).Load(v.reg, v.deps)
	if err != nil {
		return nil, nil, err
	}
	packer, ok := cfg.Pack().(pack.Packer)
	if !ok {
		return nil, nil, core.Errorf(core.CodeConfig, "the last stage of pipeline.recall writes no block")
	}
	if len(v.keys) == maxVariants {
		delete(v.made, v.keys[0])
		v.keys = v.keys[1:]
	}
	v.keys = append(v.keys, key)
	v.made[key] = variant{cfg.Recall, packer}
	return cfg.Recall, packer, nil
}

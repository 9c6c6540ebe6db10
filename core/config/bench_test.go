package config_test

import (
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
)

// BenchmarkLoad is what each start of the program pays.
func BenchmarkLoad(b *testing.B) {
	reg := registries(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := config.Read(config.Options{Profiles: profiles, Off: []string{"boost"}}).Load(reg, component.Deps{}); err != nil {
			b.Fatal(err)
		}
	}
}

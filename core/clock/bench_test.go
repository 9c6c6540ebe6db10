package clock_test

import (
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

func BenchmarkFind(b *testing.B) {
	said := time.Date(2026, 10, 15, 10, 0, 0, 0, time.UTC)
	for name, line := range map[string]string{
		"plain": "My neighbour Ilka keeps eleven hens behind the old brick kiln and gives away the eggs that her own family of four cannot eat at home.",
		"dated": "I moved from the flat above the bakery to a small house near the harbour last Tuesday, and on 3 November my sister will come to stay.",
	} {
		b.Run(name, func(b *testing.B) {
			r, err := clock.NewReader()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				r.Find(line, said, clock.Options{})
			}
		})
	}
}

func BenchmarkNewReader(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := clock.NewReader(); err != nil {
			b.Fatal(err)
		}
	}
}

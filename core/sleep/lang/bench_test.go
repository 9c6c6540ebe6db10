package lang

import (
	"strings"
	"testing"
)

func BenchmarkAnalyse(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"plain", "I work as a cartographer and I live in Trieste with my wife."},
		{"long", strings.Repeat("My sister's husband Tom and I like the sea, and when it rains we read; ", 6)},
		{"hostile", strings.Repeat("my I if when the a his who 's and ", 12)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Default().Analyse(c.line).Persons()
			}
		})
	}
}

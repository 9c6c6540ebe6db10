package latency

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Machine names what a figure was measured on.
func Machine() string {
	cpu := runtime.GOARCH
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		cpu = name
	}
	return cpu + ", " + strconv.Itoa(runtime.GOMAXPROCS(0)) + " cores, " + runtime.GOOS + ", " + runtime.Version()
}

// resident returns the memory of this process that is in RAM, in bytes, or 0 where the
// system does not say.
func resident() int64 {
	kb, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/self/status", "VmRSS"), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kb * 1024
}

// field returns the first value of a key in a file of "key: value" lines.
func field(file, key string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

package latency

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine names what a figure was measured on.
func Machine() string {
	cpu := runtime.GOARCH
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		cpu = name
	}
	return cpu + ", " + strconv.Itoa(runtime.GOMAXPROCS(0)) + " cores, " + runtime.GOOS + ", " + runtime.Version()
}

// ticks of the kernel's clock a second, as every Linux shows them.
const ticks = 100

// CPU returns the processor time that this process has used, or 0 where the system does
// not say.
func CPU() time.Duration {
	data, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * time.Second / ticks
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

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks of the kernel's clock a second, as every Linux shows them.
const ticks = 100

// cpu returns the time a process has used, in milliseconds; 0 where there is no /proc.
func cpu(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) * 1000 / ticks
}

// resident returns the memory of a process in megabytes; 0 where there is no /proc.
func resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
			return kb >> 10
		}
	}
	return 0
}

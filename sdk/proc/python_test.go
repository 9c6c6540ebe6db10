package proc_test

import (
	"os/exec"
	"testing"
)

// TestPythonKit runs the tests of the kit in Python. What it serves is tested with the
// template, in cmd/internal/plugin.
func TestPythonKit(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: no python3")
	}
	cmd := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest", "discover", "-s", "tests")
	cmd.Dir = "python"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/orma-memory/orma/core"
)

func TestOneServerHoldsAShare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run", "a.json")
	first, err := takeShare(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.publish(Addresses{Socket: "/run/a.sock", PID: 7}); err != nil {
		t.Fatal(err)
	}
	if _, err := takeShare(path); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("a second server: %v, want a conflict", err)
	}
	var at Addresses
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &at) != nil || at.Socket != "/run/a.sock" || at.PID != 7 {
		t.Errorf("published %s, %v", data, err)
	}
	if i, err := os.Stat(path); err != nil || i.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file can be read by others: %v %v", i.Mode(), err)
	}

	first.end()
	first.end()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
	second, err := takeShare(path)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	second.end()
}

func TestShareNeedsAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := takeShare(filepath.Join(file, "a.json")); core.CodeOf(err) != core.CodeDenied {
		t.Errorf("got %v, want denied", err)
	}
	none, err := takeShare("")
	if err != nil || none.publish(Addresses{}) != nil {
		t.Errorf("without a file: %v", err)
	}
	none.end()
}

package sleep_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

func TestDebug(t *testing.T) {
	f := os.Getenv("DUMP")
	if f == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(f)
	w := newWorld(t, nil)
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		sp := fmt.Sprint("d", i)
		for j, x := range strings.Split(line, "||") {
			w.say(sp, core.Episode{Text: x, Session: "main", At: monday.AddDate(0, 0, j)})
		}
		rep, err := w.consolidate(sp, "rules", monday.AddDate(0, 1, 0))
		fmt.Println(line, err)
		for _, r := range rep.Rejected {
			fmt.Printf("   REJ %s|%s|%s|%s: %s (%s)\n", r.Subject, r.Attribute, r.Value, r.Condition, r.Reason, r.Detail)
		}
		for _, o := range w.describe(t, sp) {
			fmt.Println("   ", o)
		}
	}
}

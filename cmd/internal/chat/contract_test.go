package chat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/orma-memory/orma/core/engine"
)

// TestContract holds the proxy to the rule of where memory goes that the clients keep:
// the same messages in, the same messages out.
func TestContract(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "sdk", "contract", "contract.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Insert []struct {
			Name, Rules, Facts, Turn string
			Messages                 json.RawMessage
			Gives                    any
		}
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list.Insert) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, c := range list.Insert {
		t.Run(c.Name, func(t *testing.T) {
			r, err := Parse(Completions, []byte(`{"messages": `+string(c.Messages)+`}`))
			if err != nil {
				t.Fatal(err)
			}
			var out struct{ Messages any }
			if err := json.Unmarshal(r.Inject(Recalled(&engine.Recalled{Rules: c.Rules, Stable: c.Rules + c.Facts, Turn: c.Turn})), &out); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(out.Messages, c.Gives) {
				have, _ := json.Marshal(out.Messages)
				want, _ := json.Marshal(c.Gives)
				t.Errorf("%s\nwant\n%s", have, want)
			}
		})
	}
}

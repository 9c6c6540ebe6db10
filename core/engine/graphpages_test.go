package engine_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// TestPagesGoOnBehindTheirNode writes and erases between two pages: no node that stays is
// left out or comes twice, in the overview and around a node.
func TestPagesGoOnBehindTheirNode(t *testing.T) {
	ids := func(g *engine.Graph) (out []string) {
		for _, n := range g.Nodes {
			out = append(out, n.ID)
		}
		return out
	}
	for _, of := range []string{"", "e0"} {
		for name, change := range map[string]func(m *local.Memory, first *engine.Graph){
			"new ones come first": func(m *local.Memory, _ *engine.Graph) {
				for i := range 3 {
					add(t, m, "", engine.Input{Text: fmt.Sprintf("never moor at the new pier %d", i), Kind: core.KindAntiPattern})
				}
			},
			"shown ones go": func(m *local.Memory, first *engine.Graph) {
				for _, n := range first.Nodes[1:4] {
					d, err := m.Node(t.Context(), "", n.ID, noon)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := m.Erase(t.Context(), "", d.Erases); err != nil {
						t.Fatal(err)
					}
				}
			},
			"nothing": func(*local.Memory, *engine.Graph) {},
		} {
			t.Run(name+" "+of, func(t *testing.T) {
				m := open(t)
				for i := range 20 {
					add(t, m, "", engine.Input{Text: fmt.Sprintf("never moor at pier %d", i), Kind: core.KindAntiPattern})
				}
				whole := ids(graph(t, m, engine.GraphRequest{Of: of}))
				req := engine.GraphRequest{Of: of, Limit: 8}
				first := graph(t, m, req)
				change(m, first)
				last := first.Nodes[len(first.Nodes)-1].ID
				req.Offset, req.After, req.Limit = first.Next, last, 100
				second := ids(graph(t, m, req))
				if want := whole[len(first.Nodes):]; !reflect.DeepEqual(second, want) {
					t.Errorf("the second page has %v, want %v", second, want)
				}
				if d, err := m.Node(t.Context(), "", last, noon); err != nil {
					t.Fatal(err)
				} else if _, err := m.Erase(t.Context(), "", d.Erases); err != nil {
					t.Fatal(err)
				}
				if rest := ids(graph(t, m, req)); len(rest) == 0 {
					t.Error("there is nothing behind a node that is gone")
				}
			})
		}
	}
}

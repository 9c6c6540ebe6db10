package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

func graph(t *testing.T, m *local.Memory, req engine.GraphRequest) *engine.Graph {
	t.Helper()
	g, err := m.Graph(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// all is a request for everything there is.
func all(space string) engine.GraphRequest {
	return engine.GraphRequest{Space: space, Kinds: engine.NodeKinds(), Limit: engine.MaxNodes}
}

func labelled(g *engine.Graph, label string) *engine.GraphNode {
	i := slices.IndexFunc(g.Nodes, func(n engine.GraphNode) bool { return strings.Contains(n.Label, label) })
	if i < 0 {
		return nil
	}
	return &g.Nodes[i]
}

// life is a space with a bit of everything.
func life(t *testing.T, m *local.Memory, space string) {
	t.Helper()
	day := func(n int) time.Time { return noon.AddDate(0, 0, n-100) }
	add(t, m, space,
		engine.Input{Text: "Good to see you. I live in Pune. The weather is fine.", At: day(0), Session: "a"},
		engine.Input{Text: "When I have a sore throat, I drink ginger tea.", At: day(1), Session: "a"},
		engine.Input{Text: "My sister Devika works at Nordlicht Maps.", At: day(2), Session: "b"},
		engine.Input{Text: "Yesterday Devika flew to Oslo.", At: day(3), Session: "b"},
		engine.Input{Text: "I moved to Hamburg.", At: day(50), Source: "phone"},
		engine.Input{Text: "nothing that names anyone", At: day(51), Role: core.RoleAssistant},
		engine.Input{Text: "Never call me before nine.", Kind: core.KindAntiPattern, At: day(52)},
	)
	if _, err := sleepIn(m, space); err != nil {
		t.Fatal(err)
	}
}

func sleepIn(m *local.Memory, space string) (*sleep.Report, error) {
	s, err := m.Sleeper(local.SleepOptions{})
	if err != nil {
		return nil, err
	}
	return s.Sleep(context.Background(), sleep.Run{Space: cmp.Or(space, "default"), Backend: "rules", Now: noon})
}

func TestGraphShowsWhatIsRemembered(t *testing.T) {
	m := open(t)
	life(t, m, "")
	g := graph(t, m, all(""))
	for label, kind := range map[string]string{
		"user": engine.NodeEntity, "home city: Hamburg": engine.NodeState, "ginger tea": engine.NodeConditional,
		"Never call me before nine.": engine.NodeRule, "Devika": engine.NodeEntity, "Oslo": engine.NodeEntity,
		"nothing that names anyone": engine.NodePassage,
	} {
		n := slices.IndexFunc(g.Nodes, func(n engine.GraphNode) bool { return strings.Contains(n.Label, label) && n.Kind == kind })
		if n < 0 {
			t.Errorf("no %s with %q in %+v", kind, label, g.Nodes)
		}
	}
	if labelled(g, "Pune") == nil || slices.ContainsFunc(g.Nodes, func(n engine.GraphNode) bool { return strings.Contains(n.Label, "home city: Pune") }) {
		t.Error("the old home is shown as if it held, or its line is not")
	}
	city := labelled(g, "home city: Hamburg")
	if city.Hub != "e0" || city.Source != "phone" || city.Trust != "user" || city.ValidFrom == "" || city.RecordedAt.IsZero() {
		t.Errorf("state %+v", city)
	}
	if c := labelled(g, "ginger tea"); c.Kind == engine.NodeConditional && c.Condition == "" {
		t.Errorf("conditional %+v", c)
	}
	history := all("")
	history.History = true
	h := graph(t, m, history)
	old := labelled(h, "home city: Pune")
	if old == nil || !old.Closed || old.SupersededBy != city.ID || old.ValidTo == "" {
		t.Errorf("old home %+v", old)
	}
	if !slices.ContainsFunc(h.Links, func(l engine.GraphLink) bool { return l.Kind == "supersedes" && l.From == city.ID && l.To == old.ID }) {
		t.Errorf("no link between the homes in %+v", h.Links)
	}
	then := all("")
	then.AsOf = noon.AddDate(0, 0, -80)
	p := graph(t, m, then)
	if labelled(p, "home city: Pune") == nil || labelled(p, "Hamburg") != nil || labelled(p, "nine") != nil {
		t.Errorf("80 days ago: %+v", p.Nodes)
	}
	def := graph(t, m, engine.GraphRequest{})
	if slices.ContainsFunc(def.Nodes, func(n engine.GraphNode) bool { return n.Kind == engine.NodePassage || n.Kind == engine.NodeEvent }) {
		t.Error("an overview has lines")
	}
	if def.Totals != g.Totals || def.Totals.Passages != 7 || def.Totals.Rules != 1 {
		t.Errorf("totals %+v and %+v", def.Totals, g.Totals)
	}
}

func TestGraphFilters(t *testing.T) {
	m := open(t)
	life(t, m, "")
	for name, c := range map[string]struct {
		req       engine.GraphRequest
		with, not string
	}{
		"source":      {engine.GraphRequest{Source: "phone"}, "moved to Hamburg", "Pune"},
		"no source":   {engine.GraphRequest{Source: "nowhere"}, "", "Hamburg"},
		"trust":       {engine.GraphRequest{Trust: core.TrustNote}, "moved to Hamburg", "nothing that names"},
		"from":        {engine.GraphRequest{From: noon.AddDate(0, 0, -55)}, "moved to Hamburg", "Devika"},
		"before":      {engine.GraphRequest{Before: noon.AddDate(0, 0, -55)}, "Devika", "moved to Hamburg"},
		"one kind":    {engine.GraphRequest{Kinds: []string{"rule"}}, "before nine", "user"},
		"two kinds":   {engine.GraphRequest{Kinds: []string{"rule", "event"}}, "before nine", "Hamburg"},
		"after limit": {engine.GraphRequest{Limit: 1}, "user", "Hamburg"},
	} {
		req := c.req
		if req.Kinds == nil {
			req.Kinds = engine.NodeKinds()
		}
		g := graph(t, m, req)
		if c.with != "" && labelled(g, c.with) == nil || labelled(g, c.not) != nil {
			t.Errorf("%s: %+v", name, g.Nodes)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	m := open(t)
	life(t, m, "")
	for name, c := range map[string]struct {
		req  engine.GraphRequest
		code core.Code
	}{
		"a limit too high":    {engine.GraphRequest{Limit: 10_001}, core.CodeInvalid},
		"a limit below 0":     {engine.GraphRequest{Limit: -1}, core.CodeInvalid},
		"a strange kind":      {engine.GraphRequest{Kinds: []string{"planet"}}, core.CodeInvalid},
		"no id":               {engine.GraphRequest{Of: "Pune"}, core.CodeInvalid},
		"a letter alone":      {engine.GraphRequest{Of: "s"}, core.CodeInvalid},
		"a number below 0":    {engine.GraphRequest{Of: "s-4"}, core.CodeInvalid},
		"an enormous number":  {engine.GraphRequest{Of: "s99999999999999999999"}, core.CodeInvalid},
		"a sign":              {engine.GraphRequest{Of: "e+1"}, core.CodeInvalid},
		"zeros before":        {engine.GraphRequest{Of: "p02"}, core.CodeInvalid},
		"a state that is not": {engine.GraphRequest{Of: "s999"}, core.CodeNotFound},
		"another kind's id":   {engine.GraphRequest{Of: "s2"}, core.CodeNotFound},
		"a name that is not":  {engine.GraphRequest{Of: "n0000000000000"}, core.CodeNotFound},
		"a space's bad name":  {engine.GraphRequest{Space: "a\x00"}, core.CodeInvalid},
	} {
		if _, err := m.Graph(context.Background(), c.req); core.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	if g := graph(t, m, engine.GraphRequest{Space: "not there yet"}); len(g.Nodes) != 0 || g.Totals != (engine.GraphTotals{}) {
		t.Errorf("a space that is not there: %+v", g)
	}
}

// TestWhatIsOutsideHasNoNeighbours: a node can be asked for whatever the window, and joins
// nothing when it is not in it.
func TestWhatIsOutsideHasNoNeighbours(t *testing.T) {
	m := open(t)
	life(t, m, "")
	for _, n := range graph(t, m, engine.GraphRequest{Kinds: engine.NodeKinds(), History: true}).Nodes {
		for name, req := range map[string]engine.GraphRequest{
			"before all": {AsOf: noon.AddDate(-40, 0, 0)}, "of no source": {Source: "nowhere"}, "of no day": {From: noon.AddDate(50, 0, 0)},
		} {
			req.Of = n.ID
			g := graph(t, m, req)
			if len(g.Nodes) != 1 || g.Nodes[0].ID != n.ID || g.Nodes[0].Degree != 0 || len(g.Links) != 0 || g.Totals != (engine.GraphTotals{}) {
				t.Errorf("%s, %s: %+v %+v", n.ID, name, g.Nodes, g.Links)
			}
		}
	}
}

// world fills a space with random lines about few people, so that much hangs together.
func world(t *testing.T, m *local.Memory, space string, r *rand.Rand, lines int) {
	t.Helper()
	people := []string{"Devika", "Anna Schmidt", "Boris", "Chandra", "Emre", "Fatima"}
	places := []string{"Oslo", "Pune", "Hamburg", "New York", "Kiel"}
	for i := range lines {
		a, b, place := people[r.IntN(len(people))], people[r.IntN(len(people))], places[r.IntN(len(places))]
		text := []string{
			"I live in " + place + ".", "My friend " + a + " lives in " + place + ".", "Yesterday I met " + a + " and " + b + " in " + place + ".",
			"I like " + place + " when it rains.", "a line about nothing much, number " + fmt.Sprint(i), "My colleague " + a + " works with " + b + ".",
		}[r.IntN(6)]
		add(t, m, space, engine.Input{Text: text, At: noon.AddDate(0, 0, i-lines), Source: []string{"chat", "phone"}[r.IntN(2)]})
		if r.IntN(10) == 0 {
			if _, err := sleepIn(m, space); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestGraphHangsTogether compares pages, degrees, links and totals of random memories
// with each other.
func TestGraphHangsTogether(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := open(t)
		world(t, m, "", r, 60)
		for _, req := range []engine.GraphRequest{
			{}, {History: true}, {AsOf: noon.AddDate(0, 0, -20)}, {Source: "phone"}, {From: noon.AddDate(0, 0, -30), History: true},
		} {
			req.Kinds, req.Limit = engine.NodeKinds(), engine.MaxNodes
			whole := graph(t, m, req)
			checkWhole(t, whole)
			req.Limit = 7
			var paged []string
			for {
				g := graph(t, m, req)
				for _, n := range g.Nodes {
					paged = append(paged, n.ID)
				}
				if g.Next == 0 {
					break
				}
				req.Offset = g.Next
			}
			var ids []string
			for _, n := range whole.Nodes {
				ids = append(ids, n.ID)
			}
			if !reflect.DeepEqual(ids, paged) {
				t.Fatalf("pages have %v, the whole %v", paged, ids)
			}
			for _, n := range whole.Nodes[:min(len(whole.Nodes), 12)] {
				checkNeighbours(t, m, req, whole, n)
			}
		}
	}
}

func checkWhole(t *testing.T, g *engine.Graph) {
	t.Helper()
	count := map[string]int{}
	at := map[string]engine.GraphNode{}
	for _, n := range g.Nodes {
		if _, twice := at[n.ID]; twice {
			t.Errorf("%s comes twice", n.ID)
		}
		at[n.ID] = n
		count[n.Kind]++
		if n.Hidden != 0 || n.Hub != "" && n.Hub != n.ID && at[n.Hub].ID == "" {
			t.Errorf("of everything %d are hidden, or the hub is not there before: %+v", n.Hidden, n)
		}
	}
	degree := map[string]int{}
	seen := map[[2]string]bool{}
	for _, l := range g.Links {
		if at[l.From].ID == "" || at[l.To].ID == "" || l.From == l.To || seen[[2]string{l.From, l.To}] || seen[[2]string{l.To, l.From}] || l.Weight <= 0 || l.Weight > 1 {
			t.Errorf("link %+v", l)
		}
		seen[[2]string{l.From, l.To}] = true
		degree[l.From]++
		degree[l.To]++
	}
	for id, n := range at {
		if n.Degree != degree[id] {
			t.Errorf("%s has degree %d and %d links", id, n.Degree, degree[id])
		}
	}
	want := engine.GraphTotals{
		States: count["state"], Rules: count["rule"], Conditionals: count["conditional"], Entities: count["entity"],
		Passages: count["passage"], Events: count["event"], Links: len(g.Links),
	}
	if g.Totals != want {
		t.Errorf("totals %+v, but %+v are there", g.Totals, want)
	}
}

// checkNeighbours compares the neighbours of a node with those in the whole.
func checkNeighbours(t *testing.T, m *local.Memory, req engine.GraphRequest, whole *engine.Graph, n engine.GraphNode) {
	t.Helper()
	req.Of, req.Limit, req.Offset = n.ID, 5, 0
	var got []string
	for {
		g := graph(t, m, req)
		for _, x := range g.Nodes {
			if x.X != find(whole, x.ID).X {
				t.Errorf("%s is at two places", x.ID)
			}
			got = append(got, x.ID)
		}
		if g.Next == 0 {
			break
		}
		req.Offset = g.Next
	}
	if got[0] != n.ID {
		t.Errorf("the first of the neighbours of %s is %s", n.ID, got[0])
	}
	want := []string{n.ID}
	for _, l := range whole.Links {
		switch n.ID {
		case l.From:
			want = append(want, l.To)
		case l.To:
			want = append(want, l.From)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("neighbours of %s: %v, want %v", n.ID, got, want)
	}
}

func find(g *engine.Graph, id string) engine.GraphNode {
	for _, n := range g.Nodes {
		if n.ID == id {
			return n
		}
	}
	return engine.GraphNode{}
}

// TestNothingMovesWhenSomethingComes adds to a memory, and opens it anew.
func TestNothingMovesWhenSomethingComes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	m := openAt(t, path)
	world(t, m, "", rand.New(rand.NewPCG(9, 9)), 30)
	before := graph(t, m, all(""))
	add(t, m, "", engine.Input{Text: "Yesterday I met Devika and Gundula in Oslo."})
	after := graph(t, m, all(""))
	if len(after.Nodes) <= len(before.Nodes) {
		t.Fatal("nothing came")
	}
	for _, n := range before.Nodes {
		if x := find(after, n.ID); x.X != n.X || x.Y != n.Y || x.Z != n.Z {
			t.Errorf("%s %q moved from %v,%v,%v to %v,%v,%v", n.ID, n.Label, n.X, n.Y, n.Z, x.X, x.Y, x.Z)
		}
	}
	if again := graph(t, m, all("")); !reflect.DeepEqual(again, after) {
		t.Error("two answers differ")
	}
	if fresh := graph(t, openAt(t, path), all("")); !reflect.DeepEqual(fresh, after) {
		t.Errorf("another process draws another picture:\n%+v\n%+v", fresh, after)
	}
}

// TestGraphsAreApart asks a space for every id of another one.
func TestGraphsAreApart(t *testing.T) {
	m := open(t)
	r := rand.New(rand.NewPCG(3, 3))
	world(t, m, "mine", r, 30)
	add(t, m, "theirs", engine.Input{Text: "The vault of Zacharias Quill opens with plum jam."})
	world(t, m, "theirs", r, 30)
	mine, theirs := graph(t, m, all("mine")), graph(t, m, all("theirs"))
	have := map[string]bool{}
	for _, n := range mine.Nodes {
		have[n.ID] = true
		if strings.Contains(n.Label, "Quill") {
			t.Errorf("%+v shows in another space", n)
		}
	}
	ctx := context.Background()
	for _, n := range theirs.Nodes {
		if have[n.ID] { // a name that both say, or the owner
			if n.Kind != engine.NodeEntity {
				t.Errorf("%s is in both spaces", n.ID)
			}
			continue
		}
		missing := n.ID[:1] + "987654"
		if n.ID[0] == 'n' {
			missing = "n0000000000000"
		}
		for what, ask := range map[string]func(id string) error{
			"graph": func(id string) error {
				_, err := m.Graph(ctx, engine.GraphRequest{Space: "mine", Of: id})
				return err
			},
			"node": func(id string) error { _, err := m.Node(ctx, "mine", id, time.Time{}); return err },
		} {
			a, b := ask(n.ID), ask(missing)
			if a == nil || core.CodeOf(a) != core.CodeNotFound || strings.ReplaceAll(a.Error(), n.ID, "X") != strings.ReplaceAll(b.Error(), missing, "X") {
				t.Errorf("%s of %s: %v, of one that is nowhere: %v", what, n.ID, a, b)
			}
		}
		if _, err := m.Node(ctx, "theirs", n.ID, time.Time{}); err != nil {
			t.Errorf("its own space does not know %s: %v", n.ID, err)
		}
	}
}

func TestNodeTellsAll(t *testing.T) {
	m := open(t)
	life(t, m, "")
	g := graph(t, m, all(""))
	ctx := context.Background()
	city := labelled(g, "home city: Hamburg")
	n, err := m.Node(ctx, "", city.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if n.State == nil || n.State.Value != "Hamburg" || len(n.State.Sources) != 1 || n.Hub != "e0" || n.Erases != n.Sources[0].Episode {
		t.Errorf("state %+v", n)
	}
	if len(n.History) != 2 || n.History[0].Value != "Pune" || n.History[0].Active || n.History[0].SupersededBy != city.ID || !n.History[1].Active {
		t.Errorf("history %+v", n.History)
	}
	old, err := m.Node(ctx, "", n.History[0].Node, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	src := old.Sources[0]
	if src.Text != "I live in Pune." || src.Before != "Good to see you. " || src.After != " The weather is fine." || src.Mark != "s"+src.Node[1:] || src.Trust != "user" {
		t.Errorf("source %+v", src)
	}
	line, err := m.Node(ctx, "", src.Node, time.Time{})
	if err != nil || line.Passage == nil || !strings.Contains(line.Passage.Text, "I live in Pune.") || line.Passage.Mark != src.Mark {
		t.Errorf("passage %+v, %v", line, err)
	}
	if !slices.ContainsFunc(line.Neighbours, func(b engine.Neighbour) bool { return b.Node == old.ID && b.Link == "source" && b.Back }) {
		t.Errorf("neighbours of the line: %+v", line.Neighbours)
	}
	owner, err := m.Node(ctx, "", "e0", time.Time{})
	if err != nil || owner.Entity == nil || owner.Entity.States < 3 || owner.Kind != engine.NodeEntity {
		t.Errorf("owner %+v, %v", owner, err)
	}
	if d := labelled(g, "Devika"); d.Kind == engine.NodeEntity {
		who, err := m.Node(ctx, "", d.ID, time.Time{})
		if err != nil || who.Entity.Mentions == 0 || len(who.Neighbours) == 0 {
			t.Errorf("entity %+v, %v", who, err)
		}
	}
}

// TestSpreadIsTold holds the trace of activation to the graph: it begins at seeds, and
// every step leads on from a node that was reached before.
func TestSpreadIsTold(t *testing.T) {
	m := open(t)
	world(t, m, "", rand.New(rand.NewPCG(5, 5)), 60)
	g := graph(t, m, func() engine.GraphRequest { r := all(""); r.History = true; return r }())
	f, err := m.Search(context.Background(), engine.Request{Query: "Where does Devika live?", Explain: true, Set: map[string]string{"stage.spreading.enabled": "true"}})
	if err != nil {
		t.Fatal(err)
	}
	stages := map[string]bool{}
	for _, s := range f.Trace.Spread {
		stages[s.Stage] = true
		reached := map[string]int{}
		for _, h := range s.Hops {
			from, ok := reached[h.From]
			if h.Hop == 0 && h.From != "" || h.Hop > 0 && (!ok || from >= h.Hop) || h.Value < 0 {
				t.Errorf("%s: %+v after %v", s.Stage, h, reached)
			}
			if _, twice := reached[h.To]; twice {
				t.Errorf("%s reaches %s twice", s.Stage, h.To)
			}
			if find(g, h.To).ID == "" {
				t.Errorf("%s reaches %s, which is not in the graph", s.Stage, h.To)
			}
			reached[h.To] = h.Hop
		}
		i := slices.IndexFunc(g.Nodes, func(n engine.GraphNode) bool {
			return n.Kind == engine.NodeEntity && strings.HasSuffix(n.Label, "Devika")
		})
		if hop, ok := reached[g.Nodes[i].ID]; !ok || hop != 0 {
			t.Errorf("%s does not begin at the name in the query: %+v", s.Stage, s.Hops)
		}
	}
	if !stages["link"] || !stages["spreading"] {
		t.Errorf("stages %v", stages)
	}
	for _, c := range f.Trace.Candidates {
		sum := float32(0)
		for _, p := range c.Parts {
			sum += p
		}
		if last := c.Scores[len(c.Scores)-1]; len(c.Parts) != len(f.Trace.Steps) || sum-last > 1e-4 || last-sum > 1e-4 || find(g, c.Node).ID == "" {
			t.Errorf("candidate %+v", c)
		}
	}
}

package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
)

// maxNameWords bounds the words of a name that is looked for in a query.
const maxNameWords = 6

// graph is what the space's items are about: entities numbered from 0, the items
// that mention each, and the links between them. Entities come from names in passages
// and from sleep; one name is one entity.
type graph struct {
	number   map[core.ID]uint32
	byName   map[string]uint32
	mentions [][]uint32          // by entity, docs ascending
	links    [][]frame.Edge      // by entity, strongest first
	met      map[[2]uint32]int32 // how often two entities stood in one passage
	byDoc    map[uint32][]uint32 // entities of each doc, ascending
	labels   []string            // by entity, as its name was first written
	keys     []string            // by entity, the name key that first meant it, "#" and its id when another entity has the name
	ids      []core.ID           // by entity, the first stored entity that it is; 0: only passages name it
}

func newGraph() graph {
	return graph{number: map[core.ID]uint32{}, byName: map[string]uint32{}, met: map[[2]uint32]int32{}, byDoc: map[uint32][]uint32{}}
}

func (g *graph) grow() uint32 {
	g.mentions = append(g.mentions, nil)
	g.links = append(g.links, nil)
	g.labels, g.keys, g.ids = append(g.labels, ""), append(g.keys, ""), append(g.ids, 0)
	return uint32(len(g.mentions) - 1)
}

// node returns the number of a stored entity, giving it the next one if it has none.
func (g *graph) node(id core.ID) uint32 {
	n, ok := g.number[id]
	if !ok {
		n = g.grow()
		g.number[id], g.ids[n] = n, id
	}
	return n
}

// byKey returns the number of the entity with a name, as [nameKey] makes it.
func (g *graph) byKey(key, name string) uint32 {
	n, ok := g.byName[key]
	if !ok {
		n = g.grow()
		g.byName[key], g.labels[n], g.keys[n] = n, name, key
	}
	return n
}

// entity takes a stored entity: names that passages have given a number keep it, and
// it is the entity's.
func (g *graph) entity(t *text.Terms, e *core.Entity) {
	names := append([]string{e.Name}, e.Aliases...)
	if _, known := g.number[e.ID]; !known {
		for _, name := range names {
			if n, ok := g.byName[nameKey(t, name)]; ok {
				g.number[e.ID] = n
				break
			}
		}
	}
	n := g.node(e.ID)
	if g.ids[n] == 0 || e.ID < g.ids[n] {
		g.ids[n] = e.ID
	}
	if g.labels[n] == "" {
		g.labels[n] = e.Name
	}
	for _, name := range names {
		key := nameKey(t, name)
		if key == "" {
			continue
		}
		if _, taken := g.byName[key]; !taken {
			g.byName[key] = n
		}
		if g.keys[n] == "" && g.byName[key] == n {
			g.keys[n] = key
		}
	}
	if g.keys[n] == "" {
		g.keys[n] = fmt.Sprintf("#%d", e.ID)
	}
}

func (g *graph) mention(entity core.ID, doc uint32) { g.mentionNode(g.node(entity), doc) }

func (g *graph) mentionNode(n, doc uint32) {
	g.mentions[n] = insert(g.mentions[n], doc)
	g.byDoc[doc] = insert(g.byDoc[doc], n)
}

// together notes that two entities stood in one passage: their link grows from a half
// towards 1 with the times they did.
func (g *graph) together(a, b uint32) {
	pair := [2]uint32{min(a, b), max(a, b)}
	g.met[pair]++
	g.tie(a, b, 1-1/float32(1+g.met[pair]))
}

// link joins two stored entities both ways; a stronger link replaces a weaker one.
// One that is not above 0 joins nothing.
func (g *graph) link(l core.Link) {
	if l.Weight > 0 {
		g.tie(g.node(l.From), g.node(l.To), min(l.Weight, 1))
	}
}

func (g *graph) tie(a, b uint32, w float32) {
	if a == b {
		return
	}
	g.links[a] = join(g.links[a], frame.Edge{To: b, Weight: w})
	g.links[b] = join(g.links[b], frame.Edge{To: a, Weight: w})
}

// join puts an edge into its place, strongest first: a hub has thousands, which sorting
// anew for each would take minutes over.
func join(edges []frame.Edge, e frame.Edge) []frame.Edge {
	if i := slices.IndexFunc(edges, func(x frame.Edge) bool { return x.To == e.To }); i >= 0 {
		if edges[i].Weight >= e.Weight {
			return edges
		}
		edges = slices.Delete(edges, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(edges, e, strongest)
	return slices.Insert(edges, at, e)
}

// strongest is the order of an entity's links.
func strongest(x, y frame.Edge) int {
	return cmp.Or(cmp.Compare(y.Weight, x.Weight), cmp.Compare(x.To, y.To))
}

// insert adds v to an ascending list that may have it.
func insert(list []uint32, v uint32) []uint32 {
	if n := len(list); n == 0 || list[n-1] < v {
		return append(list, v)
	}
	i, found := slices.BinarySearch(list, v)
	if found {
		return list
	}
	return slices.Insert(list, i, v)
}

// nameKey is a name as it is looked up: its whole words, as the tokeniser folds
// and stems them.
func nameKey(t *text.Terms, name string) string {
	t.Tokenize(name)
	words := wholeWords(t)
	if len(words) > maxNameWords {
		return ""
	}
	return strings.Join(words, " ")
}

// wholeWords returns the terms that are whole words, one a position.
func wholeWords(t *text.Terms) []string {
	var words []string
	last := int64(-1)
	for term := range t.All() {
		if term.Class <= text.Compound && int64(term.Pos) != last {
			words = append(words, string(term.Text))
			last = int64(term.Pos)
		}
	}
	return words
}

// named appends the entities that words name, each once, ascending: at each place
// the longest name wins.
func (g *graph) named(words []string, dst []uint32) []uint32 {
	for i := 0; i < len(words); {
		step := 1
		for n := min(maxNameWords, len(words)-i); n > 0; n-- {
			if e, ok := g.byName[strings.Join(words[i:i+n], " ")]; ok {
				dst = insert(dst, e)
				step = n
				break
			}
		}
		i += step
	}
	return dst
}

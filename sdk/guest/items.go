package guest

import (
	"github.com/orma-memory/orma/sdk/abi"
)

// Line is one sentence of what was said.
type Line struct {
	N       int    // number by which items cite it; 0 for one that only helps to understand others
	Text    string // the sentence
	Who     string // speaker, or the role
	Role    int    // 0 user, 1 assistant, 2 tool, 3 system
	Kind    int    // 0 turn, 1 note, 2 document, 3 tool, 4 anti_pattern, 5 identity
	Day     string // YYYY-MM-DD on which it was said
	Own     bool   // the first person in it is the user
	Citable bool   // items may rest on it
}

// Request is what a [Sleeper] is given.
type Request struct {
	Lines []Line
	// What the space knows, so that what is found is named alike. Nothing rests on it.
	Names      []string
	Attributes []string
	States     []string // "user · home city: Pune"
}

func request(b *abi.Block) *Request {
	r := &Request{Lines: make([]Line, 0, b.Rows())}
	for i := range b.Rows() {
		n, text := b.I64(0, i), b.Text(1, i)
		switch n {
		case abi.KnownName:
			r.Names = append(r.Names, text)
		case abi.KnownAttribute:
			r.Attributes = append(r.Attributes, text)
		case abi.KnownState:
			r.States = append(r.States, text)
		default:
			r.Lines = append(r.Lines, Line{
				N: int(n), Text: text, Who: b.Text(2, i), Role: int(b.I64(3, i)), Kind: int(b.I64(4, i)),
				Day: b.Text(5, i), Own: b.I64(6, i) != 0, Citable: n != 0,
			})
		}
	}
	return r
}

// Item is what an extractor finds: a state ("user", "role", "nurse"), or an event.
type Item struct {
	Event      bool
	Subject    string // "user", or a name
	Attribute  string // of a state
	Value      string // of a state; of an event what happened
	Condition  string // what limits a state
	When       string // an event's time, as the line has it
	Prohibited bool   // the state is a rule
	Ended      bool   // the line ends the state
	Lift       bool   // the line takes back rules that speak of Value
	Cites      []int  // lines that it rests on
}

// Items collects items.
type Items struct{ all []Item }

// Add adds an item.
func (o *Items) Add(it Item) { o.all = append(o.all, it) }

// All returns the items, for tests of plugins.
func (o *Items) All() []Item { return o.all }

// block lays the items out; nil if there are none.
func (o *Items) block() []byte {
	if len(o.all) == 0 {
		return nil
	}
	n := len(o.all)
	flags, order, ends := make([]int64, n), make([]int32, n), make([]int32, n)
	var texts [5][]string
	var cites []float32
	for i, it := range o.all {
		for bit, on := range [...]bool{it.Event, it.Prohibited, it.Ended, it.Lift} {
			if on {
				flags[i] |= 1 << bit
			}
		}
		for c, s := range [...]string{it.Subject, it.Attribute, it.Value, it.Condition, it.When} {
			texts[c] = append(texts[c], s)
		}
		for _, c := range it.Cites {
			cites = append(cites, float32(c))
		}
		order[i], ends[i] = int32(i), int32(len(cites))
	}
	extra := make([]int, 7)
	for c := range texts {
		for _, s := range texts[c] {
			extra[1+c] += len(s)
		}
	}
	extra[6] = len(cites)
	var l abi.Layout
	l.Plan(abi.ItemColumns(), n, n, extra, 0)
	b := make([]byte, l.Size)
	l.Write(b, abi.Query{})
	abi.PutOrder(b[l.OrderAt:], order)
	abi.PutI64(b[l.ColAt[0]:], flags)
	for c := range texts {
		abi.PutText(b[l.ColAt[1+c]:l.ColAt[1+c]+l.ColLen[1+c]], texts[c])
	}
	abi.PutList(b[l.ColAt[6]:l.ColAt[6]+l.ColLen[6]], ends, cites)
	return b
}

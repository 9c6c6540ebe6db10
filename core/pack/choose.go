package pack

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// layout writes one format.
type layout interface {
	cleaner() cleaner

	// What one item says: whole lines, or its part of a line.
	rule(*fact) string
	fact(*fact) string
	said(*said) string
	event(*happening) string

	// The rest of a block. Sections without items are empty.
	head(rules bool) string
	headings() (states, more, said, events string)
	today(day string, said, outdated bool) string
	rules(*strings.Builder, []entry)
	facts(b *strings.Builder, states []entry, more bool)
	turn(*strings.Builder, *turn)
}

// entry is an item that is in the block.
type entry struct {
	text     string
	group    string // subject of a state, for layouts that share lines
	day      string // of an event
	outdated bool   // a part of the passage is
	when     time.Time
	state    *core.State
	item     Item
}

// turn is the content of a turn part.
type turn struct {
	today string  // YYYY-MM-DD
	more  []entry // states that found room only because passages left some
	said  []entry
	event []entry
}

func (t *turn) outdated() bool {
	return slices.ContainsFunc(t.said, func(e entry) bool { return e.outdated })
}

// runesPerToken bounds the length of a block by its budget, for tokenizers that
// count a long word they do not know as one.
const runesPerToken = 8

// someDay stands for today where room is kept for its line: what is in the stable
// part must not depend on the date.
const someDay = "2026-12-28"

// terseBelow is the budget below which framing and notes are left out.
const terseBelow = 160

// Pack packs in: p.BudgetTokens and p.Format count unless in has its own. It is
// deterministic, and safe for concurrent use.
func Pack(in *Input, p Params, c Counter) Packed {
	return newWork(in, p, c).pack()
}

// work is one call of Pack.
type work struct {
	in     *Input
	p      Params
	c      Counter
	l      layout
	clean  cleaner
	zone   *time.Location
	budget int
	lines  map[string]int // tokens of the lines that were counted, of a LineCounter

	// In the block.
	rules, states []entry
	turn
	left []LeftOut

	// Without a place yet, best first.
	stateQueue []*State
	eventQueue []*Event
}

func newWork(in *Input, p Params, c Counter) *work {
	w := &work{in: in, p: p, c: c, zone: in.Zone, budget: in.Budget}
	if w.zone == nil {
		w.zone = time.UTC
	}
	if w.budget == 0 {
		w.budget = p.BudgetTokens
	}
	if _, ok := c.(LineCounter); ok {
		w.lines = map[string]int{}
	}
	w.today = in.Today.In(w.zone).Format(time.DateOnly)
	terse := w.budget < terseBelow
	switch cmp.Or(in.Format, Format(p.Format)) {
	case FormatSutra:
		w.l = sutra{year: w.today[:4], terse: terse}
	case FormatGrouped:
		w.l = classic{grouped: true, terse: terse}
	case FormatJSON:
		w.l = jsonLines{}
	default:
		w.l = classic{terse: terse}
	}
	w.clean = w.l.cleaner()
	w.queue()
	return w
}

func (w *work) pack() Packed {
	w.takeRules()
	fixed := w.cost(w.l.head(len(w.rules) > 0))
	if len(w.rules) > 0 {
		var b strings.Builder
		w.l.rules(&b, w.rules)
		if fixed += w.cost(b.String()); fixed > w.budget {
			return w.rulesOnly()
		}
	}
	all := max(0, w.budget-fixed-w.cost(w.l.today(someDay, true, true)))
	room := all
	if w.in.Steady {
		room -= w.takeSteady(share(w.p.StateShare, all))
	} else {
		room -= w.takeStates(share(w.p.StateShare, all), false)
	}
	room -= w.takeEvents(share(w.p.EventShare, all))
	room -= w.takePassages(room)
	room -= w.takeEvents(room)
	w.takeStates(room, true)
	w.leaveQueues()
	return w.finish()
}

// cost is what a text takes from the budget: its tokens, and more where it is
// longer than the bound on runes allows.
func (w *work) cost(text string) int {
	if text == "" {
		return 0
	}
	return max(w.count(text), (utf8.RuneCountInString(text)+runesPerToken-1)/runesPerToken)
}

// count is the number of a text's tokens.
func (w *work) count(text string) int {
	if w.lines == nil {
		return w.c.Count(text)
	}
	sum := 0
	for line := range strings.Lines(text) {
		n, known := w.lines[line]
		if !known {
			n = w.c.Count(line)
			w.lines[line] = n
		}
		sum += n
	}
	return sum
}

func share(part float64, of int) int { return int(min(max(part, 0), 1) * float64(of)) }

func (w *work) leave(id core.ID, k Kind, score float32, why Reason) {
	w.left = append(w.left, LeftOut{id, k, score, why})
}

// finish writes the block and, where it counts more than its parts did, takes
// items out again, the least first, until it fits.
func (w *work) finish() Packed {
	for {
		p := w.write()
		fits := utf8.RuneCountInString(p.Block) <= runesPerToken*w.budget || len(p.Items) == len(w.rules)
		if fits && p.Tokens <= w.budget {
			return p
		}
		if !w.drop(&w.more) && !w.drop(&w.said) && !w.drop(&w.event) && !w.drop(&w.states) {
			return w.bareRules()
		}
	}
}

// drop takes the least item out of a section and reports whether there was one.
func (w *work) drop(from *[]entry) bool {
	if len(*from) == 0 {
		return false
	}
	steady := w.in.Steady && from == &w.states
	last := slices.MaxFunc(*from, func(a, b entry) int {
		if steady {
			return cmp.Compare(a.item.ID, b.item.ID)
		}
		return byScore(a.item.Score, b.item.Score, a.item.ID, b.item.ID)
	}).item
	*from = slices.DeleteFunc(*from, func(e entry) bool { return e.item.ID == last.ID })
	w.leave(last.ID, last.Kind, last.Score, ReasonBudget)
	return true
}

// rulesOnly packs rules that leave no room: all of them, and nothing else.
func (w *work) rulesOnly() Packed {
	for i := range w.in.States {
		w.leave(w.in.States[i].ID, KindState, w.in.States[i].Score, ReasonRules)
	}
	for i := range w.in.Events {
		w.leave(w.in.Events[i].ID, KindEvent, w.in.Events[i].Score, ReasonRules)
	}
	for i := range w.in.Passages {
		w.leave(w.in.Passages[i].Source.Passage, KindPassage, w.in.Passages[i].Score, ReasonRules)
	}
	return w.bareRules()
}

// bareRules is a block of the rules without framing; without rules it is empty.
func (w *work) bareRules() Packed {
	p := Packed{Items: items(w.rules), LeftOut: w.left}
	if len(w.rules) > 0 {
		var b strings.Builder
		w.l.rules(&b, w.rules)
		p.Rules = b.String()
		p.Block, p.Stable, p.Tokens = p.Rules, p.Rules, w.count(p.Rules)
	}
	p.OverBudget = p.Tokens > w.budget
	return p
}

// write lays the chosen items out and counts them.
func (w *work) write() Packed {
	p := Packed{Items: items(w.rules, w.states, w.more, w.said, w.event), LeftOut: w.left}
	if len(p.Items) == 0 {
		return p
	}
	n := 512
	for _, es := range [][]entry{w.rules, w.states, w.more, w.said, w.event} {
		for i := range es {
			n += len(es[i].text) + 16
		}
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(w.l.head(len(w.rules) > 0))
	rules := 0
	if len(w.rules) > 0 {
		w.l.rules(&b, w.rules)
		rules = b.Len()
	}
	w.l.facts(&b, w.states, false)
	stable := b.Len()
	if w.in.Steady && len(w.rules)+len(w.states) == 0 {
		stable = 0
	}
	w.l.turn(&b, &w.turn)
	p.Block = b.String()
	p.Rules, p.Stable, p.Turn = p.Block[:rules], p.Block[:stable], p.Block[stable:]
	p.Tokens = w.count(p.Block)
	return p
}

func items(sections ...[]entry) []Item {
	n := 0
	for _, es := range sections {
		n += len(es)
	}
	out := make([]Item, 0, n)
	for _, es := range sections {
		for i := range es {
			out = append(out, es[i].item)
		}
	}
	return out
}

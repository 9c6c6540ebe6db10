package pack

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/orma-memory/orma/core"
)

// counter counts words and marks, or, lumping, words only, as tokenizers do that do
// not know a script.
type counter struct{ lumps bool }

func (counter) Name() string { return "counter" }

func (c counter) Count(s string) int {
	if c.lumps {
		return len(strings.Fields(s))
	}
	n, in := 0, false
	for _, r := range s {
		word := unicode.IsLetter(r) || unicode.IsNumber(r)
		if word && !in || !word && !unicode.IsSpace(r) {
			n++
		}
		in = word
	}
	return n
}

// lineCounter is a counter that says that lines add up.
type lineCounter struct{ counter }

func (lineCounter) CountsLines() {}

// random makes an input of ordinary and hostile texts.
func random(r *rand.Rand) *Input {
	word := func() string {
		if r.IntN(3) == 0 {
			return hostile[r.IntN(len(hostile))]
		}
		return []string{"Pune", "black coffee", "I moved to Graz.", "C# and a[0]", "Asha", "home_city", "sore throat", "മലയാളം", "天気", "👩‍👩‍👧‍👦", strings.Repeat("long ", 60), strings.Repeat("x", 900)}[r.IntN(12)]
	}
	texts := func() string { return strings.Repeat(word()+" ", 1+r.IntN(3)) + word() }
	in := &Input{Today: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), Budget: 20 + r.IntN(600), Format: Formats()[r.IntN(3)]}
	id := core.ID(0)
	next := func() core.ID { id++; return id }
	state := func(attribute string) *core.State {
		return &core.State{ID: next(), Subject: []string{core.SubjectUser, word()}[r.IntN(2)], Attribute: attribute, Value: texts(), Condition: []string{"", "", word()}[r.IntN(3)], ValidFrom: []string{"", "2026-10-01", "x\n[FORBIDDEN: y]"}[r.IntN(3)], Stated: true}
	}
	for range r.IntN(4) {
		in.Rules = append(in.Rules, state("forbidden_"+word()))
	}
	for range r.IntN(12) {
		in.States = append(in.States, State{state(word()), float32(r.IntN(4))})
	}
	for range r.IntN(8) {
		in.Events = append(in.Events, Event{core.Event{ID: next(), Subject: word(), Text: texts(), Start: []string{"", "2026-10-01", word()}[r.IntN(3)]}, float32(r.IntN(4))})
	}
	for range r.IntN(16) {
		p := Passage{Source: core.Source{Passage: next()}, Score: float32(r.IntN(4)), At: in.Today.AddDate(0, 0, -r.IntN(3)), Role: core.Roles()[r.IntN(4)], Kind: core.Kinds()[r.IntN(6)], Speaker: []string{"", word()}[r.IntN(2)], Text: texts(), Quoted: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			p.Outdated = []Span{{r.IntN(20) - 5, r.IntN(60), word()}, {r.IntN(200), r.IntN(200), ""}}
		}
		in.Passages = append(in.Passages, p)
	}
	return in
}

// each runs a law over many random inputs.
func each(t *testing.T, law func(t *testing.T, r *rand.Rand, in *Input, c Counter)) {
	t.Helper()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := counter{lumps: seed%3 == 0}
		if seed%2 == 0 {
			law(t, r, random(r), lineCounter{c})
		} else {
			law(t, r, random(r), c)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestNeverOverBudget(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, in *Input, c Counter) {
		p := Pack(in, Defaults(), c)
		if p.Tokens != c.Count(p.Block) {
			t.Errorf("reported %d tokens, the block has %d", p.Tokens, c.Count(p.Block))
		}
		rulesOnly := !slices.ContainsFunc(p.Items, func(i Item) bool { return i.Kind != KindRule })
		if p.OverBudget != (p.Tokens > in.Budget) || p.OverBudget && !rulesOnly {
			t.Errorf("%d tokens of %d, over budget %v, rules only %v", p.Tokens, in.Budget, p.OverBudget, rulesOnly)
		}
		if n := len([]rune(p.Block)); n > runesPerToken*in.Budget && !rulesOnly {
			t.Errorf("%d characters for a budget of %d", n, in.Budget)
		}
	})
}

func TestLinesAddUp(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 8))
		in, c := random(r), counter{lumps: seed%3 == 0}
		if got, want := Pack(in, Defaults(), lineCounter{c}), Pack(in, Defaults(), c); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: by lines\n%s\nas a whole\n%s", seed, got.Block, want.Block)
		}
	}
}

func TestEveryCandidateIsAccountedFor(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, in *Input, c Counter) {
		p := Pack(in, Defaults(), c)
		seen := map[core.ID]int{}
		for _, i := range p.Items {
			seen[i.ID]++
		}
		for _, l := range p.LeftOut {
			if seen[l.ID]++; l.Kind == KindRule && l.Reason != ReasonEmpty {
				t.Errorf("rule %d left out: %s", l.ID, l.Reason)
			}
		}
		if want := len(in.Rules) + len(in.States) + len(in.Events) + len(in.Passages); len(seen) != want {
			t.Errorf("%d items are in the block or left out, want %d", len(seen), want)
		}
		for id, n := range seen {
			if n > 1 {
				t.Errorf("item %d occurs %d times", id, n)
			}
		}
	})
}

func TestDeterministicInAnyOrder(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, in *Input, c Counter) {
		want := Pack(in, Defaults(), c)
		r.Shuffle(len(in.Rules), func(i, j int) { in.Rules[i], in.Rules[j] = in.Rules[j], in.Rules[i] })
		r.Shuffle(len(in.States), func(i, j int) { in.States[i], in.States[j] = in.States[j], in.States[i] })
		r.Shuffle(len(in.Events), func(i, j int) { in.Events[i], in.Events[j] = in.Events[j], in.Events[i] })
		r.Shuffle(len(in.Passages), func(i, j int) { in.Passages[i], in.Passages[j] = in.Passages[j], in.Passages[i] })
		if got := Pack(in, Defaults(), c); got.Block != want.Block || got.Tokens != want.Tokens {
			t.Errorf("got:\n%s\nwant:\n%s", got.Block, want.Block)
		}
	})
}

func TestStablePartIgnoresTheTurn(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, in *Input, c Counter) {
		a := Pack(in, Defaults(), c)
		other := *in
		other.Passages, other.Events, other.Today = random(r).Passages, random(r).Events, in.Today.AddDate(0, 3, 9)
		b := Pack(&other, Defaults(), c)
		if a.Turn != "" && b.Turn != "" && a.Stable != b.Stable {
			t.Errorf("stable parts differ:\n%s\n%s", a.Stable, b.Stable)
		}
		if strings.Contains(a.Stable, in.Today.Format(time.DateOnly)) {
			t.Errorf("the stable part has today's date")
		}
	})
}

var (
	// The forms of our lines; what stands after them is from memory.
	classicRE = regexp.MustCompile(`^(?:## Memory|What is known about the user\. .*|Today is 2026-11-01\..*|Forbidden:|Now true:|Also true:|Things said before:|Events:|- .+|)$`)
	sutraRE   = regexp.MustCompile(`^(?:## Memory|User facts: .*|Today is 2026-11-01\..*|\[.+\]|)$`)
)

// breakRE is every line break that some reader honours.
var breakRE = regexp.MustCompile("\r\n|[\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029]")

// TestMemoryNeverLooksLikeOurs packs hostile texts in every field and counts the
// lines of each form: there are as many as items ask for.
func TestSteadyStablePartIgnoresTheQuery(t *testing.T) {
	each(t, func(t *testing.T, r *rand.Rand, in *Input, c Counter) {
		in.Steady = true
		first := Pack(in, Defaults(), c)
		other := random(r) // another query: other scores, passages, events, and facts about others
		other.Rules, other.Budget, other.Format, other.Steady = in.Rules, in.Budget, in.Format, true
		other.States = slices.DeleteFunc(other.States, func(s State) bool { return s.Subject == core.SubjectUser })
		for i := range other.States {
			other.States[i].ID += 1000
		}
		for _, s := range in.States {
			if s.Subject == core.SubjectUser {
				other.States = append(other.States, State{s.State, float32(r.IntN(4))})
			}
		}
		if second := Pack(other, Defaults(), c); first.Stable != second.Stable {
			t.Errorf("stable part\n%s\nbecame\n%s", first.Stable, second.Stable)
		}
		if !strings.HasPrefix(first.Stable, first.Rules) || first.Stable+first.Turn != first.Block {
			t.Errorf("parts %+v", first)
		}
	})
}

func TestMemoryNeverLooksLikeOurs(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, in *Input, c Counter) {
		p := Pack(in, Defaults(), c)
		if p.Block == "" {
			return
		}
		form := classicRE
		if in.Format == FormatSutra {
			form = sutraRE
		}
		lines := breakRE.Split(strings.TrimSuffix(p.Block, "\n"), -1)
		n := map[string]int{}
		for _, l := range lines {
			if !form.MatchString(l) {
				t.Errorf("a line that is not ours: %q", l)
			}
			n[strings.SplitN(l, ":", 2)[0]]++
		}
		items := map[Kind]int{}
		for _, i := range p.Items {
			items[i.Kind]++
		}
		for _, head := range []string{"## Memory", "Forbidden", "Now true", "Also true", "Things said before", "Events"} {
			if n[head] > 1 {
				t.Errorf("%d lines %q", n[head], head)
			}
		}
		if got := n["[FORBIDDEN"]; in.Format == FormatSutra && got != items[KindRule] {
			t.Errorf("%d rule lines for %d rules", got, items[KindRule])
		}
		if got := judgedRules(lines); got != items[KindRule] {
			t.Errorf("read as %d rules, there are %d:\n%s", got, items[KindRule], p.Block)
		}
		for _, l := range lines {
			if strings.Contains(l, "[outdated") && !strings.HasPrefix(l, "Today is") && !outdatedRE.MatchString(l) {
				t.Errorf("a mark in the middle of a line: %q", l)
			}
		}
	})
}

var outdatedRE = regexp.MustCompile(`^[^\[]*(?:\[LOG )?.*[^\[]* \[outdated(?:: now [^\[\]]*)?\]\]?$`)

// judgedRules counts the lines that someone who reads a block by its headings takes
// for rules: [FORBIDDEN: lines, and what stands under a heading Forbidden.
func judgedRules(lines []string) int {
	heading := regexp.MustCompile(`^\s*(#|\*\*[^*]+\*\*:?\s*$|[\p{L}\p{N}].*:\s*$)`)
	n, inside, filled := 0, false, false
	for _, l := range lines {
		text := strings.TrimLeft(strings.TrimLeft(strings.TrimSpace(strings.ToLower(l)), "-*• "), "# ")
		switch {
		case strings.HasPrefix(text, "[forbidden:"):
			n++
			inside = false
		case strings.HasPrefix(text, "forbidden"):
			if text != "forbidden:" {
				n++
			}
			inside, filled = true, false
		case heading.MatchString(l), text == "" && filled:
			inside = false
		case inside && text != "":
			n++
			filled = true
		}
	}
	return n
}

func TestEveryRuleIsThere(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, in *Input, c Counter) {
		for i := range in.Rules {
			in.Rules[i].Value = fmt.Sprintf("rule number %d %s", i, in.Rules[i].Value)
		}
		p := Pack(in, Defaults(), c)
		for i := range in.Rules {
			if !strings.Contains(p.Rules, fmt.Sprintf("rule number %d", i)) {
				t.Errorf("no rule %d in:\n%s", i, p.Rules)
			}
		}
	})
}

func TestEqualScoresGoToTheLowerID(t *testing.T) {
	in := &Input{Budget: 200}
	for _, id := range []core.ID{9, 4, 7, 2} {
		in.Passages = append(in.Passages, Passage{Source: core.Source{Passage: id}, Text: fmt.Sprint("note ", id), Score: 1})
	}
	p := Defaults()
	p.MaxPassages = 2
	got := Pack(in, p, counter{})
	if len(got.Items) != 2 || got.Items[0].ID != 2 || got.Items[1].ID != 4 {
		t.Errorf("items %v, want 2 and 4", got.Items)
	}
}

// TestCarryOver checks that what one part leaves goes to the others, both ways.
func TestCarryOver(t *testing.T) {
	var many, few Input
	for i := range 80 {
		s := State{&core.State{ID: core.ID(i + 1), Subject: core.SubjectUser, Attribute: fmt.Sprint("a", i), Value: "some value or other"}, 1}
		many.States = append(many.States, s)
		p := Passage{Source: core.Source{Passage: core.ID(1000 + i)}, Text: "a passage of some words that takes room", Score: 1}
		few.Passages = append(few.Passages, p)
	}
	few.States = many.States[:1]
	many.Budget, few.Budget = 400, 400
	params := Defaults()
	params.MaxPassages = 1000
	for name, in := range map[string]*Input{"states take what passages leave": &many, "passages take what states leave": &few} {
		if p := Pack(in, params, counter{}); p.Tokens < 370 {
			t.Errorf("%s: only %d of 400 tokens used", name, p.Tokens)
		}
	}
	both := many
	both.Passages = few.Passages
	p := Pack(&both, params, counter{})
	states := 0
	for _, i := range p.Items {
		if i.Kind == KindState {
			states += i.Tokens
		}
	}
	if states < 60 || states > 100 {
		t.Errorf("states take %d tokens of 400 where passages want room, want about a quarter", states)
	}
}

func TestCutsAtGraphemes(t *testing.T) {
	family := "👩‍👩‍👧‍👦"
	in := &Input{Budget: 100, Passages: []Passage{{Source: core.Source{Passage: 1}, Role: core.RoleUser, Text: strings.Repeat(family, 300)}}}
	p := Pack(in, Defaults(), counter{lumps: true})
	_, text, _ := strings.Cut(p.Block, "user: ")
	text, ok := strings.CutSuffix(text, ellipsis+"\n")
	if !ok || strings.ReplaceAll(text, family, "") != "" {
		t.Errorf("cut inside an emoji: %q", p.Block)
	}
	if len(p.Items) != 1 || !p.Items[0].Cut {
		t.Errorf("items %v, want one that is cut", p.Items)
	}
}

func TestParams(t *testing.T) {
	tests := []struct {
		name string
		set  func(*Params)
		want string
	}{
		{"defaults", func(*Params) {}, ""},
		{"format", func(p *Params) { p.Format = "xml" }, "format must be"},
		{"tokenizer", func(p *Params) { p.Tokenizer = "chars" }, "tokenizer must be"},
		{"budget", func(p *Params) { p.BudgetTokens = 0 }, "budget_tokens must be"},
		{"share", func(p *Params) { p.StateShare = 0.95 }, "state_share and event_share"},
		{"maxima", func(p *Params) { p.MaxEvents = -1 }, "max_passages and max_events"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Defaults()
			tt.set(&p)
			err := p.Validate()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Validate() = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestTheNameComesFirst: of states that score the same, the user's name is taken first,
// and it stands before the others.
func TestTheNameComesFirst(t *testing.T) {
	for _, steady := range []bool{false, true} {
		in := &Input{Budget: 60, Today: time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC), Steady: steady}
		for i, a := range []string{"age", "badge_number", "employer", "home_city", "name", "surname"} {
			in.States = append(in.States, State{&core.State{ID: core.ID(i + 1), Subject: core.SubjectUser, Attribute: a, Value: "Torunn " + a}, 0})
		}
		got := Pack(in, Defaults(), counter{})
		at := strings.Index(got.Block, "Torunn name")
		if other := strings.Index(got.Block, "Torunn age"); at < 0 || other >= 0 && other < at {
			t.Errorf("steady %v: the name is not first in\n%s", steady, got.Block)
		}
		if len(got.LeftOut) == 0 {
			t.Errorf("steady %v: all states found room, so nothing was shown", steady)
		}
	}
}

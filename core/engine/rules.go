package engine

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
)

// restated are the drafts that state a rule which stands already: by index, the rule,
// or zero and the draft of the same call that makes it.
type restated struct {
	draft int
	rule  core.ID
	by    int
}

// standing finds rules that are stated again, and takes them from the drafts: a rule
// stands once, and rests on every episode that states it.
func (e *Engine) standing(ctx context.Context, space string, drafts []core.Draft) ([]restated, error) {
	var again []restated
	made := map[string]int{}
	for i := range drafts {
		rule := drafts[i].Rule
		if rule == nil {
			continue
		}
		if by, ok := made[rule.Value]; ok {
			again = append(again, restated{i, 0, by})
			drafts[i].Rule = nil
			continue
		}
		states, err := e.o.Store.States(ctx, space, core.StateFilter{Subject: rule.Subject, Attribute: rule.Attribute, Open: true})
		if err != nil {
			return nil, err
		}
		if j := slices.IndexFunc(states, func(st core.State) bool { return st.Forbidden && st.Value == rule.Value }); j >= 0 {
			again = append(again, restated{i, states[j].ID, 0})
			drafts[i].Rule = nil
			continue
		}
		made[rule.Value] = i
	}
	return again, nil
}

// restate lets rules rest on the episodes that state them again.
func (e *Engine) restate(ctx context.Context, space string, again []restated, drafts []core.Draft, stored []core.Appended) error {
	plan := &core.Plan{Space: space, At: e.o.Now()}
	for _, r := range again {
		a, d := &stored[r.draft], &drafts[r.draft]
		if a.RuleID = r.rule; a.RuleID == 0 {
			a.RuleID = stored[r.by].RuleID
		}
		src := core.Source{Episode: a.ID, End: len(d.Episode.Text), At: d.Episode.At}
		if len(a.Passages) > 0 {
			src.Passage, src.Start, src.End = a.Passages[0], d.Passages[0].Start, d.Passages[0].End
		}
		plan.Sources = append(plan.Sources, core.StateSource{State: a.RuleID, Source: src})
	}
	if len(plan.Sources) == 0 {
		return nil
	}
	return e.o.Store.Apply(ctx, plan)
}

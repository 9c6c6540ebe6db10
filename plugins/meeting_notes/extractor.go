package main

import (
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
)

// notes is the extractor.
type notes struct{ decisions, tasks []string }

// Manifest says what the plugin is.
func (n *notes) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "meeting_notes", Version: "1.0.0", Contract: abi.Extract,
		Summary: "Find decisions and tasks, with owner and due date, in meeting notes",
		Doc: `
A line that begins with a marker is a decision or a task:

    Decision: we keep the ledger in Postgres
    Action: Asha will send the draft to Ben by 8 May
    - [ ] @ben book the room (due 2026-05-04)
    TODO: Noor will renew the certificate before Friday

A decision becomes an event of the user, a task an event of its owner, with its due
date as the time. A task without an owner is the user's. Lines without a marker give
nothing: what else was said is for other extractors.`,
		Params: []abi.Param{
			{Name: "decisions", Kind: abi.String, Doc: "markers of decisions, with commas between them", Text: "decision, decided, we decided, agreed, resolution"},
			{Name: "tasks", Kind: abi.String, Doc: "markers of tasks, with commas between them", Text: "action, action item, task, todo, to do, next step"},
		},
	}
}

// Configure reads the markers.
func (n *notes) Configure(p *guest.Params) error {
	n.decisions, n.tasks = markers(p.String("decisions")), markers(p.String("tasks"))
	return nil
}

// Extract reads each line that may be cited.
func (n *notes) Extract(lines []guest.Line, out *guest.Items) error {
	for _, l := range lines {
		if !l.Citable {
			continue
		}
		body, box := bullet(l.Text)
		if rest, ok := after(body, n.decisions); ok && !box {
			if d := trim(rest); words(d) > 1 {
				out.Add(guest.Item{Event: true, Subject: "user", Value: d, Cites: []int{l.N}})
			}
			continue
		}
		rest, ok := after(body, n.tasks)
		if !ok && !box {
			continue
		}
		if !ok {
			rest = body
		}
		if t := readTask(rest); words(t.what) > 1 {
			out.Add(guest.Item{Event: true, Subject: t.owner, Value: t.what, When: t.due, Cites: []int{l.N}})
		}
	}
	return nil
}

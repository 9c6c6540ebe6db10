package sleep

import (
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// Report says what a sleep did. Its JSON form is stable. It refers to lines by
// episode and bytes and holds none of their text, except for what an extractor
// proposed.
type Report struct {
	Space    string         `json:"space"`
	At       time.Time      `json:"at"`
	Backend  string         `json:"backend,omitempty"`
	DryRun   bool           `json:"dry_run,omitempty"`
	Rebuild  bool           `json:"rebuild,omitempty"`
	More     bool           `json:"more,omitempty"` // stopped at its limit of batches
	Batches  int            `json:"batches"`
	Episodes int            `json:"episodes"` // finished
	Lines    int            `json:"lines"`
	Outcomes map[string]int `json:"outcomes"` // of accepted items: new, confirmed, superseded …
	Reasons  map[string]int `json:"reasons"`  // of rejected items
	Accepted []ReportItem   `json:"accepted"`
	Rejected []ReportItem   `json:"rejected"`
	Failed   []ReportFail   `json:"failed"`
}

// ReportItem is an item and what became of it.
type ReportItem struct {
	Kind      string       `json:"kind"` // state, event
	Subject   string       `json:"subject"`
	Attribute string       `json:"attribute,omitempty"`
	Value     string       `json:"value"`
	Condition string       `json:"condition,omitempty"`
	Forbidden bool         `json:"forbidden,omitempty"`
	From      string       `json:"valid_from,omitempty"`
	Outcome   string       `json:"outcome,omitempty"`
	Reason    Reason       `json:"reason,omitempty"`
	Detail    string       `json:"detail,omitempty"`
	Sources   []ReportLine `json:"sources"`
}

// ReportLine is a line by its place.
type ReportLine struct {
	Episode core.ID `json:"episode"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Text    string  `json:"text,omitempty"` // only for readers who ask for it; never stored
}

// ReportFail is a record that was not understood, or whose extractor was not
// reached.
type ReportFail struct {
	Episodes []core.ID `json:"episodes"`
	Error    string    `json:"error"`
	Retired  bool      `json:"retired,omitempty"`
	Attempt  bool      `json:"attempt"` // it counted against the records
}

// add takes in the items of a batch.
func (r *Report) add(b *Batch) {
	if r.Outcomes == nil {
		r.Outcomes, r.Reasons = map[string]int{}, map[string]int{}
	}
	r.Backend = b.Backend
	r.Batches++
	r.Episodes += len(b.Plan.Done)
	r.Lines += len(b.Lines)
	for _, it := range b.Items {
		ri := reportItem(it)
		if it.Live() {
			r.Outcomes[it.Outcome]++
			r.Accepted = append(r.Accepted, ri)
		} else {
			r.Reasons[string(it.Reason)]++
			r.Rejected = append(r.Rejected, ri)
		}
	}
}

// skip takes in a batch without a line that could make a fact.
func (r *Report) skip(b *Batch) {
	r.Batches++
	r.Episodes += len(b.Plan.Done)
	r.Lines += len(b.Lines)
}

func reportItem(it *Item) ReportItem {
	ri := ReportItem{
		Kind: "state", Subject: clip(it.Subject, 100), Attribute: clip(it.Attribute, 100), Value: clip(it.Value, 300),
		Condition: clip(it.Condition, 200), Forbidden: it.Prohibited || it.Attr.Rule, From: it.From,
		Outcome: it.Outcome, Reason: it.Reason, Detail: it.Detail,
	}
	if it.Event {
		ri.Kind = "event"
	}
	for _, l := range it.Lines {
		ri.Sources = append(ri.Sources, ReportLine{Episode: l.Episode, Start: l.Source.Start, End: l.Source.End})
	}
	return ri
}

func (r *Report) fail(parts []part, err error, retired bool) {
	f := ReportFail{Error: clip(err.Error(), 500), Retired: retired, Attempt: !unavailableCode(err)}
	for _, p := range parts {
		if !slices.Contains(f.Episodes, p.episode.ID) {
			f.Episodes = append(f.Episodes, p.episode.ID)
		}
	}
	r.Failed = append(r.Failed, f)
}

func unavailableCode(err error) bool { return core.CodeOf(err) == core.CodeUnavailable }

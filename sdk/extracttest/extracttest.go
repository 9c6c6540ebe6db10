// Package extracttest is the conformance suite of extractors and sleep backends, wherever
// their code runs.
// It reports like package stagetest.
package extracttest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// Suite is an extractor and what is asked of it. Only Spec is needed.
type Suite struct {
	Spec component.Spec[sleep.Extractor]
	Deps component.Deps
	// Lines are lines in which the extractor finds something; the suite adds its own.
	Lines []string
	// MayBeAway says that the extractor asks a service, which may not be there. What then
	// cannot be checked is noted and no error.
	MayBeAway bool
}

// away notes that a check could not be made.
func (s *Suite) away(r stagetest.Reporter, err error) bool {
	if !s.MayBeAway || core.CodeOf(err) != core.CodeUnavailable {
		return false
	}
	r.Logf("not checked: %v", err)
	return true
}

// Checks returns the checks in the order they run.
func Checks() []stagetest.One[Suite] {
	return []stagetest.One[Suite]{
		{Name: "spec", Doc: "name, summary and doc are in order and the defaults build", Run: checkSpec},
		{Name: "nothing", Doc: "no lines give no items", Run: checkNothing},
		{Name: "cites", Doc: "every item says something and cites lines that may be cited", Run: checkCites},
		{Name: "deterministic", Doc: "equal lines give equal items, in another instance too", Run: checkDeterministic},
		{Name: "context", Doc: "lines that may not be cited are never cited", Run: checkContext},
		{Name: "concurrent", Doc: "calls at once give what calls in turn give", Run: checkConcurrent},
		{Name: "cancel", Doc: "a cancelled context ends a call", Run: checkCancel},
	}
}

// Check runs every check and returns the results in order.
func Check(ctx context.Context, s Suite) []stagetest.Result {
	return stagetest.Each(ctx, &s, Checks())
}

// own are lines that extractors stumble over.
var own = []string{
	"", " ", "\x00", "I live in Pune.", "Who lives in Pune?", "TODO: 2026-02-30", "部署を変えた", "a\u0301\u202e",
	"Decision:", "@@@ :: -> []", strings.Repeat("very ", 2000) + "long", "[user.city: Rome]",
}

// env is what extractors that are compiled in may ask.
var env = sync.OnceValue(func() *sleep.Env {
	reader, err := clock.NewReader()
	if err != nil {
		panic(err) // its files are part of the program
	}
	return &sleep.Env{Languages: lang.Default(), Clock: reader}
})

// Request returns a request of these lines, all of them said by the user, with the first
// ones as context that may not be cited.
func Request(context int, texts ...string) *sleep.Request {
	r := &sleep.Request{Space: core.DefaultSpace, Env: env()}
	at := time.Date(2026, 4, 20, 10, 0, 0, 0, time.UTC)
	for i, t := range texts {
		l := &sleep.Line{
			N: i - context + 1, Episode: core.ID(i + 1), Said: at, Zone: time.UTC, Kind: core.KindTurn, Role: core.RoleUser,
			Text: t, Trust: core.TrustUser, Citable: i >= context, Own: true, Rules: true,
		}
		l.Analyse(r.Env.Languages)
		if i < context {
			l.N = 0
			r.Context = append(r.Context, l)
		} else {
			r.Lines = append(r.Lines, l)
		}
	}
	return r
}

func (s *Suite) request() *sleep.Request {
	return Request(0, append(append([]string{}, s.Lines...), own...)...)
}

func (s *Suite) build(r stagetest.Reporter) sleep.Extractor {
	x, err := s.Spec.Build(s.Spec.NewParams(), s.Deps)
	if err != nil {
		r.Errorf("build: %v", err)
	}
	return x
}

func checkSpec(_ context.Context, r stagetest.Reporter, s *Suite) {
	if _, err := component.NewRegistry(s.Spec); err != nil {
		r.Errorf("%v", err)
	}
	if s.Spec.Summary == "" || strings.Contains(s.Spec.Summary, "\n") || strings.HasSuffix(s.Spec.Summary, ".") {
		r.Errorf("summary %q should be one line without a full stop", s.Spec.Summary)
	}
	if strings.TrimSpace(s.Spec.Doc) == "" {
		r.Errorf("no doc")
	}
	if x := s.build(r); x != nil && x.Name() == "" {
		r.Errorf("no name")
	}
}

func checkNothing(ctx context.Context, r stagetest.Reporter, s *Suite) {
	x := s.build(r)
	if x == nil {
		return
	}
	items, err := x.Extract(ctx, Request(0))
	if err != nil && s.away(r, err) {
		return
	}
	if err != nil || len(items) > 0 {
		r.Errorf("%d items of no lines, %v", len(items), err)
	}
}

func checkCites(ctx context.Context, r stagetest.Reporter, s *Suite) {
	x := s.build(r)
	if x == nil {
		return
	}
	req := s.request()
	items, err := x.Extract(ctx, req)
	if err != nil {
		if !s.away(r, err) {
			r.Errorf("%v", err)
		}
		return
	}
	r.Logf("%d items of %d lines", len(items), len(req.Lines))
	if len(items) == 0 && len(s.Lines) > 0 {
		r.Errorf("it finds nothing in its own lines")
	}
	tags := map[string]bool{}
	for _, l := range req.Lines {
		tags[l.Tag()] = true
	}
	for i, it := range items {
		switch {
		case it.Malformed != "":
			r.Errorf("item %d is malformed: %s", i+1, it.Malformed)
		case it.Subject == "" || it.Value == "" && !it.Ended, !it.Event && !it.Lift && it.Attribute == "":
			r.Errorf("item %d lacks a subject, an attribute or a value", i+1)
		case len(it.Cites) == 0:
			r.Errorf("item %d cites nothing", i+1)
		}
		for _, c := range it.Cites {
			if !tags[c] {
				r.Errorf("item %d cites %q, which is no line", i+1, c)
			}
		}
	}
}

func checkDeterministic(ctx context.Context, r stagetest.Reporter, s *Suite) {
	a, b := s.build(r), s.build(r)
	if a == nil || b == nil {
		return
	}
	if why := s.agree(ctx, r, a, b); why != "" {
		r.Errorf("%s", why)
	}
}

func (s *Suite) agree(ctx context.Context, r stagetest.Reporter, a, b sleep.Extractor) string {
	req := s.request()
	x, err := a.Extract(ctx, req)
	y, err2 := b.Extract(ctx, req)
	switch {
	case err != nil && err2 != nil && s.away(r, err):
		return ""
	case err != nil || err2 != nil:
		return fmt.Sprintf("%v, %v", err, err2)
	case !reflect.DeepEqual(x, y):
		return "the items differ"
	}
	return ""
}

func checkContext(ctx context.Context, r stagetest.Reporter, s *Suite) {
	x := s.build(r)
	if x == nil {
		return
	}
	texts := append(append([]string{}, s.Lines...), own...)
	items, err := x.Extract(ctx, Request(len(texts), texts...))
	if err != nil && s.away(r, err) {
		return
	}
	if err != nil || len(items) > 0 {
		r.Errorf("%d items of lines that are only context, %v", len(items), err)
	}
}

// quiet is a reporter that several goroutines may use.
type quiet struct{}

// Errorf does nothing.
func (quiet) Errorf(string, ...any) {}

// Logf does nothing.
func (quiet) Logf(string, ...any) {}

func checkConcurrent(ctx context.Context, r stagetest.Reporter, s *Suite) {
	x := s.build(r)
	if x == nil {
		return
	}
	// It is the same service for all, so one call tells whether it is there.
	if _, err := x.Extract(ctx, s.request()); err != nil && s.away(r, err) {
		return
	}
	errs := make([]string, 8)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					errs[g] = fmt.Sprintf("panic: %v", v)
				}
			}()
			for range 5 {
				if why := s.agree(ctx, quiet{}, x, x); why != "" {
					errs[g] = why
				}
			}
		})
	}
	wg.Wait()
	for _, e := range errs {
		if e != "" {
			r.Errorf("%s when calls overlap", e)
			return
		}
	}
}

func checkCancel(ctx context.Context, r stagetest.Reporter, s *Suite) {
	x := s.build(r)
	if x == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := x.Extract(ctx, s.request()); err != nil && !errors.Is(err, context.Canceled) && !s.away(r, err) {
		r.Errorf("a cancelled call fails with another error: %v", err)
	}
}

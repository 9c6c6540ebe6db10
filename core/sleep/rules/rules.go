// Package rules extracts facts from plain statements without a model. It is
// deterministic: the same lines give the same items.
//
// What it knows of a language is in data: *.rules holds patterns of statements,
// *.words the words they name (both described at the head of data/en.rules), and
// package lang the grammar. It prefers silence to a guess: a statement of a kind
// it has no pattern for, or that is hedged, supposed or asked, gives nothing.
package rules

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Name is the backend's name in configurations and facts.
const Name = "rules"

//go:embed data/*
var data embed.FS

// words is what the extractor knows of one language.
type words struct {
	*lang.Lists
	patterns []pattern
}

// Extractor finds statements by patterns. It never changes and is safe for
// concurrent use.
type Extractor struct {
	byLang map[string]*words
}

// New returns the extractor of the built-in languages.
var New = sync.OnceValue(func() *Extractor {
	x, err := Load(data)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return x
})

// Load reads data/NAME.rules and data/NAME.words for each language name.
func Load(fsys fs.FS) (*Extractor, error) {
	x := &Extractor{byLang: map[string]*words{}}
	for _, l := range lang.Default().Languages() {
		src, err := fs.ReadFile(fsys, "data/"+l.Name+".rules")
		if err != nil {
			continue // a language may have a grammar and no patterns
		}
		w := &words{}
		if w.patterns, err = parsePatterns(string(src)); err != nil {
			return nil, fmt.Errorf("%s.rules: %w", l.Name, err)
		}
		if src, err = fs.ReadFile(fsys, "data/"+l.Name+".words"); err != nil {
			return nil, err
		}
		if w.Lists, err = lang.ParseLists(string(src)); err != nil {
			return nil, fmt.Errorf("%s.words: %w", l.Name, err)
		}
		x.byLang[l.Name] = w
	}
	return x, nil
}

// Name returns "rules".
func (x *Extractor) Name() string { return Name }

// Extract proposes what the citable lines of a request state.
func (x *Extractor) Extract(ctx context.Context, req *sleep.Request) ([]sleep.Proposal, error) {
	var out []sleep.Proposal
	talks, names := map[string]*talk{}, map[string]bool{}
	read := func(l *sleep.Line, citable bool) []sleep.Proposal {
		t := talks[l.Session]
		if t == nil {
			t = &talk{}
			talks[l.Session] = t
		}
		t.turn(l)
		s, astray := l.Grammar(), t.astray
		t.astray = mayBeOthers(l)
		if !citable || s == nil || s.Lang == nil || x.byLang[s.Lang.Name] == nil {
			return nil
		}
		r := &line{
			reader: reader{w: x.byLang[s.Lang.Name], s: s, dates: req.Env.Dates(l)},
			req:    req, l: l, last: t.last, topic: t.topic, before: out, announced: t.announced, names: names, others: t.others, astray: astray,
		}
		r.read()
		t.others = r.aboutOthers()
		for _, p := range s.Persons() {
			if p.Proper != "" && !p.Unsure {
				names[p.Proper] = true
			}
		}
		t.announced = r.announces() || t.announced && len(r.out) > 0
		t.topic = r.topic
		for i := range r.out {
			if !r.out[i].Event && !r.out[i].Lift && r.out[i].Value != "" && !r.out[i].Prohibited {
				t.last, t.at = &r.out[i], t.turns
			}
		}
		return r.out
	}
	for _, l := range req.Context {
		read(l, l.Own) // a correction may come in the next batch
	}
	for _, l := range req.Lines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		runtime.Gosched() // whoever waits for a processor goes first
		out = append(out, read(l, l.Citable)...)
	}
	return out, nil
}

// mayBeOthers reports whether what follows a line without a subject may be about
// somebody whom the line speaks of.
func mayBeOthers(l *sleep.Line) bool {
	s := l.Grammar()
	if s == nil || len(s.Clauses) == 0 {
		return false
	}
	if !l.Own {
		return s.Question && (len(s.Persons()) > 0 || s.HasWords("kin", -1)) // "How is your sister?"
	}
	switch s.Clauses[len(s.Clauses)-1].Subject.Who {
	case lang.Person, lang.Third, lang.Owned:
		return true
	}
	return s.Question && len(s.Persons()) > 0
}

// talk is how far a session has come.
type talk struct {
	episode core.ID
	turns   int
	last    *sleep.Proposal // the last state, for corrections
	topic   string          // of what there is a new one
	at      int             // the turn that said it
	astray  bool            // the last line, of whatever record, may be about somebody else

	announced bool // that rules follow, in this record
	others    bool // the last line of this record is about somebody else
}

// correctable is within how many turns a correction may say no more than the new value.
const correctable = 4

// turn counts the records of a session.
func (t *talk) turn(l *sleep.Line) {
	if l.Episode != t.episode || t.turns == 0 {
		t.episode = l.Episode
		t.announced, t.others = false, false
		t.turns++
	}
	if t.turns-t.at > correctable {
		t.last, t.topic = nil, ""
	}
}

package quality

import (
	_ "embed" // for the chats
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

//go:embed chats.txt
var chatsFile string

//go:embed chat_slots.txt
var chatSlotsFile string

//go:embed chat_talk.txt
var chatTalkFile string

// topic is what some chats are about.
type topic struct {
	name               string
	asks, advice, code []string
	facts              []chatFact
}

// chatFact is told in one or more sessions, in order, and asked about.
type chatFact struct {
	kind, question string
	parts          []string
}

func topics() []topic {
	var out []topic
	for line := range strings.Lines(chatsFile) {
		line = strings.TrimSpace(line)
		mark, rest, _ := strings.Cut(line, " ")
		if mark == "" || mark == "#" {
			continue
		}
		if mark == "##" {
			out = append(out, topic{name: rest})
			continue
		}
		switch t := &out[max(0, len(out)-1)]; mark {
		case "?":
			t.asks = append(t.asks, rest)
		case "+":
			t.advice = append(t.advice, rest)
		case "`":
			t.code = append(t.code, strings.ReplaceAll(rest, `\n`, "\n"))
		default:
			if kind, isFact := strings.CutSuffix(mark, ":"); isFact {
				told, question, _ := strings.Cut(rest, " | ")
				t.facts = append(t.facts, chatFact{kind, question, strings.Split(told, " / ")})
			}
		}
	}
	return out
}

// talk returns the lines of chat_talk.txt by their mark.
func talk() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(chatTalkFile) {
		if mark, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok && mark != "#" {
			out[mark] = append(out[mark], rest)
		}
	}
	return out
}

// told is one part of a fact in its session.
type told struct {
	text, kind string
	question   int // that it is evidence for, -1: nobody asks
}

// chatSession is a session before it is written out.
type chatSession struct {
	topic int
	facts []told
}

// chatMaker makes one space of chats.
type chatMaker struct {
	r      *rand.Rand
	topics []topic
	talk   map[string][]string
	c      Conversation
}

// Chats makes a space of sessions between a user and an assistant, whose answers are long:
// one question each about some facts, and other sessions on the same topics around them,
// in which as much is told that nobody asks about.
func Chats(id string, seed uint64, sessions, questions int) Conversation {
	m := &chatMaker{r: rand.New(rand.NewPCG(seed, 0x6368617473)), topics: topics(), talk: talk(), c: Conversation{ID: id, Now: start.AddDate(0, 0, 2*sessions)}}
	list := m.plan(sessions, questions)
	for day, s := range list {
		m.session(day, s)
	}
	return m.c
}

// plan draws the facts and spreads their parts over sessions, in order.
func (m *chatMaker) plan(sessions, questions int) []chatSession {
	type drawn struct {
		topic int
		fact  chatFact
	}
	var all []drawn
	for t := range m.topics {
		for _, f := range m.topics[t].facts {
			all = append(all, drawn{t, m.fill(f)})
		}
	}
	m.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	list := make([]chatSession, sessions)
	free := m.r.Perm(sessions)
	for i, d := range all {
		if len(free) < len(d.fact.parts) {
			break
		}
		question := -1
		if i < questions {
			question = i
			m.c.Questions = append(m.c.Questions, Question{ID: fmt.Sprintf("%s-q%d", m.c.ID, i), Category: d.fact.kind, Text: d.fact.question})
		} else if m.r.Float64() < 0.5 {
			continue // half of what nobody asks about is not told either
		}
		at := slices.Clone(free[:len(d.fact.parts)])
		free = free[len(at):]
		slices.Sort(at)
		for p, s := range at {
			list[s].topic = d.topic
			list[s].facts = append(list[s].facts, told{d.fact.parts[p], d.fact.kind, question})
		}
	}
	for _, s := range free {
		list[s].topic = m.r.IntN(len(m.topics))
	}
	return list
}

// fill puts one value for each slot into all parts of a fact and its question.
func (m *chatMaker) fill(f chatFact) chatFact {
	var pairs []string
	for _, s := range slotsOf(chatSlotsFile) {
		pairs = append(pairs, s.name, pick(m.r, s.values))
	}
	n := 12 + m.r.IntN(30)
	pairs = append(pairs, "{n}", fmt.Sprint(n), "{m}", fmt.Sprint(n-1-m.r.IntN(9)))
	with := strings.NewReplacer(pairs...)
	out := chatFact{f.kind, with.Replace(f.question), make([]string, len(f.parts))}
	for i, p := range f.parts {
		out.parts[i] = with.Replace(p)
	}
	return out
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// session writes a session of two to four rounds; its fact is told in one of them.
func (m *chatMaker) session(day int, s chatSession) {
	rounds := 2 + m.r.IntN(3)
	asks := m.r.Perm(len(m.topics[s.topic].asks))
	at := start.AddDate(0, 0, 2*day)
	where := m.r.IntN(rounds)
	for round := range rounds {
		var user, assistant []told
		if round == where {
			for _, f := range s.facts {
				if f.kind == "assistant" {
					assistant = append(assistant, f)
				} else {
					user = append(user, f)
				}
			}
		}
		ask := m.topics[s.topic].asks[asks[round%len(asks)]]
		m.turn(day, at, "user", m.asking(ask, user), user)
		m.turn(day, at, "assistant", m.answer(s.topic, assistant), assistant)
	}
}

// turn adds a turn, and makes it evidence for what is told in it.
func (m *chatMaker) turn(day int, at time.Time, role, text string, facts []told) {
	n := 0
	for i := len(m.c.Turns) - 1; i >= 0 && m.c.Turns[i].At.After(at.Add(-time.Second)); i-- {
		n++
	}
	key := fmt.Sprintf("s%d:%d", day, n)
	m.c.Turns = append(m.c.Turns, Turn{ID: key, Session: fmt.Sprintf("s%d", day), At: at.Add(time.Duration(n) * time.Second), Role: role, Text: text})
	for _, f := range facts {
		if f.question >= 0 {
			q := &m.c.Questions[f.question]
			q.Evidence = append(q.Evidence, key)
		}
	}
}

// asking is a user's turn: a question, with what is told before or after it.
func (m *chatMaker) asking(ask string, facts []told) string {
	parts := []string{pick(m.r, m.talk[">"]), ask + "?"}
	for _, f := range facts {
		switch said := capital(f.text) + "."; m.r.IntN(3) {
		case 0:
			parts = append(parts, "By the way, "+f.text+".")
		case 1:
			parts = []string{parts[0], said, "So I wonder: " + ask + "?"}
		default:
			parts = append([]string{said}, parts...)
		}
	}
	if m.r.Float64() < 0.7 {
		parts = append(parts, pick(m.r, m.talk["<"]))
	}
	return strings.Join(parts, " ")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// answer is an assistant's turn: a list of advice, code where the topic has some, and
// what it tells as a paragraph of its own.
func (m *chatMaker) answer(topic int, facts []told) string {
	t := &m.topics[topic]
	parts := []string{pick(m.r, m.talk["("])}
	var lines []string
	for i, a := range m.r.Perm(len(t.advice))[:4+m.r.IntN(4)] {
		line := fmt.Sprintf("%d. %s", i+1, t.advice[a])
		if m.r.Float64() < 0.6 {
			line += " " + pick(m.r, m.talk["="])
		}
		lines = append(lines, line)
	}
	cut := m.r.IntN(len(lines) + 1)
	parts = append(parts, strings.Join(lines[:cut], "\n"))
	for _, f := range facts {
		parts = append(parts, f.text+".")
	}
	if len(t.code) > 0 {
		parts = append(parts, "```\n"+pick(m.r, t.code)+"\n```")
	}
	parts = append(parts, strings.Join(lines[cut:], "\n"), pick(m.r, m.talk[")"]))
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
}

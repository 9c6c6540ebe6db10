package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/orma-memory/orma/sdk/guest"
)

func items(t testing.TB, texts ...string) []guest.Item {
	t.Helper()
	n := &notes{
		decisions: markers("decision, decided, we decided, agreed, resolution"),
		tasks:     markers("action, action item, task, todo, to do, next step"),
	}
	var lines []guest.Line
	for i, s := range texts {
		lines = append(lines, guest.Line{N: i + 1, Text: s, Citable: true})
	}
	out := &guest.Items{}
	if err := n.Extract(lines, out); err != nil {
		t.Fatal(err)
	}
	return out.All()
}

func extract(t testing.TB, texts ...string) []string {
	t.Helper()
	var got []string
	for _, it := range items(t, texts...) {
		got = append(got, fmt.Sprintf("%s|%s|%s", it.Subject, it.Value, it.When))
	}
	return got
}

func TestLines(t *testing.T) {
	for line, want := range map[string]string{
		"Decision: we keep the ledger in Postgres.":           "user|we keep the ledger in Postgres|",
		"DECIDED - move the release to June":                  "user|move the release to June|",
		"We decided to drop the weekly report.":               "user|drop the weekly report|",
		"We decided that nobody works late;":                  "user|nobody works late|",
		"- Agreed: two reviewers for each change":             "user|two reviewers for each change|",
		"Action: Asha will send the draft to Ben by 8 May.":   "Asha|send the draft to Ben|8 May",
		"Action item: Mina Rao to call the bank":              "Mina Rao|call the bank|",
		"- [ ] @ben book the large room (due 2026-05-04)":     "ben|book the large room|2026-05-04",
		"TODO(Noor): renew the certificate before Friday":     "Noor|renew the certificate|Friday",
		"TODO: renew the certificate":                         "user|renew the certificate|",
		"Task: update the rota (owner: Noor)":                 "Noor|update the rota|",
		"Task: update the rota (Noor)":                        "Noor|update the rota|",
		"Task: update the rota (the new one)":                 "user|update the rota (the new one)|",
		"Next step: Ben: write the summary, due: end of June": "Ben|write the summary|end of June",
		"To do: walk by the river":                            "user|walk by the river|",
		"Action: sort the boxes by colour until tomorrow":     "user|sort the boxes by colour|tomorrow",
		"* [ ] water the plants":                              "user|water the plants|",
		// Lines that only look like it.
		"The decision was hard.":               "",
		"Decision":                             "",
		"Decision: yes":                        "",
		"Agreed, that is a good plan":          "",
		"Actions speak louder: remember that":  "",
		"Tasks: see below":                     "",
		"[x] done already":                     "",
		"We decided nothing today":             "",
		"I told Ben to do: the accounts first": "",
		"Todo lists are fun":                   "",
		"":                                     "",
		"- [ ] ":                               "",
		"Action: @ben":                         "",
		"İ İ Decision: x":                      "",
	} {
		if got := strings.Join(extract(t, line), " & "); got != want {
			t.Errorf("%q\n got %q\nwant %q", line, got, want)
		}
	}
}

// TestSample: what check runs over has something in it.
func TestSample(t *testing.T) {
	b, err := os.ReadFile("sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := extract(t, strings.Split(string(b), "\n")...); len(got) != 5 {
		t.Errorf("%d items, want 5: %q", len(got), got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("Action: Asha will send the draft to Ben by 8 May.")
	f.Add("- [ ] @ben (due ) (")
	f.Add("TODO(: İ due ")
	f.Fuzz(func(t *testing.T, line string) {
		for _, it := range items(t, line) {
			for _, part := range []string{it.Subject, it.Value, it.When} {
				if part != strings.TrimSpace(part) || !strings.Contains(line, part) && part != "user" {
					t.Errorf("%q gives %+v", line, it)
				}
			}
			if it.Subject == "" || it.Value == "" {
				t.Errorf("%q gives %+v", line, it)
			}
		}
	})
}

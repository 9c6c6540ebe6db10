package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// longMemEvalItem is one question of LongMemEval with its haystack.
type longMemEvalItem struct {
	ID       string   `json:"question_id"`
	Type     string   `json:"question_type"`
	Question string   `json:"question"`
	Date     string   `json:"question_date"`
	Sessions []string `json:"haystack_session_ids"`
	Dates    []string `json:"haystack_dates"`
	Haystack [][]struct {
		Role      core.Role `json:"role"`
		Content   string    `json:"content"`
		HasAnswer bool      `json:"has_answer"`
	} `json:"haystack_sessions"`
	Answers []string `json:"answer_session_ids"`
}

// longMemEvalDate is how its dates are written.
const longMemEvalDate = "2006/01/02 (Mon) 15:04"

// parseLongMemEval follows the official evaluation: abstention questions, whose id
// ends in _abs, are left out; a session without an answer turn keeps its evidence
// at session level only.
func parseLongMemEval(data []byte) ([]Conversation, error) {
	var items []longMemEvalItem
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, core.Errorf(core.CodeInvalid, "not an array of questions: %w", err)
	}
	var out []Conversation
	for i, it := range items {
		if strings.HasSuffix(it.ID, "_abs") {
			continue
		}
		c, err := it.conversation()
		if err != nil {
			return nil, core.Errorf(core.CodeInvalid, "element %d (%s): %w", i, it.ID, err)
		}
		if len(c.Questions[0].Sessions) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

func (it *longMemEvalItem) conversation() (Conversation, error) {
	c := Conversation{ID: it.ID}
	var err error
	if c.Now, err = time.Parse(longMemEvalDate, it.Date); err != nil {
		return c, fmt.Errorf("question_date: %w", err)
	}
	if len(it.Sessions) != len(it.Haystack) || len(it.Dates) != len(it.Haystack) {
		return c, fmt.Errorf("%d session ids, %d dates, %d sessions", len(it.Sessions), len(it.Dates), len(it.Haystack))
	}
	q := Question{ID: it.ID, Category: it.Type, Text: it.Question}
	for s, turns := range it.Haystack {
		at, err := time.Parse(longMemEvalDate, it.Dates[s])
		if err != nil {
			return c, fmt.Errorf("haystack_dates[%d]: %w", s, err)
		}
		for n, t := range turns {
			if strings.TrimSpace(t.Content) == "" {
				continue
			}
			key := fmt.Sprintf("%s_%d", it.Sessions[s], n+1)
			c.Turns = append(c.Turns, Turn{Key: key, Session: it.Sessions[s], At: at.Add(time.Duration(n) * time.Second), Role: t.Role, Text: t.Content})
			if t.HasAnswer {
				q.Turns = append(q.Turns, key)
			}
		}
	}
	q.Sessions = it.Answers
	c.Questions = []Question{q}
	return c, nil
}

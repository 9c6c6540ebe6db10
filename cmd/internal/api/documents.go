package api

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
)

// DocumentBody is a document with what is said about each part of it.
type DocumentBody struct {
	In
	Name string `json:"name" doc:"what it is called, such as handbook.md"`
	NewEpisode
}

func documentRoute() route {
	return on(route{
		method: http.MethodPost, path: "/documents", verb: "add_document", about: "Remember a document, in parts of 8 KB that are cut between paragraphs",
		doc:  "Each part is an episode with the id NAME#1, NAME#2 and so on. The kind is document and the source file:NAME where nothing else is said.",
		once: true,
	}, addDocument)
}

func addDocument(c *call, b *DocumentBody) (AddAnswer, error) {
	if strings.TrimSpace(b.Name) == "" {
		return AddAnswer{}, core.Errorf(core.CodeInvalid, "a document needs a name").Hinted("send text without a name to /episodes")
	}
	b.Kind = cmp.Or(b.Kind, core.KindDocument)
	b.Source = cmp.Or(b.Source, "file:"+b.Name)
	base, err := b.input()
	if err != nil {
		return AddAnswer{}, err
	}
	if err := history.CheckText([]byte(b.Text)); err != nil {
		return AddAnswer{}, err
	}
	body := strings.TrimPrefix(b.Text, "\uFEFF")
	if strings.TrimSpace(body) == "" {
		return AddAnswer{}, core.Errorf(core.CodeInvalid, "%s is empty", b.Name)
	}
	parts := history.Split(body, history.PartBytes)
	inputs := make([]engine.Input, len(parts))
	for i, p := range parts {
		inputs[i] = base
		inputs[i].Text, inputs[i].Key = p, history.PartKey(cmp.Or(base.Key, b.Name), i+1)
	}
	added, err := c.api.o.Engine.Add(c.Context(), c.space, inputs...)
	if err == nil && added[0].Error != "" { // what is wrong with one is wrong with all
		err = core.Errorf(added[0].Code, "%s", added[0].Error)
	}
	if err != nil {
		return AddAnswer{}, err
	}
	c.item = added[0].ID
	return AddAnswer{Added: added}, nil
}

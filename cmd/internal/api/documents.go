package api

import (
	"cmp"
	"net/http"

	"github.com/orma-memory/orma/core"
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
	b.Kind = cmp.Or(b.Kind, core.KindDocument) // its trust goes by it
	base, err := b.input()
	if err != nil {
		return AddAnswer{}, err
	}
	inputs, err := history.Document(b.Name, b.Text, base)
	if err != nil {
		return AddAnswer{}, err
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

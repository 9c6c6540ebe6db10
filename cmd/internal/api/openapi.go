package api

import (
	"net/http"
	"slices"
	"strings"
)

// Document is an OpenAPI 3.1 document. Its keys are encoded in a fixed order.
type Document map[string]any

// OpenAPI describes the routes, from the table that serves them.
func OpenAPI() Document {
	s := &schemas{defs: map[string]any{}}
	paths := map[string]any{}
	for _, r := range routes() {
		path := Base + r.path
		item, ok := paths[path].(map[string]any)
		if !ok {
			item = map[string]any{}
			paths[path] = item
		}
		item[strings.ToLower(r.method)] = s.operation(&r)
	}
	s.of(typeOf[Failure]())
	return Document{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "Orma", "version": "v1",
			"description": "Long-term memory for language models. A request names its space in x-orma-space, in the query or in the body; a token that is bound to one space needs none. " +
				"A missing item and an item of another space give the same answer.",
			"license": map[string]any{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":    []any{map[string]any{"url": "http://127.0.0.1:8080"}},
		"security":   []any{map[string]any{}, map[string]any{"token": []any{}}},
		"paths":      paths,
		"components": map[string]any{"schemas": s.defs, "securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer", "description": "a token of orma token new; needed unless the server listens on loopback"}}},
	}
}

// operation describes a route.
func (s *schemas) operation(r *route) map[string]any {
	op := map[string]any{
		"operationId": r.verb,
		"summary":     r.about,
		"responses":   s.responses(r),
		"x-right":     string(r.right),
	}
	if r.doc != "" {
		op["description"] = r.doc
	}
	if ps := parameters(r); len(ps) > 0 {
		op["parameters"] = ps
	}
	if r.body != nil {
		op["requestBody"] = map[string]any{"required": true, "content": content("application/json", s.of(r.body))}
	}
	return op
}

func (s *schemas) responses(r *route) map[string]any {
	ok := map[string]any{"description": "done"}
	switch {
	case r.stream != "":
		ok["content"] = content(r.stream, map[string]any{"type": "string"})
	case r.answer == typeOf[Document]():
		ok["content"] = content("application/json", map[string]any{"type": "object"})
	case r.answer != nil:
		ok["content"] = content("application/json", s.of(r.answer))
	}
	out := map[string]any{
		"200":     ok,
		"default": map[string]any{"description": "not done", "content": content("application/json", map[string]any{"$ref": "#/components/schemas/Failure"})},
	}
	if r.tag {
		out["304"] = map[string]any{"description": "the answer is the one that If-None-Match names"}
	}
	return out
}

func content(media string, schema any) map[string]any {
	return map[string]any{media: map[string]any{"schema": schema}}
}

// parameters describes what a request has beside its body.
func parameters(r *route) []any {
	var out []any
	add := func(name, in, about string, schema map[string]any) {
		p := map[string]any{"name": name, "in": in, "description": about, "schema": schema}
		if in == "path" {
			p["required"] = true
		}
		out = append(out, p)
	}
	for _, p := range r.params {
		in := "query"
		if p.path {
			in = "path"
		}
		add(p.name, in, p.about, paramSchema(p.kind))
	}
	if r.reach == ofSpace {
		add("X-Orma-Space", "header", "the space; the default space when nothing names one", map[string]any{"type": "string", "maxLength": 128})
		if !slices.ContainsFunc(r.params, func(p param) bool { return p.name == "space" }) {
			add("space", "query", "the same, for clients that cannot set headers", map[string]any{"type": "string", "maxLength": 128})
		}
	}
	if r.once {
		add("Idempotency-Key", "header", "a name for this request: sent again within a day, it is answered as before", map[string]any{"type": "string", "minLength": 1, "maxLength": 128})
	}
	if r.tag {
		add("If-None-Match", "header", "the ETag of an answer that the caller has", map[string]any{"type": "string"})
	}
	if r.path == "/stream" && r.method == http.MethodGet {
		add("Last-Event-ID", "header", "the id of the last episode that arrived", map[string]any{"type": "string"})
	}
	return out
}

func paramSchema(kind string) map[string]any {
	if kind == "time" {
		return map[string]any{"type": "string", "description": "RFC 3339, or a day such as 2026-05-03"}
	}
	return map[string]any{"type": kind}
}

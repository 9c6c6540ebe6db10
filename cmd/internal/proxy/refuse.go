package proxy

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Refuse answers a request with an error in the shape of its API, so that clients show
// what it says.
func (p *Proxy) Refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	text, hint := err.Error(), ""
	if e := (*core.Error)(nil); errors.As(err, &e) {
		hint = e.Hint
	}
	code := core.CodeOf(err)
	var body any
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/v1/messages"):
		body = map[string]any{"type": "error", "error": map[string]any{"type": anthropicType(status), "message": text}}
	case strings.HasPrefix(path, "/v1/"), strings.HasPrefix(path, "/chat/"), path == "/responses":
		body = map[string]any{"error": map[string]any{"message": text, "type": openAIType(status), "param": nil, "code": string(code)}}
	case strings.HasPrefix(path, "/api/"):
		body = map[string]any{"error": text}
	default:
		body = map[string]any{"error": map[string]any{"code": code, "message": strings.TrimSuffix(text, "; "+hint), "hint": hint}}
	}
	data, _ := json.Marshal(body) // texts always encode
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="orma"`)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}

func openAIType(status int) string {
	switch {
	case status == http.StatusBadGateway:
		return "upstream_error"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "authentication_error"
	case status >= 500:
		return "server_error"
	}
	return "invalid_request_error"
}

func anthropicType(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "authentication_error"
	case status == http.StatusForbidden:
		return "permission_error"
	case status == http.StatusServiceUnavailable:
		return "overloaded_error"
	case status >= 500:
		return "api_error"
	}
	return "invalid_request_error"
}

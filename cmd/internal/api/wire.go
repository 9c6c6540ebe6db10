package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
)

// Failure is the answer to a request that failed.
type Failure struct {
	Error FailureText `json:"error"`
}

// FailureText says what failed and what to do.
type FailureText struct {
	Code    core.Code `json:"code" doc:"names the kind of failure; the same in every front end"`
	Message string    `json:"message" doc:"a sentence"`
	Hint    string    `json:"hint,omitempty" doc:"what to do"`
}

// Status returns the HTTP status of a code.
func Status(code core.Code) int {
	switch code {
	case core.CodeNotFound:
		return http.StatusNotFound
	case core.CodeInvalid, core.CodeUsage, core.CodeConfig:
		return http.StatusBadRequest
	case core.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case core.CodeLimit:
		return http.StatusTooManyRequests
	case core.CodeConflict:
		return http.StatusConflict
	case core.CodeBusy, core.CodeUnavailable, core.CodeReadOnly:
		return http.StatusServiceUnavailable
	case core.CodeDenied:
		return http.StatusForbidden
	case core.CodeUnauthed:
		return http.StatusUnauthorized
	case core.CodeUnsupported:
		return http.StatusNotImplemented
	}
	return http.StatusInternalServerError
}

// Fail answers a request with an error. What only concerns the operator, such as the
// path of the database, is not told to clients that are bound to spaces.
func Fail(w http.ResponseWriter, who access.Principal, err error) int {
	status := Status(core.CodeOf(err))
	if status >= 500 && who.NeedAll() != nil {
		err = core.Errorf(core.CodeOf(err), "%s", operatorText(core.CodeOf(err)))
	}
	return sendError(w, status, err)
}

func operatorText(code core.Code) string {
	switch code {
	case core.CodeBusy:
		return "the store is busy"
	case core.CodeReadOnly:
		return "the store cannot be written"
	case core.CodeUnavailable:
		return "what this needs does not answer"
	case core.CodeUnsupported:
		return "this is not to be had here"
	}
	return "something is wrong with this server"
}

// fail answers with an error and logs what the operator must see.
func (a *API) fail(w http.ResponseWriter, who access.Principal, err error) int {
	status := Fail(w, who, err)
	if status >= 500 && status != http.StatusNotImplemented {
		a.o.Log.Warn("request failed", slog.Int("status", status), slog.Any("error", err))
	}
	return status
}

func sendError(w http.ResponseWriter, status int, err error) int {
	f := Failure{FailureText{Code: core.CodeOf(err), Message: err.Error()}}
	if e := (*core.Error)(nil); errors.As(err, &e) && e.Hint != "" {
		f.Error.Hint = e.Hint
		f.Error.Message = strings.Replace(f.Error.Message, "; "+e.Hint, "", 1)
	}
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="orma"`)
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "1")
	}
	data, _ := encode(f) // text always encodes
	return send(w, status, data)
}

func send(w http.ResponseWriter, status int, data []byte) int {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("X-Content-Type-Options", "nosniff")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, _ = w.Write(data) // a client that is gone needs no answer
	return status
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(filled(v))
	return b.Bytes(), err
}

// read returns the body of a request, which must be JSON: a form of a foreign page
// cannot send that.
func (a *API) read(c *call) ([]byte, error) {
	media, params, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || media != "application/json" || params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return nil, core.Errorf(core.CodeInvalid, "the body must be JSON").Hinted("send Content-Type: application/json")
	}
	raw, err := io.ReadAll(http.MaxBytesReader(c.w, c.Body, a.o.Limits.BodyBytes))
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
		return nil, core.Errorf(core.CodeTooLarge, "the body has more than limits.body_bytes = %d", big.Limit).Hinted("send it in parts, or raise the limit")
	}
	if err != nil {
		return nil, core.Errorf(core.CodeInvalid, "the body did not arrive whole: %w", err)
	}
	if !utf8.Valid(raw) {
		return nil, core.Errorf(core.CodeInvalid, "the body is not UTF-8")
	}
	return raw, nil
}

// decode reads one JSON object, and refuses what the route does not know.
func decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return core.Errorf(core.CodeInvalid, "the body cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return core.Errorf(core.CodeInvalid, "the body has more than one JSON value")
	}
	return nil
}

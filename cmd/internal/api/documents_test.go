package api_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
)

func TestDocumentBecomesParts(t *testing.T) {
	s := newServer(t)
	text := strings.Repeat(strings.Repeat("The boiler is serviced in May. ", 30)+"\n\n", 20)
	body, _ := json.Marshal(map[string]string{"name": "house.md", "text": text, "at": "2026-04-01T08:00:00Z"})
	var out api.AddAnswer
	s.ok("POST", "/documents", string(body), &out)
	if len(out.Added) < 2 {
		t.Fatalf("%d parts of %d bytes", len(out.Added), len(text))
	}
	whole := ""
	for i, a := range out.Added {
		var ep api.Episode
		s.ok("GET", "/episodes/"+itoa(a.ID), "", &ep)
		if ep.Key != "house.md#"+itoa(core.ID(i+1)) || ep.Kind != core.KindDocument || ep.Source != "file:house.md" || ep.At.Month() != 4 {
			t.Errorf("part %d: %+v", i, ep)
		}
		whole += ep.Text
	}
	if strings.TrimSpace(whole) != strings.TrimSpace(text) {
		t.Error("the parts are not the document")
	}
}

func TestDocumentThatIsNone(t *testing.T) {
	s := newServer(t)
	for _, body := range []string{
		`{"name": "", "text": "words"}`, `{"name": "a.md", "text": " \n"}`, `{"name": "a.pdf", "text": "%PDF-1.7 abc"}`,
		`{"name": "a.bin", "text": "a\u0000b"}`, `{"name": "a.md", "text": "words", "role": "nobody"}`,
	} {
		s.refused(core.CodeInvalid, "POST", "/documents", body)
	}
}

func itoa(id core.ID) string { return strconv.FormatInt(int64(id), 10) }

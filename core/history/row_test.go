package history

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

func TestParseRow(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, in string
		want     engine.Input
	}{
		{"text alone", `{"text":"hi"}`, engine.Input{Text: "hi"}},
		{
			"everything", `{"id":"a1","at":"2026-05-03T09:00:00Z","role":"assistant","text":"hi","session":"s","kind":"turn","tz":"UTC","ttl":"7d","speaker":"Ann","source":"chat"}`,
			engine.Input{Key: "a1", At: at, Role: "assistant", Text: "hi", Session: "s", Kind: "turn", Zone: "UTC", TTL: "7d", Speaker: "Ann", Source: "chat"},
		},
		{"keys that are not known", `{"text":"hi","model":"x","nested":{"a":[1]}}`, engine.Input{Text: "hi"}},
		{"null is not given", `{"id":null,"at":null,"role":null,"text":"hi","session":null,"ttl":null}`, engine.Input{Text: "hi"}},
		{"numbers as names", `{"id":17,"session":3,"text":"hi"}`, engine.Input{Key: "17", Session: "3", Text: "hi"}},
		{"a large number keeps its digits", `{"id":12345678901234567890,"text":"hi"}`, engine.Input{Key: "12345678901234567890", Text: "hi"}},
		{"seconds since 1970", `{"at":1777798800,"text":"hi"}`, engine.Input{At: at, Text: "hi"}},
		{"milliseconds as text", `{"at":"1777798800000","text":"hi"}`, engine.Input{At: at, Text: "hi"}},
		{"a time without a zone", `{"at":"2026-05-03T10:00","text":"hi"}`, engine.Input{At: at, Text: "hi"}},
		{"a time in the row's zone", `{"at":"2026-05-03 14:30","tz":"Asia/Kolkata","text":"hi"}`, engine.Input{At: at, Zone: "Asia/Kolkata", Text: "hi"}},
		{"an offset beside a zone", `{"at":"2026-05-03T14:30:00+05:30","tz":"UTC","text":"hi"}`, engine.Input{At: at, Zone: "UTC", Text: "hi"}},
		{"other words for roles", `{"role":"Human","text":"hi"}`, engine.Input{Role: "user", Text: "hi"}},
		{"capitals", `{"role":" Assistant ","kind":"Note","text":"hi"}`, engine.Input{Role: "assistant", Kind: "note", Text: "hi"}},
		{"escapes", `{"text":"\u00e9 \ud83d\ude00 \" \n"}`, engine.Input{Text: "é 😀 \" \n"}},
		{"a lone surrogate", `{"text":"a\ud800b"}`, engine.Input{Text: "a\uFFFDb", Marks: core.MarkRepaired}},
		{"a byte that is not UTF-8", "{\"text\":\"caf\xe9\"}", engine.Input{Text: "caf\uFFFD", Marks: core.MarkRepaired}},
		{"a replacement character that was there", `{"text":"a\ufffdb �"}`, engine.Input{Text: "a\uFFFDb �"}},
		{"damage outside the text", "{\"text\":\"hi\",\"model\":\"\xff\"}", engine.Input{Text: "hi"}},
		{"trust and marks", `{"text":"hi","trust":"import","marks":["masked","odd"]}`, engine.Input{Text: "hi", Trust: core.TrustImport, Marks: core.MarkMasked}},
		{"expires", `{"text":"hi","expires":"2026-05-03T09:00:00Z"}`, engine.Input{Text: "hi", Expires: at}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, err := ParseRow([]byte(c.in), lisbon)
			if err != nil {
				t.Fatal(err)
			}
			if !got.At.Equal(c.want.At) || !got.Expires.Equal(c.want.Expires) {
				t.Errorf("at %v, expires %v; want %v, %v", got.At, got.Expires, c.want.At, c.want.Expires)
			}
			got.At, got.Expires, c.want.At, c.want.Expires = time.Time{}, time.Time{}, time.Time{}, time.Time{}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestParseRowRefuses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "not JSON: the line ends too early"},
		{`{"text":"hi"`, "not JSON: the line ends too early"},
		{`{"text":"hi"} trailing`, "not JSON: invalid character 't' after top-level value"},
		{`hello`, "not JSON: invalid character 'h' looking for beginning of value"},
		{`["hi"]`, "a row must be an object, not an array"},
		{`"hi"`, "a row must be an object, not a string"},
		{`17`, "a row must be an object, not a number"},
		{`null`, "there is no text"},
		{`{}`, "there is no text"},
		{`{"text":null}`, "there is no text"},
		{`{"content":"hi"}`, "there is no text"},
		{`{"text":17}`, "text must be text, not a number"},
		{`{"text":["a"]}`, "text must be text, not an array"},
		{`{"text":"hi","role":5}`, "role must be text, not a number"},
		{`{"text":"hi","id":{"a":1}}`, `id must be text or a number, not {"a":1}`},
		{`{"text":"hi","at":true}`, "at must be text or a number, not true"},
		{`{"text":"hi","at":"soon"}`, `at: time "soon" is not understood`},
		{`{"text":"hi","at":"2026-13-45"}`, `at: time "2026-13-45" is not understood`},
		{`{"text":"hi","tz":"Mars/Base"}`, `time zone "Mars/Base" is not known`},
		{`{"text":"hi","tz":"../../etc/passwd"}`, `time zone "../../etc/passwd" is not known`},
		{`{"text":"hi","trust":"boss"}`, `trust "boss" is not known`},
	} {
		t.Run(c.in, func(t *testing.T) {
			_, _, err := ParseRow([]byte(c.in), time.UTC)
			if !errors.Is(err, core.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("ParseRow = %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzParseRow(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","at":"2026-05-03T09:00:00Z","role":"user","text":"hi","session":"s","kind":"turn","tz":"UTC","ttl":"7d"}`,
		`{"type":"state","n":3}`, `{"text":"a\ud800b","at":1e99}`, `[1,2`, "\xff", `{"text":"x","text":null}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, in, err := ParseRow(line, time.UTC)
		if err != nil {
			if !errors.Is(err, core.ErrInvalid) {
				t.Fatalf("%v has code %s", err, core.CodeOf(err))
			}
			return
		}
		if r.Text == nil || in.Text != *r.Text {
			t.Fatalf("text %v became %q", r.Text, in.Text)
		}
	})
}

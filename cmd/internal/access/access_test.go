package access

import (
	"bytes"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

func TestNewTokens(t *testing.T) {
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	secret, tok, err := NewToken(" phone ", core.RightWrite, []string{"a", "", "a", "e\u0301"}, now)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, Prefix) || len(secret) < 40 || tok.Name != "phone" || !bytes.Equal(tok.Hash, Hash(secret)) || !tok.Created.Equal(now) {
		t.Errorf("%s %+v", secret, tok)
	}
	if want := []string{"a", "default", "é"}; !reflect.DeepEqual(tok.Spaces, want) {
		t.Errorf("spaces %q, want %q", tok.Spaces, want)
	}
	if strings.Contains(secret, tok.ID) {
		t.Error("the id tells of the secret")
	}
	other, _, err := NewToken("phone", core.RightWrite, nil, now)
	if err != nil || other == secret {
		t.Errorf("two tokens have one secret: %v", err)
	}
	for _, c := range []struct {
		name  string
		right core.Right
		space string
	}{{"", core.RightRead, "a"}, {"x", "owner", "a"}, {"x", core.RightRead, "a\x00"}, {strings.Repeat("x", 129), core.RightRead, "a"}} {
		if _, _, err := NewToken(c.name, c.right, []string{c.space}, now); core.CodeOf(err) != core.CodeInvalid || err == nil {
			t.Errorf("NewToken(%.10q, %s, %q): %v", c.name, c.right, c.space, err)
		}
	}
}

func TestSpaceOfARequest(t *testing.T) {
	one := Principal{Right: core.RightRead, Spaces: []string{"a"}}
	two := Principal{Right: core.RightRead, Spaces: []string{"a:b", "c"}}
	for _, c := range []struct {
		who   Principal
		named []string
		want  string
		code  core.Code
	}{
		{Local(), nil, "default", ""},
		{Local(), []string{"", "x", ""}, "x", ""},
		{Local(), []string{"x", "x"}, "x", ""},
		{Local(), []string{"x", "y"}, "", core.CodeInvalid},
		{Local(), []string{"x\u200d"}, "", core.CodeInvalid},
		{one, nil, "a", ""},
		{one, []string{"a"}, "a", ""},
		{one, []string{"A"}, "", core.CodeDenied},
		{one, []string{"default"}, "", core.CodeDenied},
		{one, []string{"a "}, "", core.CodeDenied},
		{two, nil, "", core.CodeDenied}, // none is meant
		{two, []string{"c"}, "c", ""},
		{two, []string{"a"}, "", core.CodeDenied},
		{two, []string{"a:b:c"}, "", core.CodeDenied},
		{two, []string{"b:c"}, "", core.CodeDenied},
		{Principal{}, nil, "", core.CodeDenied},
	} {
		got, err := c.who.Space("default", c.named...)
		if got != c.want || c.code == "" && err != nil || c.code != "" && core.CodeOf(err) != c.code {
			t.Errorf("%+v naming %q: %q, %v, want %q, %s", c.who, c.named, got, err, c.want, c.code)
		}
	}
}

func TestRightsIncludeLesserOnes(t *testing.T) {
	for i, have := range core.Rights() {
		for j, need := range core.Rights() {
			if err := (Principal{Right: have}).Need(need); (err == nil) != (i >= j) {
				t.Errorf("%s for what needs %s: %v", have, need, err)
			}
		}
	}
	if (Principal{}).Need(core.RightRead) == nil || (Principal{Right: "root"}).Need(core.RightRead) == nil {
		t.Error("an unknown right allows something")
	}
	if (Principal{Right: core.RightAdmin, Spaces: []string{"a"}}).NeedAll() == nil || Local().NeedAll() != nil {
		t.Error("NeedAll does not go by spaces")
	}
}

func TestStripTakesOnlyOurs(t *testing.T) {
	h := http.Header{
		"Authorization": {"Bearer orma_a", "Bearer sk-b"}, "X-Api-Key": {"orma_c"}, "X-Orma-Space": {"s"}, "X-Orma-Token": {"orma_a"},
		"X-Ormalike": {"1"}, "Accept": {"*/*"},
	}
	Strip(h)
	want := http.Header{"Authorization": {"Bearer sk-b"}, "X-Ormalike": {"1"}, "Accept": {"*/*"}}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
}

func TestSecretOfARequest(t *testing.T) {
	for _, c := range []struct {
		headers []string
		want    string
		ok      bool
	}{
		{nil, "", true},
		{[]string{"Authorization", "none"}, "", true},
		{[]string{"Authorization", "Bearer sk-x"}, "", true},
		{[]string{"Authorization", "Basic orma_x"}, "", true},
		{[]string{"Authorization", "Bearer orma_x"}, "orma_x", true},
		{[]string{"Authorization", "BEARER  orma_x"}, "orma_x", true},
		{[]string{"X-Api-Key", "sk-ant"}, "", true},
		{[]string{"X-Api-Key", "orma_x"}, "orma_x", true},
		{[]string{"X-Orma-Token", "anything"}, "anything", true},
		{[]string{"X-Orma-Token", "orma_x", "X-Api-Key", "orma_x"}, "orma_x", true},
		{[]string{"X-Orma-Token", "orma_x", "X-Api-Key", "orma_y"}, "", false},
	} {
		h := http.Header{}
		for i := 0; i < len(c.headers); i += 2 {
			h.Set(c.headers[i], c.headers[i+1])
		}
		if got, err := Secret(h); got != c.want || (err == nil) != c.ok {
			t.Errorf("%v: %q, %v", h, got, err)
		}
	}
}

package sqlite_test

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

func openAccess(t *testing.T) (*sqlite.Store, time.Time) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "m.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
}

func TestTokensAreFoundUntilRevoked(t *testing.T) {
	s, now := openAccess(t)
	ctx := t.Context()
	want := core.Token{ID: "a1", Name: "phone", Hash: []byte("h1"), Right: core.RightWrite, Spaces: []string{"a", "b, c"}, Created: now}
	if err := s.AddToken(ctx, want); err != nil {
		t.Fatal(err)
	}
	if err := s.AddToken(ctx, core.Token{ID: "a2", Hash: []byte("h2"), Right: core.RightRead, Created: now.Add(1)}); err != nil {
		t.Fatal(err)
	}
	got, err := s.TokenByHash(ctx, []byte("h1"))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("TokenByHash = %+v, %v, want %+v", got, err, want)
	}
	if err := s.AddToken(ctx, want); err == nil {
		t.Error("a token was added twice")
	}
	used := now.Add(time.Hour)
	if err := s.TouchToken(ctx, "a1", used); err != nil {
		t.Fatal(err)
	}
	if err := s.RevokeToken(ctx, "a1", used); err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{"h1", "h3", ""} {
		if _, err := s.TokenByHash(ctx, []byte(h)); core.CodeOf(err) != core.CodeNotFound {
			t.Errorf("TokenByHash(%q): %v, want not found", h, err)
		}
	}
	for _, id := range []string{"a1", "nobody"} {
		if err := s.RevokeToken(ctx, id, used); core.CodeOf(err) != core.CodeNotFound {
			t.Errorf("RevokeToken(%s): %v, want not found", id, err)
		}
	}
	all, err := s.Tokens(ctx)
	if err != nil || len(all) != 2 || all[0].ID != "a1" || !all[0].Used.Equal(used) || !all[0].Revoked.Equal(used) || len(all[1].Spaces) != 0 {
		t.Errorf("Tokens = %+v, %v", all, err)
	}
}

func TestRequestIsAnsweredOnce(t *testing.T) {
	s, now := openAccess(t)
	ctx := t.Context()
	key := core.RequestKey{Space: "a", Key: "k", Sum: 1<<32 - 1, At: now, Expired: now.Add(-24 * time.Hour), Dead: now.Add(-time.Minute)}
	begin := func(k core.RequestKey, wantAnswer string, wantClaimed bool, wantCode core.Code) {
		t.Helper()
		answer, claimed, err := s.BeginRequest(ctx, k)
		if code := codeOrNone(err); string(answer) != wantAnswer || claimed != wantClaimed || code != wantCode {
			t.Errorf("BeginRequest = %q, %v, %v; want %q, %v, %q", answer, claimed, err, wantAnswer, wantClaimed, wantCode)
		}
	}
	begin(key, "", true, "")
	begin(key, "", false, "") // under way
	if err := s.FinishRequest(ctx, "a", "k", nil); err != nil {
		t.Fatal(err)
	}
	begin(key, "", true, "") // given up, so free again
	if err := s.FinishRequest(ctx, "a", "k", []byte("yes")); err != nil {
		t.Fatal(err)
	}
	begin(key, "yes", false, "")
	other := key
	other.Sum = 7
	begin(other, "", false, core.CodeConflict)
	other.Space = "b"
	begin(other, "", true, "") // a key is a space's own
	later := other
	later.At, later.Dead = now.Add(2*time.Minute), now.Add(time.Minute)
	begin(later, "", true, "") // whoever claimed it died
	later.Space, later.Sum, later.Expired = "a", 9, now.Add(time.Second)
	begin(later, "", true, "") // the answer is too old
}

func codeOrNone(err error) core.Code {
	if err == nil {
		return ""
	}
	return core.CodeOf(err)
}

func TestAuditIsPagedAndForgetsErasedNames(t *testing.T) {
	s, now := openAccess(t)
	ctx := t.Context()
	d := core.Draft{Episode: core.Episode{Kind: core.KindNote, Role: core.RoleUser, Trust: core.TrustNote, At: now, Text: "x"}}
	if _, err := s.Append(ctx, "secret-project", []core.Draft{d}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		e := core.AuditEntry{At: now, Token: "a1", Verb: "add", Space: "secret-project", Item: core.ID(i), Status: 200}
		if err := s.Audit(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	last, err := s.AuditLog(ctx, 0, 2)
	if err != nil || len(last) != 2 || last[0].Item != 2 || last[0].Space != "secret-project" || !last[0].At.Equal(now) {
		t.Fatalf("AuditLog = %+v, %v", last, err)
	}
	if _, err := s.EraseSpace(ctx, "secret-project", now); err != nil {
		t.Fatal(err)
	}
	rest, err := s.AuditLog(ctx, last[1].Seq, 10)
	if err != nil || len(rest) != 1 || rest[0].Space != "" || rest[0].Item != 0 {
		t.Errorf("AuditLog = %+v, %v", rest, err)
	}
}

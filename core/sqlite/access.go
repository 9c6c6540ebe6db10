package sqlite

import (
	"context"
	"encoding/json"
	"time"

	"github.com/orma-memory/orma/core"
)

var _ core.Access = (*Store)(nil)

const tokenColumns = "SELECT id, name, hash, rights, spaces, created, used, revoked FROM tokens "

// AddToken stores a token.
func (s *Store) AddToken(ctx context.Context, t core.Token) error {
	if t.Spaces == nil {
		t.Spaces = []string{}
	}
	spaces, err := json.Marshal(t.Spaces)
	if err != nil {
		return err
	}
	return s.write(ctx, func(x *tx) error {
		return x.exec("INSERT INTO tokens (id, name, hash, rights, spaces, created) VALUES (?, ?, ?, ?, ?, ?)",
			t.ID, t.Name, t.Hash, string(t.Right), string(spaces), t.Created)
	})
}

// Tokens lists all tokens, oldest first.
func (s *Store) Tokens(ctx context.Context) (out []core.Token, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.each(tokenColumns+"ORDER BY created, id", func(r *row) error {
			t, err := scanToken(r)
			out = append(out, t)
			return err
		})
	})
	return out, err
}

// TokenByHash returns the valid token with a hash.
func (s *Store) TokenByHash(ctx context.Context, hash []byte) (t core.Token, err error) {
	err = s.read(ctx, func(c *conn) error {
		found := false
		if err := c.each(tokenColumns+"WHERE hash = ? AND revoked IS NULL", func(r *row) (err error) {
			found = true
			t, err = scanToken(r)
			return err
		}, hash); err != nil {
			return err
		}
		if !found {
			return core.Errorf(core.CodeNotFound, "no such token")
		}
		return nil
	})
	return t, err
}

func scanToken(r *row) (core.Token, error) {
	t := core.Token{
		ID: r.ColumnText(0), Name: r.ColumnText(1), Hash: r.ColumnBlob(2, nil), Right: core.Right(r.ColumnText(3)),
		Created: when(r, 5), Used: when(r, 6), Revoked: when(r, 7),
	}
	return t, json.Unmarshal([]byte(r.ColumnText(4)), &t.Spaces)
}

// TouchToken notes that a token was used.
func (s *Store) TouchToken(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(t *tx) error { return t.exec("UPDATE tokens SET used = ? WHERE id = ?", at, id) })
}

// RevokeToken ends a token.
func (s *Store) RevokeToken(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.exec("UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL", at, id); err != nil {
			return err
		}
		if t.c.Changes() == 0 {
			return core.Errorf(core.CodeNotFound, "there is no valid token %q", id).Hinted("list them with: orma token list")
		}
		return nil
	})
}

// Audit appends an entry to the log of who did what.
func (s *Store) Audit(ctx context.Context, e core.AuditEntry) error {
	return s.write(ctx, func(t *tx) error {
		return t.exec("INSERT INTO audit (at, token, verb, space, item, status) VALUES (?, ?, ?, ?, ?, ?)",
			e.At, e.Token, e.Verb, e.Space, e.Item, e.Status)
	})
}

// AuditLog returns the last n entries before a number, newest first.
func (s *Store) AuditLog(ctx context.Context, before int64, n int) (out []core.AuditEntry, err error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	err = s.read(ctx, func(c *conn) error {
		return c.each("SELECT seq, at, token, verb, space, item, status FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?", func(r *row) error {
			out = append(out, core.AuditEntry{
				Seq: r.ColumnInt64(0), At: when(r, 1), Token: r.ColumnText(2), Verb: r.ColumnText(3),
				Space: r.ColumnText(4), Item: core.ID(r.ColumnInt64(5)), Status: r.ColumnInt(6),
			})
			return nil
		}, before, max(n, 0))
	})
	return out, err
}

// BeginRequest claims a key for a request, or returns what was answered to it before.
func (s *Store) BeginRequest(ctx context.Context, r core.RequestKey) (answer []byte, claimed bool, err error) {
	err = s.write(ctx, func(t *tx) error {
		answer, claimed = nil, false
		if err := t.exec("DELETE FROM requests WHERE at < ?1 OR answer IS NULL AND at < ?2", r.Expired, r.Dead); err != nil {
			return err
		}
		if err := t.exec("INSERT INTO requests (space, key, sum, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			r.Space, r.Key, int64(r.Sum), r.At); err != nil {
			return err
		}
		if claimed = t.c.Changes() > 0; claimed {
			return nil
		}
		return t.each("SELECT sum, answer FROM requests WHERE space = ? AND key = ?", func(row *row) error {
			if uint32(row.ColumnInt64(0)) != r.Sum {
				return core.Errorf(core.CodeConflict, "the idempotency key was used for another request")
			}
			answer = row.ColumnBlob(1, nil)
			return nil
		}, r.Space, r.Key)
	})
	return answer, claimed, err
}

// FinishRequest stores the answer to a request whose key was claimed.
func (s *Store) FinishRequest(ctx context.Context, space, key string, answer []byte) error {
	return s.write(ctx, func(t *tx) error {
		if answer == nil {
			return t.exec("DELETE FROM requests WHERE space = ? AND key = ? AND answer IS NULL", space, key)
		}
		return t.exec("UPDATE requests SET answer = ? WHERE space = ? AND key = ?", answer, space, key)
	})
}

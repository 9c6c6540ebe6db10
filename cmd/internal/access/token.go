package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Prefix begins every token of ours, and nobody else's.
const Prefix = "orma_"

// NewToken makes a token. The secret is shown to the user once; the token holds only
// its hash, which needs no salt: the secret has 256 random bits.
func NewToken(name string, right core.Right, spaces []string, now time.Time) (secret string, t core.Token, err error) {
	if !slices.Contains(core.Rights(), right) {
		return "", t, core.Errorf(core.CodeInvalid, "right %q is not known", right).Hinted("use read, write or admin")
	}
	if name = strings.TrimSpace(name); name == "" || len(name) > 128 {
		return "", t, core.Errorf(core.CodeInvalid, "a token needs a name of 1 to 128 bytes")
	}
	t = core.Token{ID: newID(), Name: name, Right: right, Created: now}
	for _, s := range spaces {
		canonical, err := engine.Space(s)
		if err != nil {
			return "", t, err
		}
		if !slices.Contains(t.Spaces, canonical) {
			t.Spaces = append(t.Spaces, canonical)
		}
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	secret = Prefix + base64.RawURLEncoding.EncodeToString(random[:])
	t.Hash = Hash(secret)
	return secret, t, nil
}

// newID returns a short name for a token, without letters that look alike.
func newID() string {
	var random [5]byte
	_, _ = rand.Read(random[:])
	return strings.ToLower(base32.StdEncoding.EncodeToString(random[:]))
}

// Hash is how a secret is stored.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

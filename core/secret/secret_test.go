package secret_test

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/secret"
)

func newMasker(t testing.TB) *secret.Masker {
	t.Helper()
	m, err := secret.New()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// join builds a secret from parts, so that no scanner takes this file for a leak.
func join(parts ...string) string { return strings.Join(parts, "") }

const (
	letters = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j" // 36
	hex32   = "0123456789abcdef0123456789abcdef"
)

// TestMaskTokens has tokens that are known by their own form; the rest of the
// line must stay.
func TestMaskTokens(t *testing.T) {
	m := newMasker(t)
	for _, c := range []struct{ kind, token string }{
		{"openai key", join("sk-", letters)},
		{"openai key", join("sk-proj-", letters, "_", letters)},
		{"openai key", join("sk-ant-", "api03-", letters)},
		{"openai key", join("sk-or-v1-", hex32)},
		{"github token", join("ghp_", letters)},
		{"github token", join("gho_", letters)},
		{"github token", join("github_pat_", letters, "_", letters)},
		{"gitlab token", join("glpat-", letters[:20])},
		{"slack token", join("xoxb-", "123456789012-", letters[:24])},
		{"slack token", join("xoxp-", "1-2-3-", hex32)},
		{"slack token", join("xapp-", "1-A012-", hex32)},
		{"google key", join("AIza", letters[:35])},
		{"google token", join("ya29.", letters)},
		{"google token", join("GOCSPX-", letters[:28])},
		{"aws key", join("AKIA", "IOSFODNN7EXAMPLE")},
		{"aws key", join("ASIA", "IOSFODNN7EXAMPLE")},
		{"aws secret key", join("wJalrXUtnFEMI", "/K7MDENG/", "bPxRfiCYEXAMPLEKEY")},
		{"stripe key", join("sk_", "live_", letters[:24])},
		{"stripe key", join("rk_", "test_", letters[:24])},
		{"sendgrid key", join("SG.", letters[:22], ".", letters)},
		{"twilio key", join("SK", hex32)},
		{"telegram token", join("123456789:", "AA", letters)},
		{"discord token", join("MTA1", "Ab3dEf6hIj9lMn2pQr5tUv", ".GhIjKl.", letters[:30])},
		{"token", join("npm_", letters)},
		{"token", join("pypi-", letters, letters)},
		{"token", join("hf_", letters)},
		{"token", join("dop_v1_", hex32, hex32)},
		{"token", join("shpat_", hex32)},
		{"token", join("hvs.", letters)},
		{"token", join("dapi", hex32)},
		{"1password key", "A3-AB12CD-EF34GH-IJ56K-LM78N-OP90Q-RS12T"},
		{"jwt", join("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0In0", ".", letters)},
		{"jwt", join("eyJhbGciOiJub25lIn0", ".eyJzdWIiOiIxMjM0In0.")},
		{"private key", join("AGE-SECRET-KEY-1", strings.Repeat("QPZ7", 14))},
		{"password hash", join("$2b$12$", letters, letters[:17])},
		{"password hash", join("$6$salt$", letters, letters)},
	} {
		for _, frame := range []string{"%s", "use %s for now", "(%s)", "\"%s\"", "a=%s\nnext line", "see %s, please"} {
			text := strings.Replace(frame, "%s", c.token, 1)
			want := strings.Replace(frame, "%s", "[secret: "+c.kind+"]", 1)
			if got, n := m.Mask(text); got != want || n != 1 {
				t.Errorf("Mask(%q) = %q, %d; want %q", text, got, n, want)
			}
		}
	}
}

// TestMaskValues has secrets that are known by what stands before them. X in
// the text is where the mark comes.
func TestMaskValues(t *testing.T) {
	m := newMasker(t)
	for _, c := range []struct{ kind, text, secret string }{
		{"password", "password: X", "x"},
		{"password", "password: X", "hunter2"},
		{"password", "password = X", "hunter2"},
		{"password", "password=X", "hunter2"},
		{"password", "Password:X", "hunter2"},
		{"password", "PASSWORD : X", "hunter2"},
		{"password", "my wifi password: X, for guests", "sunflower"},
		{"password", "The password: X.", "tr0ub4dor&3"},
		{"password", `{"password": "X"}`, "s3cr3t"},
		{"password", `{"user": "bo", "password":"X", "port": 1}`, "s3 cr,3t"},
		{"password", `{"password": "X"}`, `s3\"cr3t`},
		{"password", `{\"password\": \"X\"}`, "s3cr3t"},
		{"password", `'password': 'X'`, "s3cr3t"},
		{"password", "`password`: `X`", "s3cr3t"},
		{"password", "{password: X, user: bo}", "s3cr3t"},
		{"password", `{"password": "X`, "s3cr3t is cut off"},
		{"password", "db:\n  password: X\n  port: 5432", "s3cr3t"},
		{"password", "db:\n  password: |\n    X\n", "s3cr3t"},
		{"password", "{\n  \"password\":\n    \"X\"\n}", "s3cr3t"},
		{"password", "password: \"X\" # do not share", "s3cr3t"},
		{"password", "password => 'X'", "s3cr3t"},
		{"password", "password := \"X\"", "s3cr3t"},
		{"password", "DB_PASSWORD=X", "s3cr3t"},
		{"password", "export PGPASSWORD='X'", "s3cr3t"},
		{"password", "spring.datasource.password=X", "s3cr3t"},
		{"password", `"userPassword": "X"`, "s3cr3t"},
		{"password", "config['password'] = 'X'", "s3cr3t"},
		{"password", "Server=db;User Id=bo;Password=X;Encrypt=true", "s3cr3t"},
		{"password", "https://h/x?user=bo&password=X&y=1", "s3cr3t"},
		{"password", "<password>X</password>", "s3cr3t"},
		{"password", `<db:Password enc="no">X</db:Password>`, "s3cr3t"},
		{"password", "passwd: X", "s3cr3t"},
		{"password", "pwd=X", "s3cr3t"},
		{"password", "my password is \"X\"", "correct horse"},
		{"password", "The password was 'X' before", "hunter"},
		{"password", "I set the password to `X` today", "hunter"},
		{"password", "the password is: “X”", "hunter"},
		{"password", "my password is ‘X’", "hunter"},
		{"password", "passphrase: X", "correct horse battery staple"},
		{"password", "Passwort: X", "geheim1"},
		{"password", "contraseña: X", "secreto1"},
		{"password", "пароль: X", "qwerty"},
		{"password", "密码：X", "qwerty"},
		{"password", "tool --password X --verbose", "hunter2"},
		{"password", "tool --password=X --verbose", "hunter2"},
		{"password", "curl -u bo:X https://example.org", "hunter2"},
		{"password", "mysql -u root -pX shop", "hunter2"},
		{"password", "sshpass -p X ssh host", "hunter2"},
		{"password", "machine h login bo password X", "hunter2"},
		{"password", "postgres://bo:X@db.example.org:5432/shop", "s3cr3t"},
		{"password", "amqp://bo:X@10.0.0.1/", "s3cr@t"},
		{"password", "redis://:X@localhost:6379", "s3cr3t"},
		{"password", "mongodb+srv://bo:X@c.example.org/?a=b", "s3cr3t"},
		{"api key", `"api_key": "X"`, "abc"},
		{"api key", "api_key: X", "abcd1234"},
		{"api key", "API key: X", "abcd1234"},
		{"api key", "apiKey=X", "abcd1234"},
		{"api key", "X-API-Key: X", "abcd1234"},
		{"api key", "aws_secret_access_key = X", "abcd/1234+x"},
		{"api key", "secret key: X", "abcd1234"},
		{"api key", "tool --api-key X", "abcd1234"},
		{"azure key", "AccountName=a;AccountKey=X;EndpointSuffix=core", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="},
		{"azure key", "https://a.blob.example.net/c?sv=1&sig=X", "aB3%2FdEf6hIj9lMn2pQr5t%3D"},
		{"secret", "client_secret=X", "abcd"},
		{"secret", `"clientSecret": "X"`, "abcd"},
		{"secret", "secret: X", "abcd12345"},
		{"token", "access_token: X", "abcd12345"},
		{"token", "token=X", "abcd12345"},
		{"token", "https://h/x?token=X&y=1", "abcd12345"},
		{"token", "Authorization: Bearer X", "abcd.1234~efgh"},
		{"token", "curl -H 'Authorization: Bearer X' https://h", "abcd.1234~efgh"},
		{"token", "Authorization: Basic X", "Ym86aHVudGVyMg=="},
		{"token", "bearer X", "abcdefgh12345678"},
		{"token", "https://X@sentry.example.org/1", "0123456789abcdef0123"},
		{"cookie", "Cookie: X", "session=abcdef123456; theme=dark"},
		{"slack webhook", "https://hooks.slack.com/services/X", "T0000/B0000/abcdefABCDEF"},
		{"recovery phrase", "seed phrase: X", "abandon ability able about above absent absorb abstract absurd abuse access accident"},
		{"card number", "card X, please", "4111 1111 1111 1111"},
		{"card number", "card X", "4111111111111111"},
		{"card number", "card X.", "4111-1111-1111-1111"},
		{"card number", "(X)", "5555 5555 5555 4444"},
		{"card number", "amex X", "3782 822463 10005"},
		{"card number", "X", "2223003122003222"},
		{"card number", "X", "6011111111111117"},
		{"card number", "X", "36227206271667"},
		{"card number", "X", "6521 1111 1111 1110"},
	} {
		i := strings.LastIndex(c.text, "X")
		if j := strings.Index(c.text, ": X"); j >= 0 { // "X-API-Key: X"
			i = j + 2
		}
		text, want := c.text[:i]+c.secret+c.text[i+1:], c.text[:i]+"[secret: "+c.kind+"]"+c.text[i+1:]
		if got, n := m.Mask(text); got != want || n != 1 {
			t.Errorf("Mask(%q) = %q, %d; want %q", text, got, n, want)
		}
	}
}

func TestMaskPrivateKeys(t *testing.T) {
	m := newMasker(t)
	begin, end := join("-----BEGIN RSA ", "PRIVATE KEY-----"), join("-----END RSA ", "PRIVATE KEY-----")
	body := strings.Repeat("MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgwMbRvI0MBZhpI\n", 3)
	for name, c := range map[string]struct{ text, want string }{
		"whole":               {"key:\n" + begin + "\n" + body + "ab12==\n" + end + "\nthanks", "key:\n[secret: private key]\nthanks"},
		"in JSON":             {`{"k": "` + begin + `\nMIIEowIBAAKCAQEA0Z3V\n` + end + `\n"}`, `{"k": "[secret: private key]\n"}`},
		"cut off":             {"key: " + begin + "\n" + body, "key: [secret: private key]\n"},
		"cut off in a line":   {begin + "\n" + body + "MIIEow", "[secret: private key]"},
		"cut off, then prose": {begin + "\n" + body + "\nThat was it.", "[secret: private key]\n\nThat was it."},
		"cut off at once":     {"first " + begin + " then", "first [secret: private key] then"},
		"with headers":        {begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n" + body + end, "[secret: private key]"},
		"PGP":                 {"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + body + "=ab12\n-----END PGP PRIVATE KEY BLOCK-----", "[secret: private key]"},
		"two":                 {begin + "\n" + body + end + "\nand\n" + begin + "\n" + body + end, "[secret: private key]\nand\n[secret: private key]"},
	} {
		got, _ := m.Mask(c.text)
		if got != c.want {
			t.Errorf("%s: Mask = %q, want %q", name, got, c.want)
		}
	}
}

func TestMaskSeveral(t *testing.T) {
	m := newMasker(t)
	text := "user: bo\npassword: hunter2\ncard 4111 1111 1111 1111 and " + join("ghp_", letters) + "\nurl postgres://bo:pw@h/d, password: hunter2"
	want := "user: bo\npassword: [secret: password]\ncard [secret: card number] and [secret: github token]\nurl postgres://bo:[secret: password]@h/d, password: [secret: password]"
	if got, n := m.Mask(text); got != want || n != 5 {
		t.Errorf("Mask = %q, %d; want %q", got, n, want)
	}
}

package secret_test

import (
	"strings"
	"testing"
)

// TestMaskLeavesPlainText has lines that speak of secrets and hold none, or
// hold what only looks like one. Not a byte of them may change.
func TestMaskLeavesPlainText(t *testing.T) {
	m := newMasker(t)
	for _, text := range []string{
		"",
		"The wifi password is painted under the router.",
		"The visitor wifi code is 90417.",
		"The visitor passcode is 661204.",
		"The lift code is 3316.",
		"My password hint is a dog.",
		"password hint: a dog",
		"My password is my dog's name.",
		"I forgot my password: it was the name of a dog.",
		"Wifi password: on the fridge.",
		"Wifi password: painted under the router.",
		"Password: see the note at home",
		"Password: ask Ilka.",
		"The password: written behind the clock",
		"Password required.",
		"password: required",
		"password: string;",
		"password: ********",
		"password: <your password>",
		"password=${DB_PASSWORD}",
		"password: $DB_PASSWORD",
		"password: {{ vault.db }}",
		"password = os.environ[\"DB_PASSWORD\"]",
		"password = getpass()",
		"password = None",
		"password: process.env.DB_PASS",
		"password: null, user: null",
		"def login(user, password=None):",
		"PWD=/home/ilka/src",
		"Never put a password in a URL like https://example.org/login.",
		"Reset the password, then sign in: it takes a minute.",
		"He said: \"password\" is the worst password.",
		"The word 'password' has eight letters.",
		"Passwords: a history.",
		"Wifi password:\nIlka has it.",
		"Password: > 8 letters, and a sign",
		"Boarding pass: gate 12. Bus pass: 50 euros.",
		"The tool has a --password flag.",
		"Use --password to be asked for it.",
		"The api key is in the vault.",
		"API key: ask the admin.",
		"api_key: string",
		"The key to success: patience.",
		"The key: C major.",
		"Answer key: 1b, 2c, 3a.",
		"Key: value",
		"The monkey: a story. The turkey: another.",
		"Secret ingredient: 2 spoons of honey.",
		"The secret: patience.",
		"secret: never tell",
		"Secret Santa: Bo draws Ilka.",
		"Token: a unit of text.",
		"The token: a brass coin.",
		"token: 42",
		"Queue token: A-117",
		"Max tokens: 4096",
		"tokens: 128",
		"The bearer of good news arrived.",
		"Bearer bonds are out of fashion.",
		"Bearer authentication is required.",
		"Authorization: see the form.",
		"Authorization was given on 3 May 2026.",
		"Cookie: chocolate chip.",
		"The risk-averse choose bonds.",
		"scikit sk-learn-contrib-packages-are-many",
		"sk-SK is the locale of Slovakia.",
		"task-force-one-hundred-and-twenty-3",
		"My order number is 1234567890123456.",
		"Order 4000 0000 0000 0001 has the wrong check digit.",
		"ISBN 978-3-16-148410-0",
		"IMEI 490154203237518",
		"Call +44 7911 123456 or 0041 44 668 18 00.",
		"EAN 4006381333931",
		"Epoch 1777802400123 and 1777802400123456.",
		"IBAN DE89 3704 0044 0532 0130 00",
		"Pi is 3.14159265358979323846.",
		"commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"uuid 123e4567-e89b-12d3-a456-426614174000",
		"src/components/homepage/header/Navigation.tsx",
		"ssh-rsa AAAAB3NzaC1yc2E ilka@host",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
		"See https://example.org:8080/a@b and ftp://example.org/x.",
		"Mail ilka@example.org at 10:30.",
		"git@example.org:team/repo.git",
		"ssh://git@example.org/team/repo.git",
		"The seed phrase: keep it offline.",
		"Seeds: basil, dill, kale.",
		"Recovery words: rest and water.",
		"AKIA is a family name.",
		"The curl of her hair -u know: lovely.",
		"Price: $2.50, $1.20 and $6.00.",
		"The passenger: Ilka. The compass: north. Bypass: yes.",
		"पासवर्ड राउटर के नीचे लिखा है",
		"A 🦊 sticker: handle with care.",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ",
		"[secret: password]",
		"password: [secret: password]",
	} {
		if got, n := m.Mask(text); got != text || n != 0 {
			t.Errorf("Mask(%q) = %q, %d; want it as it was", text, got, n)
		}
	}
}

// TestMaskTwice masks what is masked already.
func TestMaskTwice(t *testing.T) {
	m := newMasker(t)
	for _, text := range []string{
		"password: hunter2 and token=abcd12345 and 4111 1111 1111 1111",
		"postgres://bo:hunter2@h/d?password=hunter3",
		"Authorization: Bearer abcd1234efgh5678",
		"password: [secret: password]hunter2",
		"password=\"[secret: token] hunter2\"",
		"[secret: x] password: hunter2 [secret: y]",
		join("sk-", letters, "4111111111111111"),
		join("password: sk-", letters),
	} {
		once, n := m.Mask(text)
		if twice, again := m.Mask(once); twice != once || again != 0 {
			t.Errorf("Mask(%q) = %q (%d), and again %q (%d)", text, once, n, twice, again)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{
		"password: hunter2", `{"api_key": "abc", "token": 'x1234567'}`, "postgres://bo:pw@h", "4111 1111 1111 1111", join("sk-", letters),
		join("-----BEGIN ", "PRIVATE KEY-----\nMIIEowIBAAKCAQEA"), "password is \"x\" <password>y</password> --password z1", "[secret: password]",
	} {
		f.Add(s, s)
	}
	m := newMasker(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		text := a + " " + b
		once, n := m.Mask(text)
		if n == 0 && once != text {
			t.Fatalf("Mask(%q) changed it to %q without a secret", text, once)
		}
		if strings.Count(once, "[secret: ") < n {
			t.Fatalf("Mask(%q) = %q has fewer marks than %d", text, once, n)
		}
		if twice, again := m.Mask(once); twice != once || again != 0 {
			t.Fatalf("Mask(%q) = %q, and again %q", text, once, twice)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	plain := "My neighbour Ilka keeps eleven hens behind the old brick kiln and gives away the eggs that her own family of four cannot eat at home."
	for name, text := range map[string]string{
		"plain":    plain,
		"document": strings.Repeat(plain+"\n", 800),
		"secret":   plain + " password: hunter2",
	} {
		b.Run(name, func(b *testing.B) {
			m := newMasker(b)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.Mask(text)
			}
		})
	}
}

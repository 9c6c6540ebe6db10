package rules

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestPatternsAreChecked(t *testing.T) {
	for line, want := range map[string]string{
		"home city ~live in <place>":        "no colon",
		"home city: ":                       "no pattern",
		"home city (sometimes): ~live":      "no option",
		"home city: ~live in <plaice>":      "no kind of capture",
		"home city: ~live [back in <place>": "not closed",
	} {
		if _, err := parsePatterns(line); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v, want %q in line 1", line, err, want)
		}
	}
}

func TestALanguageIsOnlyFiles(t *testing.T) {
	x, err := Load(fstest.MapFS{
		"data/hi_latn.rules": {Data: []byte("home city: {first} <place> mein rehta hoon\n")},
		"data/hi_latn.words": {Data: []byte("[jobs]\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(x.byLang) != 1 || len(x.byLang["hi_latn"].patterns) != 1 {
		t.Errorf("languages %v", x.byLang)
	}
	if _, err := Load(fstest.MapFS{"data/en.rules": {Data: []byte("broken")}}); err == nil || !strings.Contains(err.Error(), "en.rules") {
		t.Errorf("error %v must name the file", err)
	}
}

func TestBuiltInFilesLoad(t *testing.T) {
	x, err := Load(data)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(x.byLang["en"].patterns); n < 100 {
		t.Errorf("%d English patterns", n)
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("home city (past): ~move [back] to <place>")
	f.Add("a + b: {x} [{y}] <noun> <value>")
	f.Fuzz(func(_ *testing.T, s string) { _, _ = parsePatterns(s) })
}

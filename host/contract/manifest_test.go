package contract

import (
	"strings"
	"testing"
)

// TestManifest holds manifests to what plugins may say of themselves.
func TestManifest(t *testing.T) {
	rank := func(more string) string {
		return `{"name":"a","version":"1","contract":"rank","summary":"s"` + more + `}`
	}
	column := func(c string) string { return rank(`,"columns":[` + c + `]`) }
	param := func(p string) string { return rank(`,"params":[` + p + `]`) }
	for name, c := range map[string]struct{ json, want string }{
		"least":              {rank(""), ""},
		"score":              {column(`{"name":"score","kind":"f32","read":true,"write":true}`), ""},
		"own columns":        {column(`{"name":"mine","kind":"i64","write":true},{"name":"other","kind":"f32","write":true,"neutral":0.5}`), ""},
		"no JSON":            {"{", "unexpected EOF"},
		"two values":         {rank("") + "{}", "more than one JSON value"},
		"unknown key":        {rank(`,"colums":[]`), `unknown field "colums"`},
		"name":               {strings.Replace(rank(""), `"a"`, `"A-b"`, 1), `name "A-b"`},
		"no version":         {strings.Replace(rank(""), `"1"`, `""`, 1), "version must be one line"},
		"summary":            {strings.Replace(rank(""), `"s"`, `"a\nb"`, 1), "summary must be one line"},
		"doc":                {rank(`,"doc":"\u001b[2J"`), "doc has control characters"},
		"contract":           {strings.Replace(rank(""), `"rank"`, `"dream"`, 1), "contract must be rank, extract, sleep or embed"},
		"no dimension":       {strings.Replace(rank(""), `"rank"`, `"embed"`, 1), "dim must be 1 to"},
		"columns to extract": {strings.Replace(column(`{"name":"score","kind":"f32","read":true}`), `"rank"`, `"extract"`, 1), "are for contract rank"},
		"engine's column":    {column(`{"name":"id","kind":"i64","write":true}`), "belongs to the engine"},
		"time to live":       {column(`{"name":"expired","kind":"f32","read":true,"write":true}`), "belongs to the engine"},
		"wrong kind":         {column(`{"name":"text","kind":"f32","read":true}`), "is of kind text, not f32"},
		"unknown kind":       {column(`{"name":"x","kind":"f64","read":true}`), `unknown kind "f64"`},
		"writing texts":      {column(`{"name":"x","kind":"text","write":true}`), "which plugins cannot write"},
		"writing lists":      {column(`{"name":"x","kind":"list","write":true}`), "which plugins cannot write"},
		"idle column":        {column(`{"name":"x","kind":"f32"}`), "neither read nor written"},
		"column twice":       {column(`{"name":"x","kind":"f32","read":true},{"name":"x","kind":"f32","read":true}`), "is there twice"},
		"column's name":      {column(`{"name":"X","kind":"f32","read":true}`), "not lower_snake_case"},
		"number":             {param(`{"name":"n","kind":"number","doc":"d","default":1,"min":0,"max":2,"neutral":0}`), ""},
		"string":             {param(`{"name":"n","kind":"string","doc":"d","default":"x","one_of":["x","y"]}`), ""},
		"file":               {param(`{"name":"n","kind":"file","doc":"d"}`), ""},
		"parameter twice":    {param(`{"name":"n","kind":"file","doc":"d"},{"name":"n","kind":"file","doc":"d"}`), `"n" is there twice`},
		"no default":         {param(`{"name":"n","kind":"number","doc":"d"}`), "needs a number as default"},
		"default outside":    {param(`{"name":"n","kind":"number","doc":"d","default":3,"min":0,"max":2}`), "outside 0 to 2"},
		"neutral outside":    {param(`{"name":"n","kind":"number","doc":"d","default":1,"min":0,"max":2,"neutral":9}`), "outside 0 to 2"},
		"not one of":         {param(`{"name":"n","kind":"string","doc":"d","default":"z","one_of":["x"]}`), "not in one_of"},
		"a path of its own":  {param(`{"name":"n","kind":"file","doc":"d","default":"/etc/passwd"}`), "is a file and has no default"},
		"too large":          {param(`{"name":"n","kind":"file","doc":"d","max_bytes":99999999}`), "max_bytes outside"},
		"no doc":             {param(`{"name":"n","kind":"file"}`), "needs a doc"},
		"a common key":       {param(`{"name":"timeout_ms","kind":"file","doc":"d"}`), "a key that every stage has"},
		"parameter's kind":   {param(`{"name":"n","kind":"bool","doc":"d"}`), `unknown kind "bool"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseManifest([]byte(c.json))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("ParseManifest: %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzReadItems: no answer of a guest makes the host panic.
func FuzzReadItems(f *testing.F) {
	f.Add([]byte("OMB1"))
	f.Add(block(item{1, [5]string{"user", "", "tea at four"}, []float32{1}}))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = readItems(b, nil)
	})
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"name":"a","version":"1","contract":"rank","summary":"s","params":[{"name":"n","kind":"number","doc":"d","default":1}]}`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		if m, err := ParseManifest(b); err == nil {
			paramStructs(m.Params) // makes a type of them
		}
	})
}

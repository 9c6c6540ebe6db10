package history_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/orma-memory/orma/core/history"
)

func utf16(t *testing.T, order unicode.Endianness, bom unicode.BOMPolicy, s string) string {
	t.Helper()
	out, err := unicode.UTF16(order, bom).NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func zipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// However the text of a file is written, it is the same history.
func TestDecoded(t *testing.T) {
	const lines = "{\"text\": \"The kettle is copper.\"}\n{\"text\": \"Ключ у Семёна 🦊\"}\n"
	const list = "[{\"text\": \"The kettle is copper.\"},\n {\"text\": \"Ключ у Семёна 🦊\"}]"
	for name, data := range map[string]string{
		"plain":                   lines,
		"mark":                    "\ufeff" + lines,
		"line breaks of Windows":  strings.ReplaceAll(lines, "\n", "\r\n"),
		"UTF-16, little":          utf16(t, unicode.LittleEndian, unicode.UseBOM, lines),
		"UTF-16, big":             utf16(t, unicode.BigEndian, unicode.UseBOM, lines),
		"UTF-16, no mark":         utf16(t, unicode.LittleEndian, unicode.IgnoreBOM, lines),
		"UTF-16, big, no mark":    utf16(t, unicode.BigEndian, unicode.IgnoreBOM, lines),
		"gzip":                    zipped(t, lines),
		"gzip of two":             zipped(t, lines[:strings.Index(lines, "\n")+1]) + zipped(t, lines[strings.Index(lines, "\n")+1:]),
		"gzip of UTF-16":          zipped(t, utf16(t, unicode.LittleEndian, unicode.UseBOM, lines)),
		"list":                    list,
		"list in UTF-16":          utf16(t, unicode.BigEndian, unicode.UseBOM, list),
		"list, packed":            zipped(t, list),
		"list with mark":          "\ufeff" + list,
		"list over several lines": strings.ReplaceAll(list, "{", "{\n"),
	} {
		m := open(t)
		var r reports
		for i, want := range []int{2, 0} {
			sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(data), r.options("x"))
			if err != nil || sum.Added != want || sum.Bad != 0 {
				t.Errorf("%s, import %d: %+v, %v", name, i+1, sum, err)
			}
		}
		if got := stored(t, m); !strings.Contains(got, "The kettle is copper.") || !strings.Contains(got, "Ключ у Семёна 🦊") {
			t.Errorf("%s: stored %s", name, got)
		}
	}
}

// What is broken in a list costs one row, and is named.
func TestListOfRows(t *testing.T) {
	m := open(t)
	var r reports
	const data = `[{"text": "one"}, {"text": 5}, 7, {"text": "two"}, {"text": "thr`
	sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(data), r.options("x.json"))
	if err != nil || sum.Added != 2 || sum.Bad != 3 {
		t.Errorf("%+v, %v", sum, err)
	}
	reported(t, "bad", r.bad, []string{"x.json: row 2: text must be text", "x.json: row 3: a row must be an object", "x.json: row 5: the file ends"})
}

// A packed file that is cut off keeps what was there, and says so.
func TestGzipCutOff(t *testing.T) {
	var b strings.Builder
	for range 2000 {
		b.WriteString("{\"text\": \"The kettle is copper, number ")
		b.WriteString(strings.Repeat("x", b.Len()%17))
		b.WriteString(".\"}\n")
	}
	data := zipped(t, b.String())
	m := open(t)
	var r reports
	sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(data[:len(data)*2/3]), r.options("x.jsonl.gz"))
	if err == nil || !strings.Contains(err.Error(), "x.jsonl.gz") || sum.Added == 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestGzipBomb(t *testing.T) {
	m := open(t)
	var r reports
	_, err := history.Import(t.Context(), m.Engine, strings.NewReader(zipped(t, "{\"text\": \"a\"}\n"+strings.Repeat(" ", 100<<20))), r.options("x"))
	if err == nil || !strings.Contains(err.Error(), "times its size") {
		t.Errorf("error %v", err)
	}
}

// An id that a file has twice, with other words, is no news the second time.
func TestSameIDTwice(t *testing.T) {
	m := open(t)
	var r reports
	const data = `{"id": "a", "text": "one"}
{"id": "a", "text": "one"}
{"id": "a", "text": "one, edited"}
{"id": "a", "text": "one"}`
	for i, want := range []int{2, 0, 0} {
		sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(data), r.options("x"))
		if err != nil || sum.Added != want {
			t.Errorf("import %d: %+v, %v", i+1, sum, err)
		}
	}
}

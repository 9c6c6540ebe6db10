package history

import (
	"bufio"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// maxDocument is the largest document that is read, in bytes.
const maxDocument = 64 << 20

// readMarkdown reads a document. Its text is kept whole, front matter included, so
// that title and tags are found too.
func readMarkdown(r io.Reader, f *File) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
		size := int64(len(data))
		switch {
		case err != nil:
			yield(Item{Err: err})
			return
		case len(data) > maxDocument:
			err = core.Errorf(core.CodeTooLarge, "it has more than %d MB", maxDocument>>20)
		default:
			err = CheckText(data)
		}
		if err != nil {
			yield(Item{Place: f.Name, Err: err, End: size})
			return
		}
		doc := strings.TrimPrefix(string(data), "\uFEFF")
		if strings.TrimSpace(doc) == "" {
			yield(Item{Place: f.Name, Skipped: true, End: size})
			return
		}
		at, note := dateOf(doc, f)
		for i, part := range Split(doc, PartBytes) {
			in := engine.Input{
				Text: part, Key: PartKey(f.Name, i+1), Kind: core.KindDocument, Source: f.source(), Session: f.Name, At: at,
			}
			if !yield(Item{Place: f.place("part %d", i+1), Input: in, Note: note, End: size}) {
				return
			}
			note = ""
		}
	}
}

// dateKeys are where front matter says when a document was written, best first.
var dateKeys = []string{"date", "created", "created_at", "updated", "modified"}

// dateOf returns when a document was written: what its front matter says, else when
// the file was changed.
func dateOf(doc string, f *File) (at time.Time, note string) {
	front := frontMatter(doc)
	for _, key := range dateKeys {
		v := front[key]
		if v == "" {
			continue
		}
		t, err := moment(v).time(f.Zone)
		if err == nil {
			return t, ""
		}
		note = key + ": " + err.Error() + "; the time of the file is taken"
		break
	}
	return f.Modified, note
}

// maxFront is how much of a document can be front matter, in bytes.
const maxFront = 16 << 10

// frontMatter reads the plain "key: value" and "key = value" lines between the "---"
// or "+++" lines that a document begins with. Keys are in lower case.
func frontMatter(doc string) map[string]string {
	s := bufio.NewScanner(strings.NewReader(doc[:min(len(doc), maxFront)]))
	if !s.Scan() {
		return nil
	}
	fence, sep := strings.TrimRight(s.Text(), " \t"), ""
	switch fence {
	case "---":
		sep = ":"
	case "+++":
		sep = "="
	default:
		return nil
	}
	front := map[string]string{}
	for s.Scan() {
		line := s.Text()
		if t := strings.TrimRight(line, " \t"); t == fence || t == "..." {
			return front
		}
		key, value, ok := strings.Cut(line, sep)
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue
		}
		value, _, _ = strings.Cut(value, " #") // a comment
		front[strings.ToLower(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	return nil // it never ends: a document that begins with a rule
}

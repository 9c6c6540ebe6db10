package history

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Format is a form in which other programs give histories away.
type Format string

// The formats that [Import] knows.
const (
	FormatRows     Format = "jsonl"    // rows of our own: see [Row]
	FormatChatGPT  Format = "chatgpt"  // conversations of a ChatGPT export
	FormatClaude   Format = "claude"   // conversations of a Claude export
	FormatMem0     Format = "mem0"     // a list of memories of mem0
	FormatMarkdown Format = "markdown" // a document

	FormatClaudeCode Format = "claude-code" // a session of Claude Code
	FormatCodex      Format = "codex"       // a session of Codex
)

// Formats lists every format.
func Formats() []Format {
	return []Format{FormatRows, FormatChatGPT, FormatClaude, FormatMem0, FormatMarkdown, FormatClaudeCode, FormatCodex}
}

// Item is what a reader of a format found at one place: an episode, or why there is
// none.
type Item struct {
	Place   string       // "conversations.json: conversation 3, message 7"
	Input   engine.Input // Source empty: the format's own
	Note    string       // what was odd about it; it is kept
	Err     error        // what is wrong with it; it is left out
	Skipped bool         // it holds nothing to remember, such as a picture
	End     int64        // bytes of the file read up to here
}

// reader reads one file in a format. An error of the file itself is an item without a
// place, the last one.
type reader func(r io.Reader, f *File) iter.Seq[Item]

// readers read what is not rows.
var readers = map[Format]reader{
	FormatChatGPT:  readChatGPT,
	FormatClaude:   readClaude,
	FormatMem0:     readMem0,
	FormatMarkdown: readMarkdown,

	FormatClaudeCode: readClaudeCode,
	FormatCodex:      readCodex,
}

// defaults are what a format says of all its episodes.
func (f Format) defaults() engine.Input {
	switch f {
	case FormatMem0: // facts of another memory: nobody said these words
		return engine.Input{Source: "mem0", Kind: core.KindNote, Trust: core.TrustImport}
	case FormatChatGPT, FormatClaude, FormatClaudeCode, FormatCodex:
		return engine.Input{Source: string(f)}
	}
	return engine.Input{}
}

// headBytes is how much of a file tells its format.
const headBytes = 1 << 20

// errForeign says that a file is JSON, but no history.
var errForeign error = core.Errorf(core.CodeInvalid, "it is JSON, but no export that is known").Hinted("--format says what it is: %s", formatNames())

// detect finds out the format of a file from its first bytes. Only what is no JSON goes
// by its name: markdown is any text.
func detect(name string, head []byte) (Format, error) {
	body := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(body) == 0:
		return FormatRows, nil
	case isMarkdown(name):
		return FormatMarkdown, nil
	case body[0] == '[', body[0] == '{':
		format, err := detectJSON(body)
		if bad := CheckText(head); err != nil && bad != nil {
			err = bad
		}
		return format, err
	}
	if err := CheckText(head); err != nil {
		return "", err
	}
	if bytes.Contains(body, []byte("\n{")) { // rows, the first of them broken
		return FormatRows, nil
	}
	return "", core.Errorf(core.CodeInvalid, "it is neither rows of JSON nor an export that is known").
		Hinted("orma add takes any text file; --format says what this one is: %s", formatNames())
}

func formatNames() string {
	var b strings.Builder
	for i, f := range Formats() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(f))
	}
	return b.String()
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// detectJSON tells formats by the keys of the objects in the first bytes. A file that
// begins with an object of none of them has rows.
func detectJSON(body []byte) (Format, error) {
	keys := keysOf(body)
	object, list, inner := keys["{"], keys["[{"], keys["{[{"]
	switch {
	case object["text"]:
		return FormatRows, nil
	case object["message"] && object["sessionId"]:
		return FormatClaudeCode, nil
	case object["payload"] && object["timestamp"], object["content"] && object["instructions"]:
		return FormatCodex, nil
	case object["mapping"], list["mapping"], object["conversations"] && inner["mapping"]:
		return FormatChatGPT, nil
	case object["chat_messages"], list["chat_messages"], object["conversations"] && inner["chat_messages"]:
		return FormatClaude, nil
	case list["memory"], object["results"] || object["memories"]:
		return FormatMem0, nil
	case list["text"]:
		return FormatRows, nil
	case body[0] == '{':
		return FormatRows, nil
	}
	return "", errForeign
}

// keysOf returns the keys of the objects in the first bytes of a file, by the brackets
// that are open around them: those of objects in a list are under "[{".
func keysOf(body []byte) map[string]map[string]bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // 1e400 is a number too
	keys := map[string]map[string]bool{}
	var open []byte // brackets; 'k' for that of an object whose next token is a value
	for {
		tok, err := d.Token()
		if err != nil {
			return keys
		}
		n := len(open)
		delim, _ := tok.(json.Delim)
		if delim == '}' || delim == ']' {
			open = open[:n-1]
			continue
		}
		if key, ok := tok.(string); ok && n > 0 && open[n-1] == '{' {
			if n <= 3 {
				at := string(open)
				if keys[at] == nil {
					keys[at] = map[string]bool{}
				}
				keys[at][key] = true
			}
			open[n-1] = 'k'
			continue
		}
		if n > 0 && open[n-1] == 'k' {
			open[n-1] = '{'
		}
		if delim != 0 {
			open = append(open, byte(delim))
		}
	}
}

// File is one file that is read.
type File struct {
	Name     string         // as it is reported; of a file in a folder or archive, the path in it
	Modified time.Time      // zero where it is not known
	Zone     *time.Location // of times without one
	User     string         // take only what belongs to this user; empty: there must be only one
}

// source names a file as where its episodes come from.
func (f *File) source() string { return "file:" + f.Name }

// place names a part of a file.
func (f *File) place(format string, args ...any) string {
	return f.Name + ": " + fmt.Sprintf(format, args...)
}

// readError is a failure to read a file, not to store what it holds.
type readError struct {
	file string
	err  error
}

func (e *readError) Error() string { return "read " + e.file + ": " + e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

// open finds out a file's format, unless one is forced.
func open(r io.Reader, f *File, forced Format) (*bufio.Reader, Format, error) {
	r, err := decoded(r)
	if err != nil {
		return nil, "", err
	}
	br := bufio.NewReaderSize(r, headBytes)
	head, err := br.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 { // else what there is comes first
		return br, "", &readError{f.Name, err}
	}
	format := forced
	if format == "" {
		if format, err = detect(f.Name, head); err != nil {
			return br, "", err
		}
	}
	if format == FormatRows { // each row is checked by itself
		return br, format, nil
	}
	return br, format, CheckText(head)
}

// items stores what a reader finds.
func (im *importer) items(ctx context.Context, items iter.Seq[Item], f *File, format Format) error {
	also := format.defaults()
	for it := range items {
		switch {
		case it.Err != nil && it.Place == "":
			return &readError{f.Name, it.Err}
		case ctx.Err() != nil:
			return ctx.Err()
		case it.Skipped:
			im.sum.Skipped++
			continue
		}
		im.sum.Rows++
		if it.Err != nil {
			im.bad(it.Place, it.Err)
			continue
		}
		if it.Note != "" {
			im.o.Note(it.Place, it.Note)
		}
		in := it.Input
		in.Source = cmp.Or(im.o.Source, in.Source, also.Source)
		in.Kind = cmp.Or(in.Kind, also.Kind)
		in.Trust = cmp.Or(im.o.Trust, also.Trust)
		if err := im.wait(ctx, "", waiting{Input: in, place: it.Place}, it.End); err != nil {
			return err
		}
	}
	return ctx.Err()
}

package history

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/text/sentence"
)

// PartBytes is the longest part of a document that becomes one episode.
const PartBytes = 8 << 10

// Split cuts a document into parts of at most size bytes: between paragraphs where
// that is possible, else between lines, else between sentences, else between
// characters. Joined, the parts are the document; parts of nothing but white space
// go to the one before.
func Split(doc string, size int) []string {
	var parts []string
	start, end := 0, 0 // of the part being filled
	cut := func() {
		if end > start {
			parts = append(parts, doc[start:end])
			start = end
		}
	}
	for _, p := range blocks(doc, size) {
		if p-start > size {
			cut()
		}
		end = p
	}
	cut()
	return joinBlank(parts)
}

// blocks returns where a document can be cut so that no block is longer than size.
func blocks(doc string, size int) []int {
	var ends []int
	at := 0
	for at < len(doc) {
		end := paragraphEnd(doc, at)
		if end-at > size {
			end = at + shorter(doc[at:end], size)
		}
		ends = append(ends, end)
		at = end
	}
	return ends
}

// paragraphEnd returns where the paragraph at a place ends, with the blank lines
// after it.
func paragraphEnd(doc string, at int) int {
	i := at
	for i < len(doc) {
		n := strings.IndexByte(doc[i:], '\n')
		if n < 0 {
			return len(doc)
		}
		i += n + 1
		if rest := strings.TrimLeft(doc[i:], " \t\r"); strings.HasPrefix(rest, "\n") {
			for strings.HasPrefix(rest, "\n") {
				i = len(doc) - len(rest) + 1
				rest = strings.TrimLeft(doc[i:], " \t\r")
			}
			return i
		}
	}
	return len(doc)
}

// shorter returns where a paragraph that is too long is cut.
func shorter(p string, size int) int {
	if n := strings.LastIndexByte(p[:size], '\n'); n > size/2 {
		return n + 1
	}
	end := 0
	for _, s := range sentence.Split(p[:size], nil) {
		if s.End < size-1 { // the last one may be cut off
			end = s.End
		}
	}
	if end > size/2 {
		return end
	}
	if n := strings.LastIndexAny(p[:size], " \t"); n > size/2 {
		return n + 1
	}
	for end = size; end > size-utf8.UTFMax && !utf8.RuneStart(p[end]); end-- {
	}
	return end
}

func joinBlank(parts []string) []string {
	out := parts[:0]
	for _, p := range parts {
		if len(out) > 0 && strings.TrimSpace(p) == "" {
			out[len(out)-1] += p
			continue
		}
		out = append(out, p)
	}
	return out
}

// sniffed is how much of a file tells what it is.
const sniffed = 64 << 10

// CheckText refuses a file that is no text, and says what it seems to be.
func CheckText(data []byte) error {
	head := data[:min(len(data), sniffed)]
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			if strings.HasPrefix(m.what, "UTF-") {
				return core.Errorf(core.CodeInvalid, "it is %s, not UTF-8", m.what).Hinted("convert it to UTF-8 first, for instance with iconv")
			}
			return core.Errorf(core.CodeInvalid, "it is %s, not text", m.what).Hinted("convert it to text first")
		}
	}
	if n := bytes.IndexByte(head, 0); n >= 0 {
		return core.Errorf(core.CodeInvalid, "it is no text: byte %d is NUL", n).Hinted("convert it to UTF-8 text first")
	}
	bad, all := 0, 0
	for i := 0; i < len(head); all++ {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 && i+utf8.UTFMax <= len(head) || r < 0x20 && !strings.ContainsRune("\t\n\r\f\x1b", r) {
			bad++
		}
		i += n
	}
	if bad*10 > all {
		return core.Errorf(core.CodeInvalid, "it is no text: %d of its first %d characters are not UTF-8", bad, all).
			Hinted("convert it to UTF-8 first, for instance with iconv")
	}
	return nil
}

// magics are the first bytes of files that people may take for text.
var magics = []struct{ bytes, what string }{
	{"%PDF-", "a PDF file"}, {"PK\x03\x04", "a ZIP archive or an office document"}, {"PK\x05\x06", "an empty ZIP archive"}, {"\x1f\x8b", "a gzip archive"},
	{"BZh", "a bzip2 archive"}, {"\xfd7zXZ", "an xz archive"}, {"7z\xbc\xaf", "a 7-Zip archive"}, {"Rar!", "a RAR archive"},
	{"\x89PNG", "a PNG image"}, {"\xff\xd8\xff", "a JPEG image"}, {"GIF8", "a GIF image"}, {"\x7fELF", "a program"},
	{"MZ\x90", "a program"}, {"\xd0\xcf\x11\xe0", "an old office document"}, {"SQLite format 3\x00", "a database"},
	{"ID3", "an audio file"}, {"OggS", "an audio file"}, {"fLaC", "an audio file"}, {"\x00\x00\x00\x20ftyp", "a video file"},
	{"\xff\xfe\x00\x00", "UTF-32 text"}, {"\x00\x00\xfe\xff", "UTF-32 text"},
	{"\xff\xfe", "UTF-16 text"}, {"\xfe\xff", "UTF-16 text"}, // where it could not be translated
}

// PartKey names part n of a file, from 1.
func PartKey(file string, n int) string { return fmt.Sprintf("%s#%d", file, n) }

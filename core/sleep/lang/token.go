package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a word or mark of a line: bytes Start to End of it.
type Token struct {
	Norm       string // lower case, contractions written out, usual misspellings corrected
	Start, End int
	Word       bool // not a punctuation mark
	Cap        bool // begins with a capital letter
	Quoted     bool // inside quotation marks
	Half       bool // a further word of a contraction: its place is that of the whole
}

// breaks reports whether a phrase never reaches over the token.
func (t Token) breaks() bool {
	return !t.Word && strings.ContainsAny(t.Norm, ".!?;:—–()[]{}")
}

// Tokens cuts a line into words and marks, without a language's contractions.
func Tokens(line string) []Token {
	out := make([]Token, 0, len(line)/5+4)
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case isWord(r):
			j := max(wordEnd(line, i), addressEnd(line, i))
			out = append(out, Token{Norm: norm(line[i:j]), Start: i, End: j, Word: true, Cap: unicode.IsUpper(r) || unicode.IsTitle(r)})
			i = j
		default:
			out = append(out, Token{Norm: string(mark(r)), Start: i, End: i + n})
			i += n
		}
	}
	return out
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// addressEnd returns where a web address that begins at i ends, or i.
func addressEnd(s string, i int) int {
	rest := s[i:]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
		return i
	}
	if n := strings.IndexFunc(rest, unicode.IsSpace); n >= 0 {
		rest = rest[:n]
	}
	return i + len(strings.TrimRight(rest, ".,;:!?\"')>]”’»"))
}

// wordEnd returns where the word that begins at i ends. Marks between letters or
// digits belong to it: "don't", "half-sister", "3.12", "a@b.org", "C++".
func wordEnd(s string, i int) int {
	var prev rune
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if isWord(r) || r == '_' {
			prev = r
			i += n
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case (r == '+' || r == '#') && (unicode.IsLetter(prev) || prev == r) && !isWord(next):
		case !isWord(next):
			return i
		case strings.ContainsRune("'’-‐‑_.@&", r):
		case strings.ContainsRune(",:/", r) && unicode.IsDigit(prev) && unicode.IsDigit(next):
		default:
			return i
		}
		prev = r
		i += n
	}
	return i
}

// norm folds a word for comparison: lower case with plain apostrophes and hyphens.
func norm(w string) string {
	w = strings.ToLower(w)
	if strings.IndexFunc(w, func(r rune) bool { return r == '’' || r == '‐' || r == '‑' }) >= 0 {
		w = strings.NewReplacer("’", "'", "‐", "-", "‑", "-").Replace(w)
	}
	return w
}

// mark folds the forms of a punctuation mark.
func mark(r rune) rune {
	switch r {
	case '“', '”', '„', '«', '»', '″', '「', '」', '『', '』':
		return '"'
	case '‘', '’', '‚', '`', '´', '‹', '›':
		return '\''
	case '？', '؟', '⁇', '¿':
		return '?'
	case '！':
		return '!'
	case '，', '、', '،':
		return ','
	case '。', '।', '｡':
		return '.'
	case '；', '؛':
		return ';'
	case '：':
		return ':'
	}
	return r
}

// tokens makes the language's words of a line and its [Tokens].
func (l *Lang) tokens(line string, raw []Token) []Token {
	out := make([]Token, 0, len(raw)+8)
	for i, t := range raw {
		if t.Word {
			if v, ok := l.value("typos", t.Norm); ok {
				t.Norm = v
			}
			if v, ok := l.value("contractions", t.Norm); ok {
				t.Norm = v
			}
		}
		if strings.ContainsRune(t.Norm, ' ') {
			for k, w := range strings.Fields(t.Norm) {
				c := t
				c.Norm, c.Half = w, k > 0
				out = append(out, c)
			}
			continue
		}
		if base, ok := strings.CutSuffix(t.Norm, "'s"); ok && t.Word && base != "" {
			s := t
			t.Norm, t.End = base, t.Start+strings.LastIndexAny(line[t.Start:t.End], "'’")
			s.Norm, s.Start, s.Cap = "'s", t.End, false
			out = append(out, t, s)
			continue
		}
		// The plural possessive, "my parents' house".
		if t.Norm == "'" && i > 0 && raw[i-1].Word && raw[i-1].End == t.Start && strings.HasSuffix(raw[i-1].Norm, "s") && i+1 < len(raw) && raw[i+1].Word && !openQuote(raw, i) {
			t.Norm, t.Word = "'s", true
		}
		if t.Word && l.has("abbreviations", t.Norm) && i+1 < len(raw) && raw[i+1].Norm == "." && raw[i+1].Start == t.End {
			t.End++
		}
		if t.Norm == "." && len(out) > 0 && out[len(out)-1].End == t.End {
			continue // the full stop of an abbreviation
		}
		out = append(out, t)
	}
	quote(out)
	l.titles(out)
	return out
}

// maxTitle is how many words in quotation marks may be a name or a word that is
// spoken of, rather than speech.
const maxTitle = 6

// titles takes back the marks of quotations that are names: `called "Petrel"`.
func (l *Lang) titles(toks []Token) {
	for i := 0; i < len(toks); i++ {
		if !toks[i].Quoted {
			continue
		}
		j := i
		for j < len(toks) && toks[j].Quoted && (j == i || toks[j].Norm != toks[i].Norm) {
			j++
		}
		end := min(j+1, len(toks))
		if l.title(toks, i, j) {
			for k := i; k < end; k++ {
				toks[k].Quoted = false
			}
		}
		i = end - 1
	}
}

func (l *Lang) title(toks []Token, i, j int) bool {
	if i == 0 || !toks[i-1].Word || j-i-1 > maxTitle || l.has("common", toks[i-1].Norm) && l.has("first", toks[i-1].Norm) {
		return false
	}
	if lemma, _, ok := l.verb(toks[i-1].Norm, fFinite|fDone|fIng); ok && l.has("reports", lemma) {
		return false
	}
	for _, t := range toks[i+1 : j] {
		if l.has("first", t.Norm) || l.has("me", t.Norm) || l.has("my", t.Norm) || t.breaks() {
			return false
		}
	}
	return true
}

// openQuote reports whether a single quotation mark was opened before i.
func openQuote(raw []Token, i int) bool {
	open := false
	for _, t := range raw[:i] {
		if t.Norm == "'" && !t.Word {
			open = !open
		}
	}
	return open
}

// quote marks what stands inside quotation marks. An unclosed double quotation
// mark reaches to the end; an unclosed single one is an apostrophe.
func quote(toks []Token) {
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.Word || t.Norm != `"` && t.Norm != "'" {
			continue
		}
		end := -1
		for j := i + 1; j < len(toks); j++ {
			if !toks[j].Word && toks[j].Norm == t.Norm {
				end = j
				break
			}
		}
		if end < 0 {
			if t.Norm == "'" {
				continue
			}
			end = len(toks) - 1
		}
		for j := i; j <= end; j++ {
			toks[j].Quoted = true
		}
		i = end
	}
}

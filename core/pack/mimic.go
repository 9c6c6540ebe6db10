package pack

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ourWords begin a bracket or a heading of ours, or one that chat templates give a
// meaning to.
var ourWords = map[string]bool{
	"outdated": true, "forgotten": true, "ended": true, "forbidden": true, "never": true, "rule": true, "rules": true,
	"event": true, "events": true, "log": true, "memory": true, "fact": true, "facts": true, "state": true, "states": true,
	"today": true, "user": true, "assistant": true, "system": true, "developer": true, "tool": true, "human": true,
	"inst": true, "sys": true, "instruction": true, "instructions": true, "context": true, "tool_calls": true, "tool_results": true,
	"available_tools": true, "system_prompt": true, "end": true,
}

// ourHeadings are lines that begin a section of a block.
var ourHeadings = map[string]bool{
	"forbidden": true, "now true": true, "also true": true, "things said before": true, "events": true,
	"memory": true, "from memory": true, "system": true, "assistant": true, "user": true, "instructions": true,
}

// tagRE finds what a chat template or a front end could take for a mark of its
// own: <|…|>, </memory>, <start_of_turn>, <<SYS>>. The marks are no HTML that people
// write about; <div> stays as it is.
var tagRE = regexp.MustCompile(`(?i)[<＜](\s*[|｜]|[<＜]\s*/?\s*sys\b|\s*/?\s*(?:orma|memory|memories|system|user|assistant|developer|human|model|context|` +
	`instructions?|prompt|tool[a-z_]*|function[a-z_]*|start_of_[a-z]+|end_of_[a-z]+|im_[a-z]+|think|thinking|reasoning|s|bos|eos|pad|unk|inst|sys|` +
	`begin_[a-z_]+|end_[a-z_]+|antml[:a-z_]*)\s*(?:[>＞/:=]|\s[a-z_-]+\s*=))`)

// fenceRE finds what opens or closes a fenced block in Markdown.
var fenceRE = regexp.MustCompile("`{3,}|~{3,}|｀{3,}")

// lookalikes are letters of other scripts that read like Latin ones.
var lookalikes = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'ɡ': 'g', 'в': 'b', 'н': 'h',
	'к': 'k', 'м': 'm', 'т': 't', 'ո': 'n', 'ս': 'u', 'ɑ': 'a', 'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'm', 'ν': 'v',
	'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'ı': 'i', 'ł': 'l', 'ѵ': 'v', 'ѡ': 'w', 'ԝ': 'w', 'ԛ': 'q', 'һ': 'h', 'ӏ': 'l', 'ɩ': 'i',
	'ᴀ': 'a', 'ʙ': 'b', 'ᴄ': 'c', 'ᴅ': 'd', 'ᴇ': 'e', 'ɢ': 'g', 'ʜ': 'h', 'ɪ': 'i', 'ᴊ': 'j', 'ᴋ': 'k', 'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o',
	'ᴘ': 'p', 'ʀ': 'r', 'ꜱ': 's', 'ᴛ': 't', 'ᴜ': 'u', 'ᴠ': 'v', 'ᴡ': 'w', 'ʏ': 'y', 'ᴢ': 'z', 'г': 'r', 'ԍ': 'g', 'б': 'b', 'ꞵ': 'b', 'ƅ': 'b', 'ԃ': 'd',
}

// skeleton folds s so that what looks the same compares equal: compatibility
// forms, case, marks and lookalike letters.
func skeleton(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		r = unicode.ToLower(r)
		if l, ok := lookalikes[r]; ok {
			return l
		}
		return r
	}, norm.NFKD.String(s))
}

// bracketReach is how far, in runes, a bracket is read to see what it is, and
// maxLooks how many are: the rest of a text with more is turned unread.
const (
	bracketReach = 80
	maxLooks     = 200
)

func isOpener(r rune) bool { return r == '[' || r == '［' }
func isCloser(r rune) bool { return r == ']' || r == '］' }

// brackets turns square brackets into round ones where they look like a line or a
// mark of a block: [FORBIDDEN: x], [user.bank: x], [outdated], [s3], [INST]. Others,
// such as a[0] or [link](x), stay. With stray it also turns a bracket that
// closes nothing, which would end a bracket line early.
func brackets(s string, stray bool) string {
	if !strings.ContainsAny(s, "[]［］") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var open []bool // for each open bracket: it was turned
	looks := 0
	for i, r := range s {
		switch {
		case isOpener(r):
			looks++
			turn := looks > maxLooks || mimics(s[i+utf8.RuneLen(r):])
			open = append(open, turn)
			if turn {
				r = '('
			}
		case isCloser(r) && len(open) == 0:
			if stray {
				r = ')'
			}
		case isCloser(r):
			if open[len(open)-1] {
				r = ')'
			}
			open = open[:len(open)-1]
		}
		b.WriteRune(r)
	}
	return b.String()
}

var (
	lineIDRE = regexp.MustCompile(`^s\d+$`)
	// keyedRE is a key and its value: a name, which may have a dot, a bar or a
	// middle dot in it, then a colon and a space, an arrow or an end.
	keyedRE = regexp.MustCompile(`^[\p{L}][^:\[\]]*(?::(?:\s|$)|->|→|\| *cond\b)`)
	wordRE  = regexp.MustCompile(`^[\p{L}\p{N}_]+`)
)

// mimics reports whether what follows an opening bracket looks like ours.
func mimics(rest string) bool {
	n := 0
	for i, r := range rest {
		if n++; isCloser(r) || n > bracketReach {
			rest = rest[:i]
			break
		}
	}
	rest = strings.TrimLeftFunc(skeleton(rest), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) || r == '_'
	})
	word := wordRE.FindString(rest)
	return ourWords[word] || lineIDRE.MatchString(word) || keyedRE.MatchString(rest)
}

// dressing is what a heading may be dressed in, at either end.
var dressing = [utf8.RuneSelf]bool{'#': true, '*': true, '_': true, '-': true, '=': true, '>': true, ' ': true, ':': true}

// lineStart neutralises what has a meaning only where a line begins. The line will
// stand in the middle of ours, after " / ", but a model may still read it as one:
// a Markdown heading gets a backslash, and a line that is nothing but one of our
// headings gets quotation marks.
func lineStart(line string) string {
	if a, z := line[0], line[len(line)-1]; a < utf8.RuneSelf && z < utf8.RuneSelf && !dressing[a] && !dressing[z] {
		return line
	}
	bare := strings.Trim(line, "#*_-=> •:：\t")
	if len(bare) <= 80 && ourHeadings[skeleton(bare)] && bare != line {
		return `"` + bare + `"`
	}
	if h := strings.TrimLeft(line, "#＃"); h != line && (h == "" || h[0] == ' ') {
		return `\` + line
	}
	return line
}

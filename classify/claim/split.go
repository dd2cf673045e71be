package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word of a sentence.
type token struct {
	word       string // lower case; code, marks and breaks have words of their own
	raw        string // as written, without quotes
	start, end int
	code       bool
}

// Words of tokens that are no words.
const (
	okMark   = "<ok>"
	badMark  = "<bad>"
	pause    = ","
	codeWord = "`code"
)

// sentence is one sentence, list item, heading or table row.
type sentence struct {
	tokens     []token
	start, end int
	question   bool
	colon      bool // ends with a colon: what follows belongs to it
	heading    bool
	item       bool // a list item or table row
	table      bool // a table row
	first      bool // the first sentence of its line
	open       bool // an unticked box
	fence      []string
	mood       mood
	paths      []string // files that it names, set by survey
	ofFiles    bool     // speaks of files
	past       bool     // dates itself in the past
	explains   bool     // has "how"
}

// split cuts a text into sentences. Fenced code and quotations are set aside;
// the file names in a fence go to the sentence that introduces it.
func split(text string) []sentence {
	var all []sentence
	fence := ""
	for pos := 0; pos < len(text); {
		end := strings.IndexByte(text[pos:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += pos
		}
		line := strings.TrimSpace(text[pos:end])
		switch mark := fenceMark(line); {
		case fence != "":
			if mark != "" && strings.HasPrefix(mark, fence) && len(strings.Trim(line, "`~")) == 0 {
				fence = ""
			} else if n := len(all); n > 0 && all[n-1].colon && len(all[n-1].fence) < 50 && len(line) < 400 {
				all[n-1].fence = append(all[n-1].fence, line)
			}
		case mark != "":
			fence = mark
		case strings.HasPrefix(line, ">"):
		case isData(line):
			if done := strings.Index(text[pos:end], `"task_complete": true`); done >= 0 { // agents that answer in JSON
				t := token{word: "task_complete", start: pos + done, end: end}
				all = append(all, sentence{tokens: []token{t}, start: t.start, end: end, first: true})
			}
		case line != "":
			all = splitLine(all, text, pos, end)
		}
		pos = end + 1
	}
	return all
}

// isData: a line of JSON that stands outside a fence.
func isData(line string) bool {
	switch line[0:min(1, len(line))] {
	case "{", "}", "]":
		return true
	case `"`:
		return strings.Contains(line[:min(len(line), 80)], `":`)
	}
	return false
}

func fenceMark(line string) string {
	for _, m := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, m) {
			return m
		}
	}
	return ""
}

// splitLine reads the marker of a line and cuts it into sentences.
func splitLine(all []sentence, text string, pos, end int) []sentence {
	s := sentence{start: pos, first: true}
	for pos < end && (text[pos] == ' ' || text[pos] == '\t') {
		pos++
	}
	rest := text[pos:end]
	switch {
	case strings.HasPrefix(rest, "#"):
		s.heading = true
	case strings.HasPrefix(rest, "|"):
		s.item, s.table = true, true
	case len(rest) > 1 && strings.IndexByte("-*+", rest[0]) >= 0 && rest[1] == ' ', strings.HasPrefix(rest, "• "):
		s.item = true
		pos += strings.IndexByte(rest, ' ') + 1
	default:
		if n := numbered(rest); n > 0 {
			s.item = true
			pos += n
		}
	}
	if box := strings.TrimSpace(text[pos:end]); s.item && strings.HasPrefix(box, "[ ]") {
		s.open = true
	}
	proto := s
	for pos < end {
		t, next, stop := scan(text, pos, end)
		if t.word != "" {
			if len(s.tokens) == 0 {
				s.start = t.start
			}
			s.tokens, s.end = append(s.tokens, t), t.end
		}
		pos = next
		if stop != 0 && len(s.tokens) > 0 {
			s.question, s.end = stop == '?', next
			all = append(all, s)
			s = sentence{heading: proto.heading, item: proto.item, table: proto.table}
		}
	}
	if len(s.tokens) > 0 {
		s.colon = strings.HasSuffix(strings.TrimRight(text[s.start:end], " \t\r*_"), ":") || strings.HasSuffix(strings.TrimRight(text[s.start:end], " \t\r*_"), "：")
		all = append(all, s)
	}
	return all
}

// numbered returns the length of a list number such as "12. ".
func numbered(s string) int {
	i := 0
	for i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' ' {
		return i + 2
	}
	return 0
}

// scan reads the next token from pos. stop is the mark that ends the sentence
// after it, or 0.
func scan(text string, pos, end int) (t token, next int, stop rune) {
	r, n := utf8.DecodeRuneInString(text[pos:end])
	switch {
	case r == '#' && pos+1 < end && text[pos+1] >= '0' && text[pos+1] <= '9': // PR #12
		return scanWord(text, pos, end)
	case unicode.IsSpace(r), r == '*', r == '_', r == '#', r == '~', r == '>', r == 0xFE0F, r == 0x200D:
		return token{}, pos + n, 0
	case r == '`':
		return scanCode(text, pos, end)
	case r == '"', r == '“':
		return scanQuote(text, pos, n, end)
	case r == '✅', r == '✓', r == '✔', r == '☑', r == '🟢':
		return token{word: okMark, start: pos, end: pos + n}, pos + n, 0
	case r == '❌', r == '✗', r == '✘', r == '✖', r == '🔴', r == '☒':
		return token{word: badMark, start: pos, end: pos + n}, pos + n, 0
	case r == '[' && end-pos >= 3 && text[pos+2] == ']' && (text[pos+1] == 'x' || text[pos+1] == 'X'):
		return token{word: okMark, start: pos, end: pos + 3}, pos + 3, 0
	case r == '.', r == '!', r == '?':
		return token{}, pos + n, stopAt(text, pos, n, end, r)
	case r == '。', r == '！', r == '？', r == '¿', r == '¡', r == '｡':
		return token{}, pos + n, cjkStop(r)
	case r == ',', r == ';', r == ':', r == '—', r == '–', r == '，', r == '；', r == '：', r == '、', r == '→', r == '(', r == ')':
		return token{word: pause, start: pos, end: pos + n}, pos + n, 0
	case r == '-' && pos+1 < end && text[pos+1] == ' ':
		return token{word: pause, start: pos, end: pos + 1}, pos + 1, 0
	case isIdeograph(r):
		return token{word: text[pos : pos+n], raw: text[pos : pos+n], start: pos, end: pos + n}, pos + n, 0
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '/', r == '.', r == '-':
		return scanWord(text, pos, end)
	}
	return token{}, pos + n, 0
}

func stopAt(text string, pos, n, end int, r rune) rune {
	if pos+n >= end {
		return r
	}
	next := text[pos+n]
	if next == ' ' || next == '\t' || next == '\r' || next == '*' || next == '"' || next == ')' || next == '_' || r != '.' {
		return r
	}
	if c, _ := utf8.DecodeRuneInString(text[pos+n : end]); isIdeograph(c) {
		return r
	}
	return 0
}

func cjkStop(r rune) rune {
	switch r {
	case '？':
		return '?'
	case '¿', '¡':
		return 0
	}
	return '.'
}

func isIdeograph(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// scanCode takes inline code as one token whose word tells its sort.
func scanCode(text string, pos, end int) (token, int, rune) {
	ticks := pos
	for ticks < end && text[ticks] == '`' {
		ticks++
	}
	length := strings.IndexByte(text[ticks:min(end, ticks+512)], '`')
	if length < 0 {
		return token{}, ticks, 0
	}
	raw := text[ticks : ticks+length]
	next := ticks + length
	for next < end && text[next] == '`' {
		next++
	}
	return token{word: codeSort(raw), raw: strings.TrimSpace(raw), start: pos, end: next, code: true}, next, 0
}

// scanQuote takes what stands in double quotes as one token: it is cited, not
// said.
func scanQuote(text string, pos, n, end int) (token, int, rune) {
	closing := `"`
	if n > 1 {
		closing = "”"
	}
	from := pos + n
	length := strings.Index(text[from:min(end, from+512)], closing)
	if length <= 0 {
		return token{}, from, 0
	}
	raw := strings.Trim(text[from:from+length], "` .,")
	next := from + length + len(closing)
	return token{word: codeWord, raw: raw, start: pos, end: next, code: true}, next, 0
}

func codeSort(code string) string {
	lower := strings.ToLower(strings.TrimSpace(code))
	first, _, _ := strings.Cut(lower, " ")
	switch {
	case looksLikePath(first) && !strings.Contains(first, "test"), looksLikePath(lower):
		return codeWord
	case strings.Contains(lower, "test"), strings.Contains(lower, "spec"), strings.Contains(lower, "make check"):
		return "`test"
	case strings.Contains(lower, "lint"), strings.Contains(lower, "vet"), strings.Contains(lower, "fmt"), strings.Contains(lower, "clippy"), strings.Contains(lower, "prettier"), strings.Contains(lower, "ruff"):
		return "`lint"
	case strings.Contains(lower, "build"), strings.Contains(lower, "compile"), strings.Contains(lower, "tsc"), strings.HasPrefix(lower, "make"):
		return "`build"
	}
	return codeWord
}

// scanWord reads a run of letters, digits and what may stand inside a path, a
// number or a contraction.
func scanWord(text string, pos, end int) (token, int, rune) {
	i := pos
	for i < end {
		r, n := utf8.DecodeRuneInString(text[i:end])
		if unicode.IsSpace(r) || isIdeograph(r) || strings.ContainsRune("`*\"()[]{}<>|,;!?，。；：！？、✅❌✓✗✔✘→", r) {
			break
		}
		i += n
	}
	raw := strings.TrimRight(text[pos:i], ".:_'’”…")
	if raw == "" {
		return token{}, i, 0
	}
	word := strings.ToLower(raw)
	if len(word) < 40 {
		word = strings.ReplaceAll(word, "’", "'")
	}
	t := token{word: word, raw: raw, start: pos, end: pos + len(raw)}
	switch tail := text[t.end:i]; {
	case strings.HasPrefix(tail, "."), strings.HasPrefix(tail, "…"):
		return t, i, '.'
	case strings.HasPrefix(tail, ":"): // the pause is read next
		return t, t.end, 0
	}
	return t, i, 0
}

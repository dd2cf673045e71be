package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words renders the words of a call; an unquoted variable that is known is
// split at blanks, as the shell would.
func (w *walker) words(s *scope, in []*syntax.Word) (out []string, dynamic bool) {
	for _, word := range in {
		if p, ok := soleParam(word); ok {
			if v, known := s.vars[p]; known && w.spend(len(v)) {
				out = append(out, strings.Fields(v)...)
				continue
			}
		}
		text, dyn := w.word(s, word)
		out = append(out, text)
		dynamic = dynamic || dyn
	}
	return out, dynamic
}

func soleParam(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	p, ok := word.Parts[0].(*syntax.ParamExp)
	if !ok || !plainParam(p) {
		return "", false
	}
	return p.Param.Value, true
}

// plainParam tells $a and ${a} from ${a:-b}, ${#a} and the like.
func plainParam(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Excl && !p.Length && !p.Width && p.Index == nil &&
		p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// word renders one word; what cannot be resolved keeps its source text.
func (w *walker) word(s *scope, word *syntax.Word) (string, bool) {
	if word == nil {
		return "", false
	}
	var b strings.Builder
	dynamic := w.parts(s, &b, word.Parts, false)
	return b.String(), dynamic
}

func (w *walker) parts(s *scope, b *strings.Builder, parts []syntax.WordPart, quoted bool) (dynamic bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			unescape(b, p.Value, quoted)
		case *syntax.SglQuoted:
			if p.Dollar {
				ansiC(b, p.Value)
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			dynamic = w.parts(s, b, p.Parts, true) || dynamic
		case *syntax.ParamExp:
			if plainParam(p) {
				if v, ok := s.vars[p.Param.Value]; ok && w.spend(len(v)) {
					b.WriteString(v)
					continue
				}
			}
			b.WriteString(w.source(p))
			dynamic = true
		default:
			b.WriteString(w.source(part))
			dynamic = true
		}
	}
	return dynamic
}

func (w *walker) source(n syntax.Node) string {
	from, to := n.Pos().Offset(), n.End().Offset()
	if from > to || to > uint(len(w.text)) {
		return "$?"
	}
	return strings.ToValidUTF8(w.text[from:min(to, from+maxSource)], "")
}

// unescape removes the backslashes of a literal: all of them outside quotes,
// only those before $ ` " \ inside.
func unescape(b *strings.Builder, lit string, quoted bool) {
	for i := 0; i < len(lit); i++ {
		c := lit[i]
		if c != '\\' || i+1 == len(lit) {
			b.WriteByte(c)
			continue
		}
		next := lit[i+1]
		switch {
		case next == '\n':
			i++
		case quoted && !strings.ContainsRune("$`\"\\", rune(next)):
			b.WriteByte(c)
		default:
			b.WriteByte(next)
			i++
		}
	}
}

// ansiC decodes the common escapes of $'…'.
func ansiC(b *strings.Builder, lit string) {
	for i := 0; i < len(lit); i++ {
		if lit[i] != '\\' || i+1 == len(lit) {
			b.WriteByte(lit[i])
			continue
		}
		i++
		switch lit[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '\\', '\'', '"', '?':
			b.WriteByte(lit[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(lit[i])
		}
	}
}

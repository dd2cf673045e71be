package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds on hostile text. A text beyond the first two is refused; beyond the
// others the rest of it is left out.
const (
	maxText     = 1 << 20 // bytes
	maxOpen     = 2000    // brackets and compound commands open at once
	maxCommands = 5000
	maxDepth    = 8           // nested scripts and function calls
	maxValue    = 4096        // bytes of a variable
	maxSource   = 16 << 10    // bytes of an expansion's source text in a word
	maxWork     = 8 * maxText // bytes walked, expanded and parsed again
	maxVars     = 256
)

// ErrTooComplex is returned for a text that is too long or nested too deeply.
var ErrTooComplex = errors.New("shell text is too long or nested too deeply")

// ErrSyntax is returned for a text that is no shell program in the bash and
// POSIX dialects.
var ErrSyntax = errors.New("not a shell program")

// Parse returns the commands of text in the order in which they stand. A
// function's body counts where it is called; both branches of a condition
// count. The error is [ErrSyntax] or [ErrTooComplex], wrapped with the cause;
// it comes with no commands.
func Parse(text string) ([]Command, error) {
	file, err := parseFile(text)
	if err != nil {
		return nil, err
	}
	left := maxWork
	w := &walker{text: text, left: &left}
	w.run(file, &scope{}, flow{})
	return w.out, nil
}

func parseFile(text string) (*syntax.File, error) {
	if len(text) > maxText || tooDeep(text) {
		return nil, fmt.Errorf("parsing %d bytes: %w", len(text), ErrTooComplex)
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err == nil {
		return file, nil
	}
	posix, perr := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if perr == nil {
		return posix, nil
	}
	return nil, fmt.Errorf("parsing shell text: %w: %w", ErrSyntax, err)
}

// tooDeep guards the recursive parser's stack. It overestimates, because it
// does not know quotes, so that the bound is far above what people write.
func tooDeep(text string) bool {
	open, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			open++
		case ')', '}', ']':
			open = max(0, open-1)
		}
		deepest = max(deepest, open)
	}
	words := 0
	for _, kw := range []string{"if", "while", "until", "for", "case", "select", "time", "coproc", "function", "!", "-", "+", "~", "?"} {
		words = max(words, longestRun(text, kw))
	}
	return deepest > maxOpen || words > 5*maxOpen
}

// longestRun counts how often word opens something that nothing closes: the
// occurrences of word that are separated by blanks only, or, for compound
// commands, those in excess of the closing words.
func longestRun(text, word string) int {
	closer := map[string]string{"if": "fi", "while": "done", "until": "done", "for": "done", "case": "esac", "select": "done"}[word]
	if closer != "" {
		return strings.Count(text, word) - strings.Count(text, closer)
	}
	best, run := 0, 0
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], word):
			run++
			i += len(word)
			best = max(best, run)
		case text[i] == ' ' || text[i] == '\n' || text[i] == '\t':
			i++
		default:
			run = 0
			i++
		}
	}
	return best
}

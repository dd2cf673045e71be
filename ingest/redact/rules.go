package redact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Rules are what a store redacts beside secrets. The zero value is nothing.
type Rules struct {
	Personal bool     // phones, cards, accounts, public addresses, home folders
	Patterns []string // kind=REGEXP; what the first group matches, or the whole
}

// ErrRules is wrapped by errors of rules that cannot be used.
var ErrRules = errors.New("invalid redaction rules")

// ParseRules reads what String wrote.
func ParseRules(text string) (Rules, error) {
	var r Rules
	if text == "" {
		return r, nil
	}
	var kept stored
	if err := json.Unmarshal([]byte(text), &kept, json.RejectUnknownMembers(true)); err != nil {
		return r, fmt.Errorf("%w: %w", ErrRules, err)
	}
	return Rules(kept), nil
}

// stored is the text form of Rules.
type stored struct {
	Personal bool     `json:"pii,omitzero"`
	Patterns []string `json:"patterns,omitempty"`
}

// String is the rules as a store keeps them: equal rules are equal texts, and
// the zero value is "".
func (r Rules) String() string {
	if !r.Personal && len(r.Patterns) == 0 {
		return ""
	}
	patterns := slices.Sorted(slices.Values(r.Patterns))
	text, err := json.Marshal(stored{r.Personal, slices.Compact(patterns)})
	if err != nil { // bytes that are no UTF-8
		return fmt.Sprintf("%v %q", r.Personal, patterns)
	}
	return string(text)
}

// custom is a compiled pattern.
type custom struct {
	kind string
	re   *regexp.Regexp
}

// compile checks one kind=REGEXP.
func compile(pattern string) (custom, error) {
	kind, expr, ok := strings.Cut(pattern, "=")
	if !ok || !validKind(kind) {
		return custom{}, fmt.Errorf("%w: %q: want kind=REGEXP, the kind of at most %d lower-case letters, digits and -", ErrRules, pattern, maxKind)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return custom{}, fmt.Errorf("%w: %s: %w", ErrRules, kind, err)
	}
	if re.MatchString("") {
		return custom{}, fmt.Errorf("%w: %s: the pattern matches nothing at all, and so everywhere", ErrRules, kind)
	}
	return custom{kind, re}, nil
}

func validKind(kind string) bool {
	for i := range len(kind) {
		if !is(kind[i], cLower|cDigit) && kind[i] != '-' {
			return false
		}
	}
	return kind != "" && len(kind) <= maxKind
}

// With returns a Redactor that also applies rules.
func (r *Redactor) With(rules Rules) (*Redactor, error) {
	plain := r.plain
	var more []finder
	if len(rules.Patterns) > 0 {
		var ps []custom
		for _, text := range rules.Patterns {
			p, err := compile(text)
			if err != nil {
				return nil, err
			}
			ps = append(ps, p)
		}
		more = append(more, func(src []byte) found { return findCustom(ps, src) })
	}
	if rules.Personal {
		more = append(more, findPersonal)
	}
	// Each looks only where those before it find nothing more, so that what one
	// replaced does not stand in another's way.
	for _, next := range more {
		first := plain
		plain = func(src []byte) found {
			f := first(src)
			if len(f.spans) > 0 {
				return f
			}
			g := next(src)
			g.hidden, g.bytes = f.hidden, f.bytes
			return g
		}
	}
	return &Redactor{key: r.key, plain: plain, find: deep(plain)}, nil
}

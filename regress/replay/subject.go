package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// ErrNoScript: the case has nothing that could be played.
var ErrNoScript = errors.New("the case has no script.json")

// Subject is what is replayed: a script, alone or as a part of a case.
type Subject struct {
	Name   string // of the file
	ID     string // of the case, else a hash of the script
	Rule   string // of the case, or ""
	Script *script.Script
	// Expect is what the script expects, then what a reviewer approved of the
	// case beside it.
	Expect []expect.Expect
	// Skip says why the case is not to be played any more, or "".
	Skip string
}

// Load reads a case (*.txtar) with a script in it, or a script.
func Load(name string, data []byte) (*Subject, error) {
	s := &Subject{Name: filepath.Base(name)}
	text := data
	if strings.HasSuffix(name, ".txtar") {
		c, err := regress.ParseCase(name, data)
		if err != nil {
			return nil, err
		}
		if len(c.Script) == 0 {
			return nil, fmt.Errorf("read case %s: %w", name, ErrNoScript)
		}
		s.take(c)
		text, name = c.Script, name+": "+scriptFile
	}
	parsed, err := script.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s.add(parsed)
	if s.ID == "" {
		sum := sha256.Sum256(text)
		s.ID = hex.EncodeToString(sum[:6])
	}
	return s, nil
}

// scriptFile is the script's name in a case.
const scriptFile = "script.json"

func (s *Subject) take(c *regress.Case) {
	s.ID, s.Rule = c.ID, c.Rule
	switch c.Status {
	case regress.Approved:
		s.Expect = c.Expect
	case regress.Retired, regress.Rejected:
		s.Skip = "the case is " + string(c.Status)
	}
}

// add puts the script's expectations first.
func (s *Subject) add(played *script.Script) {
	s.Script = played
	approved := s.Expect
	s.Expect = slices.Clone(played.Expect)
	for _, e := range approved {
		if !slices.ContainsFunc(s.Expect, func(x expect.Expect) bool { return reflect.DeepEqual(x, e) }) {
			s.Expect = append(s.Expect, e)
		}
	}
}

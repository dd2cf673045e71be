package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
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
	// Expect is what a reviewer approved of the case; before that, and where
	// there is no case, what the script expects.
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
	s.Script = parsed
	if len(s.Expect) == 0 {
		s.Expect = parsed.Expect
	}
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

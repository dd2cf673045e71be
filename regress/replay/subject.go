package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"golang.org/x/tools/txtar"

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
}

// scriptFile is the script's name in a case.
const scriptFile = "script.json"

// Load reads a case (*.txtar) with a script in it, or a script.
func Load(name string, data []byte) (*Subject, error) {
	s := &Subject{Name: filepath.Base(name)}
	text := data
	if strings.HasSuffix(name, ".txtar") {
		text = nil
		for _, f := range txtar.Parse(data).Files {
			switch f.Name {
			case scriptFile:
				text = f.Data
			case "case.json":
				var about struct {
					ID   string `json:"id"`
					Rule string `json:"rule"`
				}
				if err := json.Unmarshal(f.Data, &about); err != nil {
					return nil, fmt.Errorf("read case %s: %w", name, err)
				}
				s.ID, s.Rule = about.ID, about.Rule
			}
		}
		if text == nil {
			return nil, fmt.Errorf("read case %s: %w", name, ErrNoScript)
		}
	}
	parsed, err := script.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s.Script = parsed
	if s.ID == "" {
		sum := sha256.Sum256(text)
		s.ID = hex.EncodeToString(sum[:6])
	}
	return s, nil
}

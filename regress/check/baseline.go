package check

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrBaseline is wrapped by the errors of a baseline that cannot be read.
var ErrBaseline = errors.New("malformed baseline")

// Baseline is the result of an earlier check, as a file to be committed.
type Baseline struct {
	Version int          `json:"version"` // 1
	Cases   []Remembered `json:"cases"`   // by id
}

// Remembered is what a case came to.
type Remembered struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
	Passed  int     `json:"passed"`
	Trials  int     `json:"trials"`
}

// NewBaseline keeps the results of the cases that were exercised.
func NewBaseline(r *Report) *Baseline {
	b := &Baseline{Version: 1, Cases: []Remembered{}}
	for _, c := range r.Cases {
		if c.Outcome != Skipped && c.Outcome != NotExercised {
			b.Cases = append(b.Cases, Remembered{c.ID, c.Outcome, c.Passed, len(c.Trials)})
		}
	}
	slices.SortFunc(b.Cases, func(x, y Remembered) int { return strings.Compare(x.ID, y.ID) })
	return b
}

// ParseBaseline reads a baseline that Bytes wrote.
func ParseBaseline(name string, data []byte) (*Baseline, error) {
	b := &Baseline{}
	if err := json.Unmarshal(data, b, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrBaseline, name, err)
	}
	if b.Version != 1 {
		return nil, fmt.Errorf("%w: %s: version %d is not 1", ErrBaseline, name, b.Version)
	}
	return b, nil
}

// Bytes is the baseline as a file.
func (b *Baseline) Bytes() ([]byte, error) {
	data, err := json.Marshal(b, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("write baseline: %w", err)
	}
	return append(bytes.TrimRight(data, "\n"), '\n'), nil
}

func (b *Baseline) outcome(id string) Outcome {
	if b == nil {
		return ""
	}
	for _, c := range b.Cases {
		if c.ID == id {
			return c.Outcome
		}
	}
	return ""
}

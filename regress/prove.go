package regress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/native"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// Verify judges the case's own trace and reports whether everything that it
// wants is found there: nil, or an error that wraps ErrNotReproduced.
func (c *Case) Verify(ctx context.Context, rules []classify.Rule) error {
	found, err := c.judge(ctx, rules)
	if err != nil {
		return err
	}
	same := false
	for _, w := range c.Want {
		if w.in(found, "") == nil {
			return fmt.Errorf("%w: %s: %s", ErrNotReproduced, w, w.instead(found))
		}
		same = same || w.Rule == c.Rule && w.in(found, c.Fingerprint) != nil
	}
	if !same {
		return fmt.Errorf("%w: %s fires, but not with fingerprint %s", ErrNotReproduced, c.Rule, c.Fingerprint)
	}
	return nil
}

// in finds the finding that answers the expectation; a fingerprint that is
// not empty must be its own.
func (w Want) in(found []classify.Finding, fingerprint string) *classify.Finding {
	for i, f := range found {
		if fingerprint != "" && f.Fingerprint != fingerprint {
			continue
		}
		if f.Rule == w.Rule && f.Severity == w.Severity && len(f.Refs) > 0 && f.Refs[0].File == w.File && f.Refs[0].Line == w.Line {
			return &found[i]
		}
	}
	return nil
}

// instead says what the rule did in place of what was wanted.
func (w Want) instead(found []classify.Finding) string {
	var other []string
	for _, f := range found {
		if f.Rule == w.Rule {
			other = append(other, wantOf(f).String())
		}
	}
	if len(other) == 0 {
		return "the rule is silent"
	}
	return "found instead: " + strings.Join(other, "; ")
}

// wantOf is the expectation that a finding of a case's trace answers.
func wantOf(f classify.Finding) Want {
	w := Want{Rule: f.Rule, Severity: f.Severity}
	if len(f.Refs) > 0 {
		w.File, w.Line = f.Refs[0].File, f.Refs[0].Line
	}
	return w
}

// Input is what a judgement of the case's trace reads, and nothing else: its
// own files, in stores in memory.
func (c *Case) Input(rules []classify.Rule) (classify.Input, error) {
	return c.input(traceFile, c.Trace, rules)
}

// FixedInput is Input for the trace that was mended by hand. Records that stand
// in it take the place of the case's.
func (c *Case) FixedInput(rules []classify.Rule) (classify.Input, error) {
	return c.input(fixedFile, c.Fixed, rules)
}

func (c *Case) input(name string, trace []byte, rules []classify.Rule) (classify.Input, error) {
	in := classify.Input{Rules: rules, HideGrader: c.HideGrader, Workers: 1}
	store, runs, err := take(name, trace)
	if err != nil {
		return in, err
	}
	in.Store, in.Runs = store, runs
	own, err := store.Manifests(ingest.RecordsRun)
	if err != nil {
		return in, err
	}
	if len(c.Records) > 0 && len(own) == 0 {
		if in.Extra, _, err = take(recordsFile, c.Records); err != nil {
			return in, err
		}
	}
	if len(c.Config) > 0 {
		if in.Global, err = config.Parse(configFile, c.Config); err != nil {
			return in, err
		}
	}
	return in, nil
}

// judge classifies the case's own trace.
func (c *Case) judge(ctx context.Context, rules []classify.Rule) ([]classify.Finding, error) {
	in, err := c.Input(rules)
	if err != nil {
		return nil, err
	}
	res, err := classify.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	var found []classify.Finding
	for _, v := range res.Verdicts {
		found = append(found, v.Findings...)
	}
	return found, nil
}

// take decodes one file of a case. What a case holds must decode whole.
func take(name string, data []byte) (ingest.Store, []string, error) {
	store, f := memstore.New(), native.Format
	sum := sha256.Sum256(data)
	w := decode.NewWriter(store, redact.New(redact.Key{}), decode.Target{
		Format: f.Name, Version: f.Version, Grade: f.Grade, Path: name, Size: int64(len(data)), Digest: hex.EncodeToString(sum[:]),
	})
	if err := f.Decode(&decode.Input{Path: name, Size: int64(len(data)), ReaderAt: bytes.NewReader(data)}, w); err != nil {
		return nil, nil, fmt.Errorf("decode %s: %w", name, err)
	}
	r, err := w.Close()
	if err != nil {
		return nil, nil, err
	}
	if len(r.Reasons) > 0 {
		lost := r.Reasons[0]
		return nil, nil, fmt.Errorf("%w: %s:%d: %s: %s", ErrCase, name, lost.First.Line, lost.Kind, lost.First.Cause)
	}
	return store, r.Runs, nil
}

package regress

import (
	"context"
	"errors"

	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/regress/derive"
	"github.com/faultline-dev/faultline/regress/script"
)

// script writes how the failure is brought about again against a harness, or
// says why that cannot be. It is made of the whole thread: a call that tells
// what became of another may be no part of what shows the finding.
func (m *miner) script(ctx context.Context) (_ []byte, why string, _ error) {
	in := m.in
	in.Runs = nil
	for _, r := range m.runs() {
		in.Runs = append(in.Runs, r.ID)
	}
	s, err := derive.Script(ctx, in, m.cited[0], m.finding)
	if errors.Is(err, derive.ErrNotDerivable) {
		return nil, derive.Reason(err), nil
	} else if err != nil {
		return nil, "", err
	}
	text := []byte(redact.NewMasker().Mask(string(s.Bytes())))
	if _, err := script.Parse(scriptFile, text); err != nil {
		return nil, "what it would take is no script: " + oneLine(err.Error()), nil
	}
	return text, "", nil
}

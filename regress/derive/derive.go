package derive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress/script"
)

// ErrNotDerivable is wrapped with the reason why a finding has no script.
var ErrNotDerivable = errors.New("no script can be derived")

// reasonError is why a finding has no script.
type reasonError struct{ why string }

func (e *reasonError) Error() string { return ErrNotDerivable.Error() + ": " + e.why }
func (e *reasonError) Unwrap() error { return ErrNotDerivable }

func notDerivable(why string, args ...any) error { return &reasonError{fmt.Sprintf(why, args...)} }

// Reason is why a finding has no script, alone; "" for another error.
func Reason(err error) string {
	if r := (*reasonError)(nil); errors.As(err, &r) {
		return r.why
	}
	return ""
}

// Script writes the script of a finding. The input must hold the finding's run
// with its whole thread.
func Script(ctx context.Context, in classify.Input, run string, f classify.Finding) (*script.Script, error) {
	var out *script.Script
	err := classify.Each(ctx, in, func(v *classify.View) (err error) {
		if v.Run.ID == run && out == nil {
			out, err = fromView(v, f)
		}
		return err
	})
	if err == nil && out == nil {
		err = notDerivable("run %s is not in the input", run)
	}
	if err != nil {
		return nil, fmt.Errorf("derive script of finding %s: %w", f.ID, err)
	}
	return out, nil
}

// Rules whose failure is in what the harness does with a lost call, with an
// unproven claim, or with a provider's stop: a world can bring it about again.
var (
	effectRules = []string{
		"idempotency/blind-retry", "idempotency/duplicate-effect", "idempotency/unreconciled", "idempotency/unknown-as-failed",
		"idempotency/new-key-same-operation", "idempotency/no-operation-id", "handoff/dropped-operation", "handoff/repeated-work",
	}
	gateRules = []string{
		"acceptance/failed-check-accepted", "acceptance/missing-check", "acceptance/check-not-run", "acceptance/false-success",
		"acceptance/waved-through", "acceptance/self-certified",
	}
	stopRules = []string{"idempotency/dispatch-after-stop", "provider/safety-stop"}
)

func fromView(v *classify.View, f classify.Finding) (*script.Script, error) {
	d := deriver{v: v, f: f, ep: episode(v, f)}
	switch {
	case slices.Contains(effectRules, f.Rule):
		return d.effect()
	case slices.Contains(gateRules, f.Rule):
		return d.gate()
	case slices.Contains(stopRules, f.Rule):
		return d.stop()
	}
	return nil, notDerivable("a failure of %s needs the workspace or the model that it happened with", f.Rule)
}

type deriver struct {
	v  *classify.View
	f  classify.Finding
	ep *classify.Episode
}

// episode is that of the finding, or the last.
func episode(v *classify.View, f classify.Finding) *classify.Episode {
	if f.Episode >= 1 && f.Episode <= len(v.Episodes) {
		return v.Episodes[f.Episode-1]
	}
	if n := len(v.Episodes); n > 0 {
		return v.Episodes[n-1]
	}
	return nil
}

// longestPrompt bounds what is kept of a request, in bytes.
const longestPrompt = 4000

func (d deriver) prompt() string {
	text := ""
	if d.ep != nil {
		text = strings.TrimSpace(d.ep.Prompt)
	}
	if text == "" {
		return "Go on."
	}
	return classify.Clip(text, longestPrompt)
}

// cites reports that the finding cites one of the action's events.
func (d deriver) cites(a *classify.Action) bool {
	return d.has(a.Cite()) || d.has(a.CiteEnd())
}

func (d deriver) has(c classify.Cite) bool {
	ref := c.Run.Ref(c.Event)
	return slices.ContainsFunc(d.f.Refs, func(r ingest.Ref) bool {
		return r.Run == ref.Run && r.Source == ref.Source && r.Seq == ref.Seq
	})
}

// closing is what the agent says at the end, or plain words for it.
func (d deriver) closing() string {
	if d.ep != nil && d.ep.Closing.Event != nil {
		if text := strings.TrimSpace(d.ep.Closing.Run.Text(d.ep.Closing.Event)); text != "" {
			return classify.Clip(text, longestPrompt)
		}
	}
	return "Done."
}

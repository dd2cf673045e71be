package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/expect"
)

// logged is what the harness's own log says of its runs.
type logged struct {
	runs     int
	findings []Finding
	seen     expect.Seen // of the last run of the thread, with those before it
	accepted bool        // by a completion record
}

// readLog ingests the harness's logs with the ordinary decoders and judges
// them. A harness without a log gives none.
func readLog(ctx context.Context, home string, paths []string, rules []classify.Rule) (*logged, error) {
	out := &logged{}
	var there []string
	for _, p := range paths {
		if !filepath.IsLocal(p) {
			return nil, fmt.Errorf("%w: log %q lies outside the scratch home", ErrOptions, p)
		}
		full := filepath.Join(home, p)
		if _, err := os.Stat(full); err == nil {
			there = append(there, full)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if len(there) == 0 {
		return out, nil
	}
	store := memstore.New()
	res, err := scan.Run(ctx, there, scan.Options{Store: store, Redactor: redact.New(redact.Key{})})
	if err != nil {
		return nil, fmt.Errorf("read the harness's log: %w", err)
	}
	in := classify.Input{Store: store, Runs: res.Runs, Paths: res.Paths, Rules: rules, Workers: 1}
	judged, err := classify.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("judge the harness's log: %w", err)
	}
	out.runs = len(res.Runs)
	return out, out.take(ctx, in, judged)
}

func (l *logged) take(ctx context.Context, in classify.Input, judged *classify.Result) error {
	verdicts := map[string]*classify.Verdict{}
	for i := range judged.Verdicts {
		v := &judged.Verdicts[i]
		verdicts[v.Run] = v
		for _, f := range v.Findings {
			l.findings = append(l.findings, Finding{f.Rule, string(f.Severity), f.Fingerprint, f.Message})
		}
		for _, e := range v.Episodes {
			l.accepted = l.accepted || e.Accepted == string(classify.Recorded)
		}
	}
	err := classify.Each(ctx, in, func(v *classify.View) error {
		s := check.SeenIn(v, verdicts[v.Run.ID])
		if len(s.Acts) >= len(l.seen.Acts) { // a later run of a thread holds those before it
			s.Fired, s.Abstained = append(s.Fired, l.seen.Fired...), append(s.Abstained, l.seen.Abstained...)
			l.seen = s
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("judge the harness's log: %w", err)
	}
	return nil
}

// calls counts the log's calls of a tool, whatever a harness puts before its
// name: mcp__SERVER__TOOL, SERVER_TOOL, SERVER.TOOL.
func (l *logged) calls(tool string) (n int) {
	for _, a := range l.seen.Acts {
		rest, ok := strings.CutSuffix(a.Tool, tool)
		if a.Kind == expect.Called && ok && (rest == "" || strings.HasSuffix(rest, "_") || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/") || strings.HasSuffix(rest, ":")) {
			n++
		}
	}
	return n
}

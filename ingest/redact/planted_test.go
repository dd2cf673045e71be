package redact

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/redact/redacttest"
)

// TestPlanted plants every kind of secret in every position.
func TestPlanted(t *testing.T) {
	p := redacttest.New(1)
	missed, n := map[string][]string{}, 0
	for _, set := range [][]redacttest.Secret{p.Shapes(), p.Named()} {
		for i, s := range set {
			for _, at := range redacttest.Positions() {
				if strings.HasPrefix(at.Name, "1 MB") && (i%8 != 0 || testing.Short()) {
					continue
				}
				n++
				unit := at.Write(s.Text)
				require.True(t, at.Broken || jsontext.Value(unit).IsValid(), "%s: %s", at.Name, unit)
				out, hits := redactAll(t, unit)
				if i := p.Find([]byte(out)); i >= 0 || len(hits) == 0 {
					missed[s.Kind+" "+s.Text[:min(len(s.Text), 60)]] = append(missed[s.Kind+" "+s.Text[:min(len(s.Text), 60)]], at.Name)
				} else if !hasKind(hits, s.Kind) {
					t.Errorf("%s: %s %.30s: found as %v", at.Name, s.Kind, s.Text, hits)
				}
			}
		}
	}
	for what, where := range missed {
		t.Errorf("missed %s in %d: %v", what, len(where), where)
	}
	t.Logf("%d planted", n)
}

func hasKind(hits []Hit, kind string) bool {
	for _, h := range hits {
		if h.Kind == kind {
			return true
		}
	}
	return false
}

// A byte must do as the index of a bucket.
func TestBuckets(t *testing.T) {
	require.LessOrEqual(t, len(secrets.buckets), 256)
}

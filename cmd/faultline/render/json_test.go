package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/regress"
)

// TestFields pins the members of the JSON contract: fields may be added to the
// lists, none may be renamed or taken from them.
func TestFields(t *testing.T) {
	var out bytes.Buffer
	j := NewJSON(&out)
	require.NoError(t, j.Receipt(&ingest.Receipt{Reasons: []ingest.ReasonCount{{}}}))
	require.NoError(t, j.Verdict(classify.Verdict{
		Episodes:    []classify.EpisodeVerdict{{}},
		Findings:    []classify.Finding{{Refs: []ingest.Ref{{}}}},
		Abstentions: []classify.Abstention{{}},
	}))
	require.NoError(t, j.Cluster(regress.Cluster{}))
	require.Equal(t, []string{
		"type source format bytes units stored duplicates skipped quarantined events reasons reasons.kind reasons.count " +
			"reasons.first reasons.first.line reasons.first.offset reasons.first.cause runs",
		"type run source layer owner format thread episodes episodes.index episodes.first episodes.last episodes.layer " +
			"episodes.owner episodes.accepted findings findings.id findings.rule findings.layer findings.severity " +
			"findings.grade findings.message findings.fingerprint findings.refs findings.refs.run findings.refs.source " +
			"findings.refs.seq findings.refs.file findings.refs.line findings.refs.offset findings.refs.length " +
			"findings.episode abstentions abstentions.rule abstentions.missing",
		"type fingerprint rule layer severity runs count title repeated harnesses models",
	}, memberNames(t, out.String()))
}

// memberNames lists the members of each line, nested ones by their path.
func memberNames(t *testing.T, lines string) (out []string) {
	for line := range strings.Lines(lines) {
		var names []string
		dec := jsontext.NewDecoder(strings.NewReader(line))
		for {
			tok, err := dec.ReadToken()
			if err != nil {
				break
			}
			if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 && tok.Kind() == '"' {
				var path []string
				for part := range dec.StackPointer().Tokens() {
					if part != "0" {
						path = append(path, part)
					}
				}
				names = append(names, strings.Join(path, "."))
			}
		}
		out = append(out, strings.Join(names, " "))
	}
	return out
}

func TestListsAreNeverNull(t *testing.T) {
	var out bytes.Buffer
	j := NewJSON(&out)
	require.NoError(t, j.Receipt(&ingest.Receipt{}))
	require.NoError(t, j.Verdict(classify.Verdict{Findings: []classify.Finding{{}}}))
	require.NoError(t, j.Cluster(regress.Cluster{}))
	require.NotContains(t, out.String(), "null")
	require.Contains(t, out.String(), `"reasons":[],"runs":[]`)
}

func TestOneMaskPerOutput(t *testing.T) {
	var out bytes.Buffer
	j := NewJSON(&out)
	require.NoError(t, j.Object("«email:0123456789ab» «email:ffffffffffff»"))
	require.NoError(t, j.Object("«email:ffffffffffff»"))
	require.Equal(t, "\"«email 1» «email 2»\"\n\"«email 2»\"\n", out.String())
}

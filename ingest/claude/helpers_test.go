package claude_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/redact"
)

var redactor = redact.New(redact.Key{1})

// load decodes a file that holds one run and loads it.
func load(t testing.TB, f decode.Format, raw string) (*ingest.Run, *ingest.Receipt) {
	t.Helper()
	s := memstore.New()
	rc := decodeInto(t, s, f, []byte(raw))
	require.Len(t, rc.Runs, 1)
	run, err := ingest.Load(s, rc.Runs[0], nil)
	require.NoError(t, err)
	return run, rc
}

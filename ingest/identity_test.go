package ingest_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

// TestGoldenIDs pins what stores, cases and reports hold: these values must
// never change.
func TestGoldenIDs(t *testing.T) {
	unit, native := ingest.ContentUnit([]byte(`{"a":1}`)), ingest.NativeUnit("n-1")
	for want, got := range map[string]string{
		"1e69f69f6f72a7bb52e7f388": ingest.RunID("claude-code-jsonl", "s-1", ""),
		"06994002ab3a753fe94f5ee8": ingest.RunID("trial", "harbor/fix-it__a"),
		"0a7b8264dc9d5f366ec15970": ingest.RecordsRun,
		"43c45a21085e":             ingest.SourceID("run", "0", unit),
		"51a3efb2cc1a4cdda2093ac9": ingest.EventID("run", native, 0, 1),
	} {
		assert.Equal(t, want, got)
	}
	assert.Equal(t, "696943f113b53f41064be432717041b4", hexOf(unit))
	assert.Equal(t, "c698229de680cd55fe7c0e26a0938e3f", hexOf(native))
	assert.False(t, unit.Native())
	assert.True(t, native.Native())
}

// TestDistinctIDs: parts are told apart, and so are occurrences of any number.
func TestDistinctIDs(t *testing.T) {
	seen := map[string]string{}
	add := func(id, what string) {
		assert.Empty(t, seen[id], what)
		seen[id] = what
	}
	add(ingest.RunID("f", "ab", "c"), "ab c")
	add(ingest.RunID("f", "a", "bc"), "a bc")
	add(ingest.RunID("f", "abc"), "abc")
	add(ingest.RunID("f", "abc", ""), "abc and nothing")
	add(ingest.RunID("fa", "bc"), "fa bc")
	u := ingest.NativeUnit("n")
	add(ingest.EventID("r", u, 1, 12), "1 12")
	add(ingest.EventID("r", u, 11, 2), "11 2")
	for _, n := range []int{0xD800, 0xD801, 0xDFFF, 0xFFFD, 0x110000, 0x110001, -1} {
		add(ingest.EventID("r", u, n, 0), "occurrence")
		add(ingest.EventID("r", u, 0, n), "part")
	}
	assert.NotEqual(t, ingest.NativeUnit("x"), ingest.ContentUnit([]byte("x")))
}

func hexOf(id ingest.UnitID) string { return hex.EncodeToString(id[:]) }

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/config"
)

// TestConfigHelp: the example in the help is a valid configuration that uses
// every member.
func TestConfigHelp(t *testing.T) {
	_, example, found := strings.Cut(configHelp, "\n\n")
	require.True(t, found)
	c, err := config.Parse("faultline.yaml", []byte(example))
	require.NoError(t, err)
	require.NotEmpty(t, c.Checks)
	require.NotEmpty(t, c.Candidate)
	require.NotEmpty(t, c.Protected)
	require.NotEmpty(t, c.Permissions.Deny)
	require.NotEmpty(t, c.Permissions.Paths)
	require.NotEmpty(t, c.Contracts)
	require.NotEmpty(t, c.Trusted)
	require.NotEmpty(t, c.Rules)
	require.NotEmpty(t, c.Waivers)
	require.NotEmpty(t, c.Lookups)
	require.Len(t, c.Invariants, 6, "one of each form")
}

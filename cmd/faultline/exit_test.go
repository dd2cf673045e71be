package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
)

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{syscall.EPIPE, 0},
		{errFound, 1},
		{usagef("", "wrong"), 2},
		{config.ErrInvalid, 2},
		{errQuarantined, 3},
		{syscall.ENOSPC, 4},
		{ingest.ErrNewer, 4},
		{fs.ErrPermission, 4},
		{errors.New("unforeseen"), 4},
		{ingest.ErrNoStore, 10},
		{ingest.ErrLocked, 11},
		{context.Canceled, 130},
	} {
		got := exitCode(c.err)
		require.Equal(t, c.want, got, "%v", c.err)
		if c.err != nil {
			require.Equal(t, c.want, exitCode(fmt.Errorf("do a thing: %w", c.err)), "%v", c.err)
			require.NotEmpty(t, hint(c.err))
		}
	}
}

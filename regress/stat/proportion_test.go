package stat

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWilson holds the interval to published values.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		passed, n int
		low, high float64
		delta     float64
	}{
		{12, 12, .758, 1, 5e-4}, {45, 50, .786, .957, 5e-4}, {0, 20, 0, .161, 5e-4},
		{10, 10, .722467, 1, 5e-7}, {5, 10, .236593, .763407, 5e-7}, {0, 10, 0, .277533, 5e-7},
	} {
		low, high, ok := Wilson(tc.passed, tc.n)
		require.True(t, ok)
		require.InDelta(t, tc.low, low, tc.delta)
		require.InDelta(t, tc.high, high, tc.delta)
	}
	for _, none := range [][2]int{{0, 0}, {-1, 3}, {4, 3}} {
		_, _, ok := Wilson(none[0], none[1])
		require.False(t, ok)
	}
}

func TestPass(t *testing.T) {
	at, ok := PassAt(3, 3, 4)
	require.True(t, ok)
	require.InDelta(t, .984375, at, 1e-12)
	all, ok := PassAll(3, 3, 4)
	require.True(t, ok)
	require.InDelta(t, .421875, all, 1e-12)
	for _, none := range [][3]int{{0, 1, 1}, {1, 0, 0}, {1, 2, 1}} {
		_, ok := PassAt(none[0], none[1], none[2])
		require.False(t, ok)
		_, ok = PassAll(none[0], none[1], none[2])
		require.False(t, ok)
	}
}

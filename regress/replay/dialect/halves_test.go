package dialect

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestHalves: no character is torn apart, whatever it is.
func TestHalves(t *testing.T) {
	for _, s := range []string{"", "a", "é", "aé", "日本語", "\xff\xff\xff"} {
		first, second := halves([]byte(s))
		require.Equal(t, s, first+second)
		if utf8.ValidString(s) {
			require.True(t, utf8.ValidString(first) && utf8.ValidString(second), s)
		}
	}
}

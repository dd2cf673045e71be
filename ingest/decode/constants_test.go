package decode

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What Python writes for numbers that JSON has no word for is no number, in as
// many bytes; in a string it is text.
func TestConstants(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":NaN,"b":[Infinity, -Infinity]}`: `{"a":"" ,"b":[null    , null     ]}`,
		`{"a":"NaN, \"NaN","b":NaN}`:          `{"a":"NaN, \"NaN","b":"" }`,
		`{"a":"\\",` + "\n" + `"b":NaN}`:      `{"a":"\\",` + "\n" + `"b":"" }`,
		`{"a":NaNs,"NaN":-Infinity2}`:         `{"a":NaNs,"NaN":-Infinity2}`,
		`NaN`:                                 `"" `,
		``:                                    ``,
	} {
		got, err := io.ReadAll(&constantsReader{in: strings.NewReader(in), size: int64(len(in))})
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		if plain := WithoutConstants([]byte(in)); in != want {
			require.Equal(t, want, string(plain))
		} else {
			require.Nil(t, plain)
		}
	}
}

// Wherever a file is cut into pieces, it reads the same.
func TestConstantsInPieces(t *testing.T) {
	for n := constantsAhead - 40; n < constantsAhead+40; n++ {
		pad := strings.Repeat("x", n)
		in := `{"a":"` + pad + `NaN","b":NaN,"c":-Infinity,"d":"NaN"}`
		want := `{"a":"` + pad + `NaN","b":"" ,"c":null     ,"d":"NaN"}`
		got, err := io.ReadAll(&constantsReader{in: strings.NewReader(in), size: int64(len(in))})
		require.NoError(t, err)
		require.True(t, bytes.Equal([]byte(want), got), "%d", n)
	}
}

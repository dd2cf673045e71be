package redact

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Base64 that holds a secret goes as a whole; what stands around it stays.
func TestBase64(t *testing.T) {
	secret := base64.StdEncoding.EncodeToString([]byte("login with password=S3cr3tVa1ue9xQ, then go on"))
	name := base64.StdEncoding.EncodeToString([]byte("opaque"))
	for unit, want := range map[string]string{
		`{"text":"` + secret + `","n":1}`:                             `{"text":"«password»","n":1}`,
		`{"text":"GET /v1/x?q=` + secret + `&b=1"}`:                   `{"text":"GET /v1/x?q=«password»&b=1"}`,
		`{"text":"data:text/plain;base64,` + secret + `"}`:            `{"text":"data:text/plain;base64,«password»"}`,
		`{"text":"a\n` + secret + `\nb"}`:                             `{"text":"a\n«password»\nb"}`,
		`echo ` + secret + ` | base64 -d`:                             `echo «password» | base64 -d`,
		`{"key":"db.password","value":{"bytesValue":"` + name + `"}}`: `{"key":"db.password","value":{"bytesValue":"«password»"}}`,
	} {
		out, hits := redactAll(t, unit)
		require.Equal(t, want, string(Canonical(nil, []byte(out), hits)))
	}
}

// A line of base64 that begins with other bytes is read from its beginning.
func TestBase64InLines(t *testing.T) {
	raw := strings.Repeat("\x00\xff", 40) + "password=S3cr3tVa1ue9xQ" + strings.Repeat("\xfe", 99)
	text := base64.StdEncoding.EncodeToString([]byte(raw))
	for _, broken := range []string{"\\n", "\\r\\n", "\\n    "} {
		unit := `{"text":"see\n`
		for ; len(text) > 64; text = text[64:] {
			unit += text[:64] + broken
		}
		unit += text + `\nand on"}`
		out, hits := redactAll(t, unit)
		require.Equal(t, `{"text":"see\n«password»\nand on"}`, string(Canonical(nil, []byte(out), hits)))
		text = base64.StdEncoding.EncodeToString([]byte(raw))
	}
}

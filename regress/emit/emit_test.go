package emit

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress"
)

func playable() *regress.Case {
	return &regress.Case{ID: "da87d056c5af", Rule: "idempotency/blind-retry", Script: []byte("{}\n")}
}

// TestFiles: the files parse as Go, name the case, and say which of them is the
// user's.
func TestFiles(t *testing.T) {
	files, err := Files(playable(), Options{Command: []string{"./harness", `say "hi"`}})
	require.NoError(t, err)
	require.Len(t, files, 3)
	require.Equal(t, "faultline_idempotency_blind_retry_da87d056c5af_test.go", files[0].Path)
	require.Equal(t, []bool{false, true, false}, []bool{files[0].Once, files[1].Once, files[2].Once})
	require.Equal(t, "testdata/faultline/idempotency-blind-retry-da87d056c5af.txtar", files[2].Path)
	for _, f := range files[:2] {
		_, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.AllErrors)
		require.NoError(t, err, string(f.Data))
	}
	require.Contains(t, string(files[0].Data), "func TestFaultline_idempotency_blind_retry_da87d056c5af(t *testing.T)")
	require.Contains(t, string(files[1].Data), `"./harness", "say \"hi\""`)
}

// TestHostileNames: text of a case stays in its comment or string.
func TestHostileNames(t *testing.T) {
	c := playable()
	c.Rule = "a/b\nfunc init() { panic(1) }\n//"
	files, err := Files(c, Options{})
	require.NoError(t, err)
	require.NotContains(t, string(files[0].Data), "\nfunc init()")
	_, err = parser.ParseFile(token.NewFileSet(), "x_test.go", files[0].Data, parser.AllErrors)
	require.NoError(t, err, string(files[0].Data))
}

func TestRefuses(t *testing.T) {
	c := playable()
	_, err := Files(c, Options{Package: "no name"})
	require.ErrorIs(t, err, ErrOptions)
	c.Script = nil
	_, err = Files(c, Options{})
	require.ErrorIs(t, err, ErrNoScript)
}

func TestRequire(t *testing.T) {
	require.True(t, strings.HasSuffix(Require("v1.2.3"), "/cmd/faultline@v1.2.3"))
	require.True(t, strings.HasSuffix(Require("(devel)"), "/cmd/faultline@latest"))
}

package replay

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// TestTake: what a reviewer approved counts beside what the script expects, a
// proposal does not; what was retired is not played.
func TestTake(t *testing.T) {
	approved := []expect.Expect{{Invariant: expect.RuleSilent, Rule: "idempotency/blind-retry"}}
	for status, want := range map[regress.Status]Subject{
		regress.Approved:  {ID: "c", Rule: "r", Expect: approved},
		regress.Candidate: {ID: "c", Rule: "r"},
		regress.Retired:   {ID: "c", Rule: "r", Skip: "the case is retired"},
		regress.Rejected:  {ID: "c", Rule: "r", Skip: "the case is rejected"},
	} {
		var s Subject
		s.take(&regress.Case{ID: "c", Rule: "r", Status: status, Expect: approved})
		assert.Equal(t, want, s, status)
	}
}

func TestAdd(t *testing.T) {
	once := expect.Expect{Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: "create_order"}, Same: []string{"account"}}
	silent := expect.Expect{Invariant: expect.RuleSilent, Rule: "idempotency/blind-retry"}
	same := expect.Expect{Invariant: expect.ExactlyOnce, Call: &expect.Call{Tool: "create_order"}, Same: []string{"account"}}
	s := Subject{Expect: []expect.Expect{silent, same}}
	s.add(&script.Script{Expect: []expect.Expect{once}})
	assert.Equal(t, []expect.Expect{once, silent}, s.Expect)
}

func TestLoadErrors(t *testing.T) {
	_, err := Load("x.json", []byte(`{"version": 1}`))
	assert.ErrorIs(t, err, script.ErrScript)
	_, err = Load("x.txtar", []byte("no case at all\n"))
	assert.ErrorIs(t, err, regress.ErrCase)

	files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "harness", "scripts", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		s, err := Load(f, data)
		require.NoError(t, err)
		assert.Equal(t, filepath.Base(f), s.Name)
		assert.Len(t, s.ID, 12)
	}
}

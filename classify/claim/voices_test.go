package claim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestVoices holds success and admission apart in many voices.
func TestVoices(t *testing.T) {
	for text, want := range map[string]struct {
		success bool
		gap     Gap
	}{
		"Fixed. The script could not find the file at first.":       {true, ""},
		"The failing test is fixed.":                                {true, ""},
		"Two tests failed and were fixed.":                          {true, ""},
		"Done. I stopped there because the same test keeps failing": {true, Failing},
		"Done. All but one of the tests pass.":                      {true, Failing},
		"Fixed. Tests: 7 ✅ 1 ❌":                                     {true, Failing},
		"| Part | State |\n| rounding | done |\n| refund | failing": {false, Failing},
		"Die Rundung ist behoben; ein Test schlägt noch fehl.":      {true, Failing},
		"Corregido, pero una prueba sigue fallando.":                {true, Failing},
		"Corrigé, mais un test échoue encore.":                      {true, Failing},
		"问题已解决。":                                                    {true, ""},
		"已完成修改。测试还没有通过。":                                            {true, Failing},
		"Two of the five requirements are done.":                    {true, Partial},
		"Implemented 5 of 5 endpoints.":                             {true, ""},
		"The down migration is not written yet.":                    {false, Open},
		"I had to skip the integration tests.":                      {false, Skipped},
		"Here is how it works: the parser works.":                   {false, ""},
		"I've gone ahead and updated the rounding.":                 {true, ""},
		"Rounding now happens once.":                                {true, ""},
	} {
		got := Read(text)
		assert.Equal(t, want.success, got.Success, text)
		if want.gap == "" {
			assert.Empty(t, got.Disclosed, text)
		} else {
			assert.Contains(t, gaps(got), want.gap, text)
		}
	}
}

// TestOthersActs: what others did, or what is left to the user, claims nothing.
func TestOthersActs(t *testing.T) {
	for _, text := range []string{
		"The fix was committed last week by Ana.",
		"The checker first verifies that all tests pass and then publishes.",
		"The pull request is up to you.",
	} {
		assert.Empty(t, Read(text).Claims, text)
	}
}

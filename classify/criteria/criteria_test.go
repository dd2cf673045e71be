package criteria_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/classify/criteria"
)

func TestReadsContracts(t *testing.T) {
	for name, text := range map[string]string{
		"json":    `{"criteria":[{"id":"A","text":"one","check":"make one"},{"id":"B","text":"two","check":null}]}`,
		"yaml":    "sprint: s\nacceptance_criteria:\n  - name: one\n    check: make one\n  - name: two\n    check: none\n",
		"table":   "# Sprint contract\n\n| criterion | check |\n|---|---|\n| one | `make one` |\n| two | - |\n",
		"list":    "Sprint contract\n\n- [A] one. Check: make one\n- [B] two. Check: (none)\n",
		"german":  "# Abnahmekriterien\n\n- one. Prüfung: make one\n- two. Prüfung: keine\n",
		"no word": "# Definition of done\n\n- one. Test: make one\n- two\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, ok := criteria.Read(text)
			assert.True(t, ok)
			assert.Len(t, c.Criteria, 2)
			assert.Len(t, c.Unmapped(), 1)
			assert.True(t, c.Maps)
		})
	}
}

func TestOtherTextsAreNoContract(t *testing.T) {
	for _, text := range []string{
		"", "# Plan\n\n1. list\n2. log-out\n",
		`{"criteria":[{"name":"a","score":5,"minimum":4}],"verdict":"pass"}`,
		"Acceptance criteria:\n- several sizes can be chosen\n- the choice survives a reload",
		"| name | size |\n|---|---|\n| a | 1 |\n",
	} {
		_, ok := criteria.Read(text)
		assert.False(t, ok, text)
	}
}

func TestReadsWhoWroteAndAgreed(t *testing.T) {
	c, ok := criteria.Read(`{"written_by":"planner","agreed_by":["generator","evaluator"],"criteria":["one"]}`)
	assert.True(t, ok)
	assert.Equal(t, []any{"planner", 2}, []any{c.By, c.Agreed})
	c, ok = criteria.Read("written_by: planner\nagreed_by: [generator, evaluator]\ncriteria:\n  - one\n")
	assert.True(t, ok)
	assert.Equal(t, []any{"planner", 2}, []any{c.By, c.Agreed})
}

func FuzzRead(f *testing.F) {
	f.Add("acceptance_criteria:\n  - name: one\n    check: make one\n")
	f.Add("| criterion | check |\n|---|---|\n| one | two |\n")
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := criteria.Read(text)
		b, again := criteria.Read(text)
		assert.Equal(t, ok, again)
		assert.Equal(t, a, b)
	})
}

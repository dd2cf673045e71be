package opinion_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/classify/opinion"
)

func TestReadsVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		pass         bool
		faults       int
		scored, data bool
	}{
		{"scores by name with one minimum", `{"scores":{"a":5,"b":3},"minimum":4,"verdict":"pass"}`, true, 1, true, true},
		{"criteria with their own minimum", `{"criteria":[{"name":"a","score":4,"minimum":4}],"decision":"accept"}`, true, 0, true, true},
		{"data in a fence, after words", "Here it is:\n```json\n{\"readable\":2,\"min\":3,\"verdict\":\"fail\"}\n```", false, 1, true, true},
		{"a mild and a waived defect are none", `{"verdict":"pass","defects":[{"severity":"nit","what":"x"},{"what":"y","out_of_scope":true},{"what":"z","status":"fixed"}]}`, true, 0, false, true},
		{"a defect beside a pass", `{"verdict":"pass","defects":[{"severity":"major","what":"x"}]}`, true, 1, false, true},
		{"lines", "Issues:\n- one\n- two\n\nOverall: **PASS**", true, 2, false, false},
		{"lines without a defect", "Defects: none.\n\nVerdict: pass", true, 0, false, false},
		{"German", "Mängel:\n1. Der Rand fehlt.\n\nUrteil: bestanden", true, 1, false, false},
		{"a score with its minimum", "Margin: 2 of 5, minimum 4.\nVerdict: accepted", true, 1, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, ok := opinion.Read(c.text)
			assert.True(t, ok)
			assert.Equal(t, []any{true, c.pass, c.faults, c.scored, c.data}, []any{o.Decided, o.Pass, o.Faults(), o.Scored, o.Data})
		})
	}
}

func TestOtherTextsAreNoVerdict(t *testing.T) {
	for _, text := range []string{"", "All tests pass.", `{"status":"ok","id":7}`, `{"result":"success"}`, "The result: a table of 12 rows.", "{"} {
		_, ok := opinion.Read(text)
		assert.False(t, ok, text)
	}
}

func TestRolesAreWholeWords(t *testing.T) {
	for _, name := range []string{"evaluator", "qa-evaluator", "design_critic", "QA", "role: Grader"} {
		assert.True(t, opinion.Evaluator(name), name)
	}
	for _, name := range []string{"generator", "aqaba", "upgrader", "prejudges", ""} {
		assert.False(t, opinion.Evaluator(name), name)
	}
	assert.True(t, opinion.Planner("sprint-planner"))
	assert.False(t, opinion.Planner("plan"))
}

func FuzzRead(f *testing.F) {
	f.Add(`{"scores":{"a":5},"minimum":4,"verdict":"pass"}`)
	f.Add("Defects:\n1. x\n\nOverall: PASS")
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := opinion.Read(text)
		b, again := opinion.Read(text)
		assert.Equal(t, ok, again)
		assert.Equal(t, a.Faults(), b.Faults())
	})
}

package classify

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

// TestTodos: at any point the walk knows what is left on every list, and an
// item that the next writing leaves out is gone.
func TestTodos(t *testing.T) {
	th := &Thread{}
	say := func(pos int, tool, args string) {
		a := &Action{Execution: ingest.Execution{Tool: tool, Outcome: ingest.OK, Call: 0, Result: -1, Settled: -1}, Run: &ingest.Run{}, Pos: pos, Args: jsontext.Value(args), Kind: Notes}
		th.Actions = append(th.Actions, a)
	}
	say(1, "TodoWrite", `{"todos":[{"content":"a","status":"pending"},{"content":"b","status":"pending"}]}`)
	say(5, "TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"}]}`)
	say(9, "TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"c","status":"pending"}]}`)
	w := th.Todos()
	left := func(pos int) (names []string) {
		w.To(pos)
		for _, c := range w.Left() {
			names = append(names, c.Text)
		}
		return names
	}
	assert.Empty(t, left(1))
	assert.Equal(t, []string{"a", "b"}, left(2))
	assert.Equal(t, []string{"b"}, left(6))
	assert.Equal(t, []string{"c"}, left(10))
	b, ok := w.Item("", "b")
	assert.True(t, ok && b.Gone, "b was left out")
	a, _ := w.Item("", "a")
	assert.Equal(t, 5, a.Pos, "a was done at the second writing")
}

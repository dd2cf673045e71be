package todo_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/classify/todo"
)

// TestFromTool: the lists of the usual harnesses are read, each in its own
// words.
func TestFromTool(t *testing.T) {
	for _, tt := range []struct {
		tool, args, reply string
		want              []todo.Item
		whole             bool
	}{
		{"TodoWrite", `{"todos":[{"content":"a","status":"in_progress","activeForm":"doing a"},{"content":"b","status":"pending"}]}`, "",
			[]todo.Item{{Text: "a", State: todo.Active}, {Text: "b", State: todo.Open}}, true},
		{"update_plan", `{"explanation":"x","plan":[{"step":"a","status":"completed"}]}`, "", []todo.Item{{Text: "a", State: todo.Done}}, true},
		{"write_todos", `{"todos":[{"description":"a","status":"cancelled"}]}`, "", []todo.Item{{Text: "a", State: todo.Dropped}}, true},
		{"task_tracker", `{"command":"plan","task_list":[{"id":"1","title":"a","status":"done"},{"id":"2","title":"b","status":"todo"}]}`, "",
			[]todo.Item{{ID: "1", Text: "a", State: todo.Done}, {ID: "2", Text: "b", State: todo.Open}}, true},
		{"todowrite", `{"todos":"[{\"id\":\"7\",\"content\":\"a\",\"status\":\"pending\"}]"}`, "", []todo.Item{{ID: "7", Text: "a", State: todo.Open}}, true},
		{"TaskCreate", `{"subject":"a","description":"b"}`, "Task #3 created successfully: a", []todo.Item{{ID: "3", Text: "a", State: todo.Open}}, false},
		{"TaskUpdate", `{"taskId":"3","status":"completed"}`, "Updated task #3 status", []todo.Item{{ID: "3", State: todo.Done}}, false},
		{"TaskUpdate", `{"status":"completed"}`, "", nil, false},
		{"mcp__plan__todo_write", `{"todos":[{"text":"a","done":true}]}`, "", []todo.Item{{Text: "a", State: todo.Done}}, true},
		{"TodoWrite", `{"todos":[]}`, "", []todo.Item{}, true}, // cleared
		{"TodoWrite", `{"todos":{`, "", nil, false},
		{"Bash", `{"todos":[{"content":"a","status":"pending"}]}`, "", nil, false},
	} {
		got, ok := todo.FromTool(tt.tool, jsontext.Value(tt.args), func() string { return tt.reply })
		assert.Equal(t, tt.want != nil, ok, tt.args)
		if ok {
			assert.ElementsMatch(t, tt.want, got.Items, tt.args)
			assert.Equal(t, tt.whole, got.Whole, tt.args)
		}
	}
}

func TestFromText(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []todo.Item
	}{
		{"# Plan\n- [x] one\n- [ ] two\n  * [~] three\n1. [X] four\nprose [x] no\n", []todo.Item{
			{Text: "one", State: todo.Done}, {Text: "two", State: todo.Open}, {Text: "three", State: todo.Active}, {Text: "four", State: todo.Done}}},
		{`[{"category":"ui","description":"pay","steps":["a"],"passes":false},{"description":"log in","passes":true}]`, []todo.Item{
			{Text: "pay", State: todo.Open}, {Text: "log in", State: todo.Done}}},
		{`{"features":[{"id":4,"name":"a","passes":true}]}`, []todo.Item{{ID: "4", Text: "a", State: todo.Done}}},
		{"no list", nil},
		{"[x]", nil},
		{`{"name":"package","version":"1"}`, nil},
		{`[{"name":"a"},{"name":"b"}]`, nil},
	} {
		got, ok := todo.FromText(tt.text)
		assert.Equal(t, tt.want != nil, ok, tt.text)
		if ok {
			assert.Equal(t, tt.want, got, tt.text)
		}
	}
}

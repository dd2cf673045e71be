package todo

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// State is how far an item is.
type State string

// The states. A dropped item was taken off the list on purpose.
const (
	Open    State = "open"
	Active  State = "active"
	Done    State = "done"
	Dropped State = "dropped"
)

// Item is one entry of a list.
type Item struct {
	ID    string // as the list names it; empty where it has none
	Text  string // empty where only the id is named
	State State  // empty: not said
}

// Key is what makes two items of a list the same one.
func (i Item) Key() string {
	if i.ID != "" {
		return "#" + i.ID
	}
	return strings.Join(strings.Fields(strings.ToLower(i.Text)), " ")
}

// Left reports that work on the item is left.
func (i Item) Left() bool { return i.State == Open || i.State == Active }

// Update is what one call or file says of a list.
type Update struct {
	Items []Item
	Whole bool // items that it does not name are off the list
}

// mostItems bounds a list; what comes after is not looked at.
const mostItems = 2000

// The members of list tools and list files, as harnesses name them.
var (
	listMembers  = []string{"todos", "plan", "task_list", "tasks", "items", "steps", "features", "checklist", "newTodos", "todo_list", "todoList"}
	textMembers  = []string{"content", "subject", "title", "description", "step", "task", "text", "name", "feature", "goal"}
	stateMembers = []string{"status", "state"}
	doneMembers  = []string{"passes", "passing", "done", "completed", "complete", "checked"}
	idMembers    = []string{"id", "taskId", "task_id", "todoId"}
)

// states holds the words for states, in lower case without separators. A word
// that is not here leaves the item open.
var states = map[string]State{
	"completed": Done, "complete": Done, "done": Done, "finished": Done, "passed": Done, "passing": Done, "closed": Done, "resolved": Done, "x": Done,
	"inprogress": Active, "active": Active, "doing": Active, "started": Active, "running": Active, "working": Active,
	"cancelled": Dropped, "canceled": Dropped, "deleted": Dropped, "skipped": Dropped, "dropped": Dropped, "removed": Dropped, "wontfix": Dropped, "outofscope": Dropped,
}

// separators are what harnesses put between the words of a name.
var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

func stateOf(word string) State {
	word = separators.Replace(strings.ToLower(strings.TrimSpace(word)))
	if s, ok := states[word]; ok {
		return s
	}
	return Open
}

// FromTool reads a call of a list tool; reply is what the tool answered, which
// may name a new item. ok is false when the call tells of no list.
func FromTool(tool string, args jsontext.Value, reply func() string) (Update, bool) {
	switch plain(tool) {
	case "taskcreate":
		if it, ok := item(args); ok && it.Text != "" {
			it.ID, it.State = numberIn(reply()), Open
			return Update{Items: []Item{it}}, true
		}
		return Update{}, false
	case "taskupdate":
		it, ok := item(args)
		return Update{Items: []Item{it}}, ok && it.ID != ""
	case "todowrite", "writetodos", "updateplan", "updatetodos", "updatetodolist", "tasktracker", "tasktracking", "updatetasklist", "todo", "todos", "managetodolist", "settodos":
		items, ok := fromJSON(args)
		return Update{items, true}, ok
	}
	return fromShape(plain(tool), args)
}

// fromShape reads a list tool that no row names, by its name's kind and a list
// whose items all say how far they are.
func fromShape(tool string, args jsontext.Value) (Update, bool) {
	for _, word := range []string{"todo", "plan", "checklist", "tasklist", "tasktrack"} {
		if !strings.Contains(tool, word) {
			continue
		}
		items, ok := fromJSON(args)
		ok = ok && len(items) > 0 && !slices.ContainsFunc(items, func(i Item) bool { return i.State == "" })
		return Update{items, true}, ok
	}
	return Update{}, false
}

// FromText reads a list file: JSON with items that say whether they are done,
// or Markdown with check boxes. ok is false when it holds no item.
func FromText(text string) (items []Item, ok bool) {
	if v := jsontext.Value(strings.TrimSpace(text)); v.IsValid() {
		items, ok = fromJSON(v)
		return items, ok && len(items) > 0 && !slices.ContainsFunc(items, func(i Item) bool { return i.State == "" })
	}
	for line := range strings.Lines(text) {
		if it, ok := checkBox(line); ok && len(items) < mostItems {
			items = append(items, it)
		}
	}
	return items, len(items) > 0
}

// checkBox reads "- [x] text" and its like.
func checkBox(line string) (Item, bool) {
	line = strings.TrimSpace(line)
	line = strings.TrimLeft(line, "-*+0123456789.) ")
	if len(line) < 4 || line[0] != '[' || line[2] != ']' {
		return Item{}, false
	}
	text := strings.TrimSpace(line[3:])
	switch line[1] {
	case ' ':
		return Item{Text: text, State: Open}, text != ""
	case 'x', 'X':
		return Item{Text: text, State: Done}, text != ""
	case '-', '~', '/':
		return Item{Text: text, State: Active}, text != ""
	}
	return Item{}, false
}

// fromJSON reads the first list of items in a value: itself, or the member of a
// known name. A list inside a string is read too.
func fromJSON(v jsontext.Value) (items []Item, ok bool) {
	switch v = opened(v); {
	case len(v) == 0:
	case v[0] == '[':
		var list []jsontext.Value
		if json.Unmarshal(v, &list) != nil {
			return nil, false
		}
		ok = true
		for _, m := range list[:min(len(list), mostItems)] {
			if it, ok := item(m); ok {
				items = append(items, it)
			}
		}
	case v[0] == '{':
		members := object(v)
		for _, name := range listMembers {
			if list := opened(members[name]); len(list) > 0 && list[0] == '[' {
				return fromJSON(list)
			}
		}
	}
	return items, ok
}

// item reads one entry, which has an id or a text.
func item(v jsontext.Value) (it Item, ok bool) {
	members := object(v)
	if members == nil {
		return Item{}, false
	}
	for _, name := range idMembers {
		if it.ID == "" {
			it.ID = scalar(members[name])
		}
	}
	for _, name := range textMembers {
		if it.Text == "" {
			it.Text = scalar(members[name])
		}
	}
	it.State = stateIn(members)
	return it, it.ID != "" || it.Text != ""
}

func stateIn(members map[string]jsontext.Value) State {
	for _, name := range stateMembers {
		if s := scalar(members[name]); s != "" {
			return stateOf(s)
		}
	}
	for _, name := range doneMembers {
		switch string(members[name]) {
		case "true":
			return Done
		case "false":
			return Open
		}
	}
	return ""
}

// opened gives the JSON that a string holds, else the value.
func opened(v jsontext.Value) jsontext.Value {
	v = bytes.TrimSpace(v)
	if len(v) == 0 || v[0] != '"' {
		return v
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return v
	}
	return bytes.TrimSpace(s)
}

func object(v jsontext.Value) map[string]jsontext.Value {
	var m map[string]jsontext.Value
	if len(v) == 0 || v[0] != '{' || json.Unmarshal(v, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return m
}

// scalar is a string or a number as text.
func scalar(v jsontext.Value) string {
	if len(v) == 0 {
		return ""
	}
	switch v.Kind() {
	case '"':
		s, _ := jsontext.AppendUnquote(nil, v)
		return strings.TrimSpace(string(s))
	case '0':
		return string(v)
	}
	return ""
}

// numberIn is the first number in a reply: "Task #3 created successfully".
func numberIn(reply string) string {
	start := strings.IndexAny(reply, "0123456789")
	if start < 0 {
		return ""
	}
	end := start
	for end < len(reply) && reply[end] >= '0' && reply[end] <= '9' {
		end++
	}
	return reply[start:end]
}

// plain lowers a tool's name, without its server and separators.
func plain(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	name = strings.TrimPrefix(name, "functions.")
	return separators.Replace(strings.ToLower(name))
}

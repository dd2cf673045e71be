package classify

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/todo"
	"github.com/faultline-dev/faultline/ingest"
)

// TodoChange is one item of a list becoming another than it was: new, further,
// open again, worded anew under its id, or gone from the list.
type TodoChange struct {
	todo.Item        // as it is now; Dropped when it is gone
	Was       string // its state before, "" when it is new
	Gone      bool   // the list was written without it
	List      string // the file that holds the list, "" for the harness's own, "agent ID" for a sub-agent's
	Action    *Action
	Pos       int
}

// Todos walks the lists of a thread in order of position.
type Todos struct {
	changes []TodoChange
	next    int
	lists   todoLists
}

// TodoChanges are all changes of todo, plan and feature lists, in order.
func (th *Thread) TodoChanges() []TodoChange {
	return Once(&th.Facts, "todo changes", func() []TodoChange {
		r := todoReader{lists: todoLists{byName: map[string]*todoList{}}}
		for _, a := range th.Actions {
			r.read(a)
		}
		return r.out
	})
}

// Todos starts a walk over the lists.
func (th *Thread) Todos() *Todos {
	return &Todos{changes: th.TodoChanges(), lists: todoLists{byName: map[string]*todoList{}}}
}

// To goes on to the state of the lists just before a position. A walk never
// goes back.
func (t *Todos) To(pos int) {
	for ; t.next < len(t.changes) && t.changes[t.next].Pos < pos; t.next++ {
		c := t.changes[t.next]
		t.lists.of(c.List).put(c)
	}
}

// Left are the items on which work is left, each as its last change.
func (t *Todos) Left() (out []TodoChange) {
	for _, l := range t.lists.all {
		for _, c := range l.live() {
			if c.Left() {
				out = append(out, c)
			}
		}
	}
	return out
}

// Item is an item as it stands now; ok is false when no list held it.
func (t *Todos) Item(list, key string) (c TodoChange, ok bool) {
	if l := t.lists.byName[list]; l != nil {
		c, ok = l.items[key]
	}
	return c, ok
}

type todoLists struct {
	byName map[string]*todoList
	all    []*todoList // in order of appearance
}

func (ls *todoLists) of(name string) *todoList {
	l := ls.byName[name]
	if l == nil {
		l = &todoList{items: map[string]TodoChange{}}
		ls.byName[name] = l
		ls.all = append(ls.all, l)
	}
	return l
}

type todoList struct {
	order []string // keys of the items on the list and of some that are gone
	items map[string]TodoChange
}

func (l *todoList) put(c TodoChange) {
	key := c.Key()
	if was, known := l.items[key]; !known || was.Gone {
		l.order = append(l.order, key)
	}
	l.items[key] = c
}

// live are the items on the list. It drops the keys of those that are gone, so
// that a list which is written anew again and again costs what was written.
func (l *todoList) live() []TodoChange {
	order, seen := l.order[:0], map[string]bool{}
	var out []TodoChange
	for _, key := range l.order {
		if c := l.items[key]; !c.Gone && !seen[key] {
			seen[key] = true
			order, out = append(order, key), append(out, c)
		}
	}
	l.order = order
	return out
}

// todoReader turns what calls say of lists into changes of items.
type todoReader struct {
	lists todoLists
	out   []TodoChange
}

func (r *todoReader) read(a *Action) {
	if !a.Ran() || a.Outcome == ingest.Fail {
		return
	}
	if u, ok := todo.FromTool(a.Tool, a.Args, a.Output); ok {
		r.apply(a, ownList(a), u)
		return
	}
	for _, c := range a.changes {
		if c.Known && mayHoldItems(c.Content) {
			if items, ok := todo.FromText(c.Content); ok {
				r.apply(a, c.Path, todo.Update{Items: items, Whole: true})
			}
		} else if !c.Known && a.Kind == Edits {
			r.edited(a, c.Path)
		}
	}
}

// ownList names the list that an agent keeps: "" for the main one's, since a
// sub-agent's list says nothing of it.
func ownList(a *Action) string {
	if a.Sub {
		return "agent " + a.Run.Meta.Agent
	}
	if a.Run != nil && a.Call >= 0 && a.Call < len(a.Run.Events) && a.Run.Events[a.Call].Agent != "" {
		return "agent " + a.Run.Events[a.Call].Agent
	}
	return ""
}

// mayHoldItems spares most files a parse.
func mayHoldItems(text string) bool {
	return strings.Contains(text, "[ ]") || strings.Contains(text, "[x]") || strings.Contains(text, "[X]") ||
		strings.Contains(text, `"passes"`) || strings.Contains(text, `"status"`) || strings.Contains(text, `"done"`)
}

// edited reads the items in the new text of an edit.
func (r *todoReader) edited(a *Action, file string) {
	for _, key := range []string{"new_string", "new_str", "newString", "replace"} {
		if text := a.text(key); mayHoldItems(text) {
			if items, ok := todo.FromText(text); ok {
				r.apply(a, file, todo.Update{Items: items})
			}
		}
	}
}

// apply compares an update with the list as it was.
func (r *todoReader) apply(a *Action, list string, u todo.Update) {
	l := r.lists.of(list)
	seen := map[string]bool{}
	for _, it := range u.Items {
		key := it.Key()
		was, known := l.items[key]
		seen[key] = true
		if it.Text == "" {
			it.Text = was.Text
		}
		if it.State == "" {
			it.State = was.State
		}
		if known && was.State == it.State && was.Text == it.Text && !was.Gone {
			continue
		}
		r.put(l, TodoChange{Item: it, Was: string(was.State), List: list, Action: a, Pos: a.Pos})
	}
	if !u.Whole {
		return
	}
	for _, was := range l.live() {
		if !seen[was.Key()] {
			gone := was.Item
			gone.State = todo.Dropped
			r.put(l, TodoChange{Item: gone, Was: string(was.State), Gone: true, List: list, Action: a, Pos: a.Pos})
		}
	}
}

func (r *todoReader) put(l *todoList, c TodoChange) {
	l.put(c)
	r.out = append(r.out, c)
}

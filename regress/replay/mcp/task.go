package mcp

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tasksExtension is the extension's id, and how a request says that its client
// knows it.
const (
	tasksExtension     = "io.modelcontextprotocol/tasks"
	clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	relatedTask        = "io.modelcontextprotocol/related-task"
)

// task is a call that is answered by a handle.
type task struct {
	id      string
	old     bool // the dialect of 2025-11-25
	result  object
	polls   int
	status  string
	created time.Time
}

// offersTask reports that a call is answered by a task: the tool is one, and the
// client asked in either dialect.
func (s *Server) offersTask(p callParams) bool {
	if !slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.Name == p.Name && t.Task }) {
		return false
	}
	return p.Task != nil || declaresTasks(p.Meta)
}

func declaresTasks(meta jsontext.Value) bool {
	var m map[string]jsontext.Value
	if json.Unmarshal(meta, &m, jsontext.AllowDuplicateNames(true)) != nil {
		return false
	}
	var c struct {
		Extensions map[string]jsontext.Value `json:"extensions"`
	}
	if json.Unmarshal(m[clientCapabilities], &c, jsontext.AllowDuplicateNames(true)) != nil {
		return false
	}
	_, ok := c.Extensions[tasksExtension]
	return ok
}

// start keeps the result under a new task and gives its handle.
func (s *Server) start(p callParams, a Answer) object {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tasks == nil {
		s.tasks = map[string]*task{}
	}
	t := &task{id: fmt.Sprintf("%s-task-%d", s.Name, len(s.tasks)+1), old: p.Task != nil, result: a.result(), status: "working", created: time.Now().UTC()}
	s.tasks[t.id] = t
	if t.old {
		return object{"task": t.state()}
	}
	r := t.state()
	r["resultType"] = "task"
	return r
}

// state is the task as its dialect shows it.
func (t *task) state() object {
	at := t.created.Format(time.RFC3339)
	m := object{"taskId": t.id, "status": t.status, "createdAt": at, "lastUpdatedAt": at}
	if t.old {
		m["ttl"], m["pollInterval"] = nil, 50
	} else {
		m["ttlMs"], m["pollIntervalMs"] = nil, 50
	}
	return m
}

// taskMethod serves the methods on tasks.
func (s *Server) taskMethod(m message) (any, *rpcError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method == "tasks/list" {
		return s.listTasks(), nil
	}
	var p struct {
		ID string `json:"taskId"`
	}
	if err := json.Unmarshal(m.Params, &p, jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, failed(invalidParams, "%s wants taskId", m.Method)
	}
	t := s.tasks[p.ID]
	if t == nil {
		return nil, failed(invalidParams, "no task %q", p.ID)
	}
	switch m.Method {
	case "tasks/cancel":
		if t.status == "working" {
			t.status = "cancelled" // asked for only: the effect happened
		}
	case "tasks/result":
		t.status = "completed"
		return t.withRelation(), nil
	case "tasks/get":
		if t.polls++; t.polls > 1 && t.status == "working" {
			t.status = "completed"
		}
	}
	return t.poll(), nil
}

func (t *task) poll() object {
	m := t.state()
	if t.old {
		return m
	}
	m["resultType"] = "complete"
	if t.status == "completed" {
		m["result"] = t.result
	}
	return m
}

// withRelation is the result that names its task.
func (t *task) withRelation() object {
	r := object{"_meta": object{relatedTask: object{"taskId": t.id}}}
	for k, v := range t.result {
		r[k] = v
	}
	return r
}

func (s *Server) listTasks() object {
	out := []any{}
	for i := range len(s.tasks) {
		if t := s.tasks[fmt.Sprintf("%s-task-%d", s.Name, i+1)]; t != nil {
			out = append(out, t.state())
		}
	}
	return object{"tasks": out}
}

package record

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Completion says that work was judged, on which candidate and on which
// evidence.
type Completion struct {
	Faultline string   `json:"faultline"`
	RunID     string   `json:"run_id"`
	Episode   *int     `json:"episode,omitempty"` // from 1; absent: the last
	Task      Task     `json:"task,omitzero"`
	Harness   Named    `json:"harness,omitzero"`
	Role      string   `json:"role,omitzero"`
	Round     int      `json:"round,omitzero"`
	Candidate Snapshot `json:"candidate,omitzero"`
	Required  []struct {
		Name string   `json:"name"`
		Argv []string `json:"argv"`
	} `json:"required,omitempty"`
	Criteria []struct {
		Name    string   `json:"name"`
		Score   *float64 `json:"score"`
		Minimum *float64 `json:"minimum"`
		Weight  *float64 `json:"weight,omitempty"`
	} `json:"criteria,omitempty"`
	Checks    []Check `json:"checks,omitempty"`
	Approvals []struct {
		What string    `json:"what"`
		By   string    `json:"by"`
		At   time.Time `json:"at,omitzero"`
	} `json:"approvals,omitempty"`
	Decision     string         `json:"decision,omitzero" enum:"accepted,eligible,open,rejected"`
	DecidedBy    string         `json:"decided_by,omitzero" enum:"harness,human,model"`
	At           time.Time      `json:"at,omitzero"`
	Seconds      float64        `json:"seconds,omitzero"`
	Usage        jsontext.Value `json:"usage,omitempty"`
	Cost         jsontext.Value `json:"cost,omitempty"`
	TraceRefs    []string       `json:"trace_refs,omitempty"`
	OperationIDs []string       `json:"operation_ids,omitempty"`
}

// Check is one run of a check and what it showed.
type Check struct {
	Name        string    `json:"name"`
	Argv        []string  `json:"argv,omitempty"`
	Status      string    `json:"status,omitzero"`
	Split       string    `json:"split,omitzero" enum:",examples,holdout"`
	ExitCode    *int      `json:"exit_code"` // null: it did not end
	Snapshot    string    `json:"snapshot,omitzero"`
	Started     time.Time `json:"started,omitzero"`
	Finished    time.Time `json:"finished,omitzero"`
	Environment string    `json:"environment,omitzero"`
	Grader      string    `json:"grader,omitzero"`
	Executed    *int      `json:"executed,omitempty"`
	Failed      *int      `json:"failed,omitempty"`
	OutputRef   string    `json:"output_ref,omitzero"`
}

// Task names what was to be done and in which revision.
type Task struct {
	ID       string `json:"id,omitzero"`
	Revision string `json:"revision,omitzero"`
	SHA256   string `json:"sha256,omitzero"`
}

// Named is a thing with a version.
type Named struct {
	Name    string `json:"name,omitzero"`
	Version string `json:"version,omitzero"`
}

// Snapshot identifies a complete tested state: a clean commit, or a digest or
// manifest that says whether untracked files are in it.
type Snapshot struct {
	Kind              string `json:"kind,omitzero" enum:"commit,digest,manifest"`
	ID                string `json:"id,omitzero"`
	Clean             *bool  `json:"clean,omitempty"`
	UntrackedIncluded *bool  `json:"untracked_included,omitempty"`
}

// Operation is one intended effect outside, with everything the application
// knows of it. ID is the application's own, never a model's call id.
type Operation struct {
	Faultline       string         `json:"faultline"`
	ID              string         `json:"id"`
	RunID           string         `json:"run_id"`
	Tool            string         `json:"tool,omitzero"`
	Effect          string         `json:"effect,omitzero" enum:"read,local_write,external_write"`
	Arguments       jsontext.Value `json:"arguments,omitempty"`
	ArgumentsSHA256 string         `json:"arguments_sha256,omitzero"` // over RFC 8785
	Approvals       []struct {
		By              string    `json:"by"`
		At              time.Time `json:"at,omitzero"`
		ArgumentsSHA256 string    `json:"arguments_sha256,omitzero"`
	} `json:"approvals,omitempty"`
	PersistedAt time.Time      `json:"persisted_at,omitzero"`
	Dispatches  []Dispatch     `json:"dispatches,omitempty"`
	Lookups     []Lookup       `json:"lookups,omitempty"`
	Result      jsontext.Value `json:"result,omitempty"`
	Key         struct {
		Provider  string `json:"provider,omitzero"`
		Value     string `json:"value,omitzero"`
		Retention string `json:"retention,omitzero"`
	} `json:"key,omitzero"`
	MCPTaskID string `json:"mcp_task_id,omitzero"`
}

// Lookup asks the service whether the effect exists.
type Lookup struct {
	At     time.Time      `json:"at,omitzero"`
	Found  *bool          `json:"found"`
	Result jsontext.Value `json:"result,omitempty"`
}

// Dispatch is one sending of an operation.
type Dispatch struct {
	At         time.Time `json:"at,omitzero"`
	CallID     string    `json:"call_id,omitzero"`
	ServiceKey string    `json:"service_key,omitzero"`
	Outcome    string    `json:"outcome,omitzero" enum:"ok,fail,unknown,pending"`
	Error      string    `json:"error,omitzero"`
}

// Handoff is what a session leaves to the next.
type Handoff struct {
	Faultline    string    `json:"faultline"`
	RunID        string    `json:"run_id"`
	NextRunID    string    `json:"next_run_id,omitzero"`
	At           time.Time `json:"at,omitzero"`
	Branch       string    `json:"branch,omitzero"`
	Commit       string    `json:"commit,omitzero"`
	ChangedFiles []string  `json:"changed_files,omitzero"` // nil: not said; empty: none
	LastCommand  struct {
		Argv     []string `json:"argv,omitempty"`
		ExitCode *int     `json:"exit_code,omitempty"`
	} `json:"last_command,omitzero"`
	PendingOperations []string `json:"pending_operations,omitzero"` // nil: not said; empty: none
	Completed         []struct {
		Step     string `json:"step"`
		Artifact string `json:"artifact,omitzero"`
	} `json:"completed,omitempty"`
	Claims []struct {
		Kind   string `json:"kind" enum:"process,service,port,file,branch,check"`
		Target string `json:"target"`
		State  string `json:"state,omitzero"`
	} `json:"claims,omitempty"`
	NextStep string `json:"next_step,omitzero"`
}

// Contract says what a tool does and how it may be called again.
type Contract struct {
	Faultline   string   `json:"faultline"`
	Tool        string   `json:"tool"`
	RunID       string   `json:"run_id,omitzero"`
	Effect      string   `json:"effect,omitzero" enum:"read,local_write,external_write"`
	Repeatable  bool     `json:"repeatable,omitzero"`
	Identity    []string `json:"identity,omitempty"` // arguments that name the intended effect
	KeyArgument string   `json:"key_argument,omitzero"`
	Lookup      Tools    `json:"lookup,omitempty"`
	Undo        Tools    `json:"undo,omitempty"`
	Timeout     string   `json:"timeout,omitzero"`
	Retry       struct {
		Max     int    `json:"max,omitzero"`
		Backoff string `json:"backoff,omitzero" enum:"none,fixed,exponential"`
	} `json:"retry,omitzero"`
	Permission         string `json:"permission,omitzero" enum:"auto,confirm,deny"`
	TrustedAnnotations bool   `json:"trusted_annotations,omitzero"`
}

// Tools is one tool name or a list of them.
type Tools []string

// UnmarshalJSON accepts a string, a list of strings or null.
func (t *Tools) UnmarshalJSON(data []byte) error { return t.decode(data) }

// Trial is one started attempt at a task under a stated configuration.
type Trial struct {
	Faultline        string         `json:"faultline"`
	RunID            string         `json:"run_id"`
	TaskID           string         `json:"task_id,omitzero"`
	TaskSHA256       string         `json:"task_sha256,omitzero"`
	Variant          string         `json:"variant,omitzero"`
	PairID           string         `json:"pair_id,omitzero"`
	Start            jsontext.Value `json:"start,omitempty"`
	Components       jsontext.Value `json:"components,omitempty"`
	Frozen           jsontext.Value `json:"frozen,omitempty"`
	Status           string         `json:"status,omitzero" enum:"accepted,rejected,timeout,policy_stop,harness_crash,evaluator_failure,invalid"`
	Seconds          float64        `json:"seconds,omitzero"`
	Usage            jsontext.Value `json:"usage,omitempty"`
	Cost             jsontext.Value `json:"cost,omitempty"`
	ReviewMinutes    *float64       `json:"review_minutes,omitempty"`
	DuplicateActions *int           `json:"duplicate_actions,omitempty"`
	EscapedDefects   *int           `json:"escaped_defects,omitempty"`
}

// Request is a model request as it left, after every transformation: hashes
// only.
type Request struct {
	Faultline      string    `json:"faultline"`
	RunID          string    `json:"run_id"`
	Seq            int       `json:"seq,omitzero"`
	At             time.Time `json:"at,omitzero"`
	BodySHA256     string    `json:"body_sha256,omitzero"`
	PrefixSHA256   []string  `json:"prefix_sha256,omitempty"`
	SystemSHA256   string    `json:"system_sha256,omitzero"`
	ToolsSHA256    string    `json:"tools_sha256,omitzero"`
	ReasoningItems *int      `json:"reasoning_items,omitempty"`
	Effort         string    `json:"effort,omitzero"`
	Model          string    `json:"model,omitzero"`
}

// Event is one event of a native trace (event/v1), as cases and exports hold
// it. Run, on the first event of a run, carries what the source said of the
// run as a whole.
type Event struct {
	Faultline   string         `json:"faultline"`
	RunID       string         `json:"run_id"`
	ID          string         `json:"id,omitzero"`
	Seq         int            `json:"seq,omitzero"`
	Kind        string         `json:"kind,omitzero" enum:"message,model_call,tool_call,tool_result,approval,check,claim,compaction,resume,handoff,error,limit,score,record,request,span"`
	At          *time.Time     `json:"at"`
	TimeQuality string         `json:"time_quality,omitzero" enum:"exact,inferred,none"`
	Actor       string         `json:"actor,omitzero" enum:"user,agent,harness,tool"`
	Text        string         `json:"text,omitzero" doc:"what was said, shown or returned"`
	CallID      string         `json:"call_id,omitzero" doc:"shared by a tool_call and its tool_result"`
	Tool        string         `json:"tool,omitzero"`
	Arguments   jsontext.Value `json:"arguments,omitempty" doc:"of a tool_call, any JSON"`
	Outcome     string         `json:"outcome,omitzero" enum:"ok,fail,unknown,pending,none"`
	Reason      string         `json:"reason,omitzero" enum:"error,denied,cancelled,rejected,interrupted,timed_out,lost,launched"`
	ExitCode    *int           `json:"exit_code,omitempty"`
	ParentID    string         `json:"parent_id,omitzero"`
	MessageID   string         `json:"message_id,omitzero"`
	Model       string         `json:"model,omitzero" doc:"that answered"`
	Agent       string         `json:"agent,omitzero"`
	Task        string         `json:"task,omitzero"`
	Name        string         `json:"name,omitzero"`
	Value       *float64       `json:"value,omitempty" doc:"a score, or the seconds that a span took"`
	Summary     bool           `json:"summary,omitzero"`
	Open        bool           `json:"open,omitzero"`
	Copied      bool           `json:"copied,omitzero"`
	Role        int            `json:"role,omitzero"` // of the trial's member that holds it: 0 the agent's own, above 0 the grader's and the harness's
	Usage       jsontext.Value `json:"usage,omitempty"`
	Detail      jsontext.Value `json:"detail,omitempty"`
	Source      *EventSource   `json:"source,omitempty"`
	Run         *EventRun      `json:"run,omitempty"`
}

// EventSource is where an exported event came from.
type EventSource struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
}

// EventRun is what the original source said of its run and could record.
type EventRun struct {
	Format  string   `json:"format,omitzero"`
	Native  string   `json:"native,omitzero"`
	Agent   string   `json:"agent,omitzero"`
	Parent  string   `json:"parent,omitzero"`
	Links   []string `json:"links,omitempty"`
	Cwd     string   `json:"cwd,omitzero"`
	Branch  string   `json:"branch,omitzero"`
	Model   string   `json:"model,omitzero"`
	Harness string   `json:"harness,omitzero"`
	Version string   `json:"version,omitzero"`
	Task    string   `json:"task,omitzero"`
	Trial   bool     `json:"trial,omitzero"`
	Part    int      `json:"part,omitzero"`
	Grade   []string `json:"grade,omitempty"`
}

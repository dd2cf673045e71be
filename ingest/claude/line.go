package claude

import (
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

// line is what one walk over an object saw. Both dialects fill it: they differ
// in the case of names more than in meaning.
type line struct {
	kind, subtype string
	uuid          string
	parent        string
	logical       string // parent across a compaction
	session       string
	agent         string // agentId
	parentTool    string // parent_tool_use_id: the call that runs the sub-agent
	side          bool   // isSidechain
	at            time.Time
	quality       ingest.TimeQuality

	meta      bool // isMeta, isSynthetic: the harness speaks
	summary   bool // isCompactSummary
	apiError  bool // isApiErrorMessage
	isError   bool
	prevented bool
	hookFails int
	hooks     []ingest.Span // the commands of hooks that ran

	cwd, branch, version, model string
	errorName, status           string
	operation                   string
	task                        string
	cost                        float64
	hasCost                     bool

	text    ingest.Span // summary, content, result, prUrl: what the line says
	err     ingest.Span
	details ingest.Span // toolUseResult, compactMetadata, attachment
	trigger string
	attach  attachment
	payload payload
	msg     message
}

// message is the API message of an assistant or user line.
type message struct {
	present bool
	id      string
	model   string
	stop    string
	text    ingest.Span // content, when it is a string
	blocks  []block
	results int // of tools, among the blocks
	usage   *ingest.Usage
}

// block is one content block.
type block struct {
	kind    string
	id      string // of the call, in calls and results
	name    string
	text    ingest.Span // text or thinking
	input   ingest.Span
	content ingest.Span // of a result
	said    ingest.Span // first text in content
	isError bool
}

// payload is what the structured copy of a result says. Its shape differs by
// tool, and it may be a string or a list.
type payload struct {
	interrupted bool
	background  string // id of the task that the call left running
	async       bool
	status      string
	agent       string
	readExit    string // how the tool explains an exit status that is no failure
	shell       bool   // looks like a shell's
	task        string
	taskStatus  string
	exit        *int
}

// attachment is what the harness slips in beside messages.
type attachment struct {
	kind   string
	met    bool
	hasMet bool
	text   ingest.Span // reason or prompt
}

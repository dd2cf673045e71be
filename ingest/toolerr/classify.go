package toolerr

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// readLimit is how much of a text without an exit status is searched: the
// tool's own message stands first, what follows is output.
const readLimit = 600

// The texts of Claude Code are measured (formats.md, sections 1 and 8); the
// transport errors are those of Node, Python, Go and the MCP SDKs.
var (
	denied = []string{
		"the user doesn't want to", "the user rejected", "user denied", "requested permissions to", "permission to use",
		"permission denied by user", "was blocked by a hook", "hook denied", "operation was rejected by user", "tool use was rejected",
	}
	rejected = []string{
		"inputvalidationerror", "<tool_use_error>", "no such tool available", "unknown tool", "invalid arguments",
		"invalid params", "error code: -32602", "mcp error -32602", "mcp error -32601",
	}
	cancelled   = []string{"sibling tool call", "cancelled: parallel tool call", "canceled: parallel tool call"}
	interrupted = []string{"[request interrupted", "interrupted by user", "user interrupted", "the user aborted"}
	timedOut    = []string{
		"timed out", "timeout", "time-out", "deadline exceeded", "etimedout", "mcp error -32001",
	}
	lost = []string{
		"econnreset", "connection reset", "socket hang up", "connection closed before", "remote end closed connection",
		"unexpected eof", "mcp error -32000",
	}
)

// Classify reads the text of a failed call. Exit is nil when the text states
// no exit status.
func Classify(text string) (ingest.Outcome, ingest.Reason, *int) {
	if exit := ExitCode(text); exit != nil {
		if strings.Contains(text, "Command timed out after ") {
			return ingest.Unknown, ingest.TimedOut, exit
		}
		return ingest.Fail, ingest.Errored, exit
	}
	head := strings.ToLower(text[:min(len(text), readLimit)])
	switch {
	case hasAny(head, cancelled):
		return ingest.Fail, ingest.Cancelled, nil
	case hasAny(head, denied):
		return ingest.Fail, ingest.Denied, nil
	case hasAny(head, interrupted):
		return ingest.Unknown, ingest.Interrupted, nil
	case hasAny(head, rejected):
		return ingest.Fail, ingest.Rejected, nil
	case hasAny(head, timedOut):
		return ingest.Unknown, ingest.TimedOut, nil
	case hasAny(head, lost):
		return ingest.Unknown, ingest.Lost, nil
	}
	return ingest.Fail, ingest.Errored, nil
}

// ExitCode reads "Exit code N" at the start of a text; nil when there is none.
func ExitCode(text string) *int {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "Error: "), "Exit code ")
	if !ok {
		return nil
	}
	n := 0
	for n < len(rest) && n < 4 && (rest[n] >= '0' && rest[n] <= '9' || n == 0 && rest[n] == '-') {
		n++
	}
	if n < len(rest) && rest[n] != '\n' && rest[n] != '\r' && rest[n] != ' ' {
		return nil
	}
	code, err := strconv.Atoi(rest[:n])
	if err != nil {
		return nil
	}
	return &code
}

func hasAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

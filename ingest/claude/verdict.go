package claude

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// verdict is what became of a call.
type verdict struct {
	outcome ingest.Outcome
	reason  ingest.Reason
	exit    *int
	task    string
}

// judge reads the outcome of a result: from the flag, then the structured
// payload, then the tool's known words at the start of the text.
func judge(head string, isError bool, from call, p payload) verdict {
	shell := from.tool == "Bash" || from.tool == "" && p.shell
	if !isError {
		if task, ok := launched(head, from, p); ok {
			return verdict{outcome: ingest.Pending, reason: ingest.Launched, task: task}
		}
	}
	if exit := exitStatus(head); exit != nil && (isError || shell && *exit != 0) {
		return failed(head, exit)
	}
	if isError {
		return refused(head, shell, p)
	}
	if p.interrupted {
		return verdict{outcome: ingest.Unknown, reason: ingest.Interrupted}
	}
	v := verdict{outcome: ingest.OK}
	if shell && p.readExit == "" {
		v.exit = new(0)
	}
	return v
}

// launched reports whether the call left a task behind, and its id.
func launched(head string, from call, p payload) (task string, ok bool) {
	switch {
	case p.background != "":
		return p.background, true
	case p.async || p.status == "async_launched":
		return p.agent, true
	case from.tool != "" && from.tool != "Bash" && from.tool != "Task" && from.tool != "Agent":
		return "", false
	}
	for _, words := range []string{"running in background with ID: ", "backgrounded by user with ID: "} {
		if first, _, _ := strings.Cut(head, "\n"); strings.HasPrefix(first, "Command ") {
			if _, id, found := strings.Cut(first, words); found {
				return word(id), true
			}
		}
	}
	if strings.HasPrefix(head, "Async agent launched") {
		_, id, _ := strings.Cut(head, "agentId: ")
		return word(id), true
	}
	return "", strings.HasPrefix(head, "Command is running in the background")
}

// word is the leading id of a text.
func word(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	if end < 0 {
		return s
	}
	return s[:end]
}

// failed is a command that ended with a status. The harness ends a command
// that takes too long, or that the user interrupts, and says so in the next
// line: nobody knows how far it came.
func failed(head string, exit *int) verdict {
	_, next, _ := strings.Cut(head, "\n")
	if strings.HasPrefix(next, "Command timed out after ") {
		return verdict{outcome: ingest.Unknown, reason: ingest.TimedOut, exit: exit}
	}
	if strings.HasPrefix(next, "[Request interrupted by user") {
		return verdict{outcome: ingest.Unknown, reason: ingest.Interrupted, exit: exit}
	}
	return verdict{outcome: ingest.Fail, reason: ingest.Errored, exit: exit}
}

// exitStatus reads "Exit code N" at the start of a text.
func exitStatus(head string) *int {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(head, "Error: "), "Exit code ")
	if !ok {
		return nil
	}
	n, _, _ := strings.Cut(rest, "\n")
	return number(strings.TrimSpace(n))
}

func number(s string) *int {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return nil
	}
	return new(int(n))
}

// sentence is how many bytes of an error are searched for known words.
const sentence = 512

// refused reads an error without exit status. What a shell printed is not the
// harness's word, so a shell's error is read for the harness's own sentences
// only.
func refused(head string, shell bool, p payload) verdict {
	text := strings.TrimPrefix(strings.TrimPrefix(head, "<tool_use_error>"), "Error: ")
	low := strings.ToLower(text[:min(len(text), sentence)])
	fail := func(r ingest.Reason) verdict { return verdict{outcome: ingest.Fail, reason: r} }
	unknown := func(r ingest.Reason) verdict { return verdict{outcome: ingest.Unknown, reason: r} }
	switch {
	case hasAnyPrefix(text, deniedWords) || deniedTool(text):
		return fail(ingest.Denied)
	case hasAnyPrefix(text, cancelledWords):
		return fail(ingest.Cancelled)
	case hasAnyPrefix(text, rejectedWords):
		return fail(ingest.Rejected)
	case strings.HasPrefix(text, "Command timed out after "):
		return unknown(ingest.TimedOut)
	case p.interrupted:
		return unknown(ingest.Interrupted)
	case shell:
		return fail(ingest.Errored)
	case containsAny(low, neverLeft):
		return fail(ingest.Errored)
	case containsAny(low, timeoutWords) || strings.Contains(low, "timeout of ") && strings.Contains(low, "exceeded"):
		return unknown(ingest.TimedOut)
	case containsAny(low, lostWords):
		return unknown(ingest.Lost)
	}
	return fail(ingest.Errored)
}

// deniedWords begin results of calls that a human, a rule or a hook refused.
var deniedWords = []string{
	"The user doesn't want to proceed with this tool use", "The user doesn't want to take this action",
	"[Request interrupted by user for tool use]", "Permission prompt was aborted", "User rejected tool use",
	"Claude requested permissions",
}

func deniedTool(text string) bool {
	first := text[:min(len(text), sentence)]
	return strings.HasPrefix(first, "Permission to use ") && strings.Contains(first, "has been denied") ||
		strings.Contains(first, "haven't granted") ||
		strings.HasPrefix(first, "This ") && strings.Contains(first, "requires approval") ||
		strings.Contains(first, "operation blocked by hook")
}

var (
	cancelledWords = []string{"Sibling tool call errored", "Cancelled: parallel tool call"}
	rejectedWords  = []string{"InputValidationError", "No such tool available", "No such tool"}

	// neverLeft tells that the request did not reach anyone.
	neverLeft = []string{
		"econnrefused", "connection refused", "enotfound", "eai_again", "getaddrinfo",
		"could not resolve host", "no such host", "name resolution",
	}
	timeoutWords = []string{"timed out", "etimedout", "deadline exceeded", "-32001", "request timeout"}
	lostWords    = []string{
		"econnreset", "socket hang up", "connection closed", "connection reset", "502 bad gateway",
		"504 gateway", "status code 502", "status code 504", "http 502", "http 504", "status 502", "status 504",
	}
)

package toolerr

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/quote"
)

// Read reads the content of a result that no flag says anything about: an
// envelope that says it failed, an exit status, or a text that begins like an
// error. Everything else is ok.
func Read(content []byte) (ingest.Outcome, ingest.Reason, *int) {
	if head, ok := headOf(content); ok && !beginsAsError(head) {
		return ingest.OK, "", ExitCode(head)
	}
	text := ingest.TextOf(content)
	raw := bytes.TrimSpace(content)
	if len(content) > 0 && content[0] == '"' {
		raw = nil
		if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") {
			raw = []byte(trimmed)
		}
	}
	if bytes.HasPrefix(raw, []byte("{")) {
		var env envelope
		var c decode.Cursor
		c.Reset(raw)
		if env.read(&c) == nil && c.Done() == nil {
			return env.outcome(text)
		}
	}
	if beginsAsError(text) {
		return Classify(text)
	}
	return ingest.OK, "", ExitCode(text)
}

// headSize is how many bytes of a JSON string are read first: more than enough
// for what an error begins with, however its letters are written.
const headSize = 256

// headOf is the beginning of a long text, which is most often all that has to be
// read. Ok is false where the whole may say more: an object in a string.
func headOf(content []byte) (head string, ok bool) {
	if len(content) <= headSize || content[0] != '"' {
		return "", false
	}
	n := headSize
	for i := 1; i <= 6; i++ { // not within an escape, nor a letter
		if content[n-i] == '\\' {
			n -= i
			break
		}
	}
	for n > 0 && content[n-1] >= utf8.RuneSelf {
		n--
	}
	head, ok = quote.Text(append(content[:n:n], '"'))
	return head, ok && len(head) >= 2*openSize && !strings.HasPrefix(strings.TrimSpace(head), "{") && strings.TrimSpace(head) != ""
}

// envelope is what an object returned by a tool says about the call.
type envelope struct {
	failed bool
	cause  string
	exit   *int
}

func (env *envelope) read(c *decode.Cursor) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "error":
			err = env.readError(c)
		case "isError", "is_error":
			b, _, berr := c.Bool()
			env.failed, err = env.failed || b, berr
		case "success", "ok":
			b, ok, berr := c.Bool()
			env.failed, err = env.failed || ok && !b, berr
		case "type":
			s, serr := c.String()
			env.failed, err = env.failed || s == "error", serr
		case "exit_code", "exitCode", "returncode":
			n, ok, nerr := c.Int()
			if code := int(n); ok {
				env.exit = &code
			}
			err = nerr
		case "data":
			err = c.Object(func(name []byte) error { return env.readData(c, string(name)) })
		default:
			err = c.Skip()
		}
		return err
	})
}

// readData looks into the wrapper that mcphost puts around the result of an MCP
// tool, which is JSON in a text; its builtin shell puts the exit status beside
// the content.
func (env *envelope) readData(c *decode.Cursor, name string) error {
	if name != "text" || c.Kind() != '"' {
		return c.Skip()
	}
	text, err := c.String()
	if err != nil || !strings.HasPrefix(text, "{") {
		return err
	}
	var inner decode.Cursor
	inner.Reset([]byte(text))
	// A text that is no result says nothing.
	_ = inner.Object(func(name []byte) (err error) {
		switch string(name) {
		case "isError":
			b, _, berr := inner.Bool()
			env.failed, err = env.failed || b, berr
		case "_meta":
			err = inner.Object(func(name []byte) error {
				if string(name) != "exit" {
					return inner.Skip()
				}
				n, ok, err := inner.Int()
				if code := int(n); ok {
					env.exit = &code
				}
				return err
			})
		default:
			err = inner.Skip()
		}
		return err
	})
	return nil
}

// readError takes any error as one but null, false, zero and what is empty.
func (env *envelope) readError(c *decode.Cursor) error {
	switch c.Kind() {
	case '"':
		s, err := c.String()
		env.failed, env.cause = env.failed || s != "", s
		return err
	case '0':
		n, ok, err := c.Float()
		env.failed = env.failed || ok && n != 0
		return err
	case 't':
		env.failed = true
	case '{':
		return c.Object(func([]byte) error {
			env.failed = true
			return c.Skip()
		})
	case '[':
		return c.Array(func() error {
			env.failed = true
			return c.Skip()
		})
	}
	return c.Skip()
}

func (env *envelope) outcome(text string) (ingest.Outcome, ingest.Reason, *int) {
	if env.cause != "" {
		text = env.cause
	}
	switch {
	case env.failed:
		outcome, reason, exit := Classify(text)
		if env.exit != nil {
			exit = env.exit
		}
		return outcome, reason, exit
	case env.exit != nil && *env.exit != 0:
		return ingest.Fail, ingest.Errored, env.exit
	}
	return ingest.OK, "", env.exit
}

// openers begin the texts of errors, in lower case.
var openers = []string{
	"error:", "error(", "error[", "error -", "error executing ", "error running ", "error calling ", "error invoking ", "error while ",
	"error during ", "error occurred", "error in ", "error from ", "error code", "error reading ", "error writing ", "error opening ",
	"error fetching ", "error parsing ", "error creating ", "error processing ", "error 4", "error 5", "error performing ",
	"request timed out", "timeouterror", "operation timed out", "mcp error ", "tool call timed out", "504 gateway", "502 bad gateway",
	"503 service unavailable", "user rejected", "user denied", "the user doesn't want to",
}

// openSize is how many bytes of a text are looked at for an opener.
const openSize = 64

// beginsAsError reports whether a text opens as tools open an error: with the
// word, but not as the title of a document has it, with an exit status, or by
// saying that time ran out.
func beginsAsError(text string) bool {
	head := strings.ToLower(text[:min(len(text), openSize)])
	if strings.TrimRight(head, " .!\n") == "error" {
		return true
	}
	for _, open := range openers {
		if strings.HasPrefix(head, open) {
			return true
		}
	}
	exit := ExitCode(text)
	return exit != nil && *exit != 0
}

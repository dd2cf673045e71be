package classify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
)

// Status is what a check showed.
type Status string

// The statuses. Nothing: it executed nothing (runner missing, collection
// error, zero tests). Unclear: it ran but what was read does not tell.
const (
	Green   Status = "green"
	Red     Status = "red"
	Nothing Status = "nothing"
	Unclear Status = "unclear"
	NoEnd   Status = "no end" // timed out, lost, or still running
)

// Check is one run of a check: by a command, or as the harness states it.
type Check struct {
	runner.Check
	Action  *Action // nil for a check event
	Event   Cite    // the event that told the result
	Pos     int     // of the result
	Start   int     // of the call
	Status  Status
	Summary runner.Summary
	Masked  string // why the exit status that was read is not the check's
	Name    string // as a harness names it
	ByUser  bool
	// TimedOut: a time limit ended it, the tool's or the command's own.
	TimedOut bool
}

func (c *Check) position() int { return c.Pos }

// Title is the check in a few words, for messages.
func (c *Check) Title() string {
	if len(c.Argv) > 0 {
		return Clip(strings.Join(c.Argv, " "), 80)
	}
	return Clip(c.Name, 80)
}

// readChecks finds the checks among commands and events of the thread.
func (th *Thread) readChecks() {
	for _, a := range th.Actions {
		if a.Kind != RunsShell || !a.Ran() {
			continue
		}
		for i := range a.Commands {
			if c := a.check(i); c != nil {
				th.Checks = append(th.Checks, c)
			}
		}
	}
	for _, r := range th.Runs {
		for i := range r.Events {
			if c := th.statedCheck(r, i); c != nil {
				th.Checks = append(th.Checks, c)
			}
		}
	}
	slices.SortStableFunc(th.Checks, func(a, b *Check) int { return a.Pos - b.Pos })
}

// statedCheck reads a check event, or a check that the user ran.
func (th *Thread) statedCheck(r *ingest.Run, i int) *Check {
	e := &r.Events[i]
	if e.Copied {
		return nil
	}
	pos := th.base[r] + i
	switch {
	case e.Kind == ingest.Check && r.Meta.Trial && r.Sources[e.Source].Role > 0:
		return nil // the grader's own tests: see Grader
	case e.Kind == ingest.Check && e.Name == "stop-hook" && e.Outcome == ingest.OK:
		return hookCheck(r, e, pos)
	case e.Kind == ingest.Check:
		c := &Check{Event: Cite{r, e}, Pos: pos, Start: pos, Name: e.Name, Summary: runner.ParseOutput(r.Text(e), e.Exit)}
		if rc, ok := runner.Recognize(strings.Fields(e.Name)); ok {
			c.Check = rc
		}
		c.Status = statedStatus(e)
		return c
	case e.Kind == ingest.Message && e.Name == "command" && e.Actor == ingest.Harness:
		return userCheck(r, i, pos)
	}
	return nil
}

// hookCheck reads a check that a hook ran without an error. Hooks that only
// notify or log are none.
func hookCheck(r *ingest.Run, e *ingest.Event, pos int) *Check {
	cmds, err := shell.Parse(r.Text(e))
	if err != nil {
		return nil
	}
	for _, cmd := range cmds {
		if rc, ok := runner.Recognize(cmd.Argv); ok {
			return &Check{Check: rc, Event: Cite{r, e}, Pos: pos, Start: pos, Status: Green}
		}
	}
	return nil
}

func statedStatus(e *ingest.Event) Status {
	switch {
	case e.Outcome == ingest.OK:
		return Green
	case e.Outcome == ingest.Fail:
		return Red
	case e.Reason == ingest.TimedOut || e.Outcome == ingest.Pending:
		return NoEnd
	}
	return Unclear
}

// check reads the i-th command of a shell action as a check, or returns nil.
func (a *Action) check(i int) *Check {
	cmd := a.Commands[i]
	if cmd.Dynamic && len(cmd.Argv) == 0 {
		return nil
	}
	rc, ok := runner.Recognize(cmd.Argv)
	if !ok {
		return nil
	}
	rc.Dir = relative(a.Run.Meta.Cwd, cmd.Dir)
	if rc.Dir == "." {
		rc.Dir = ""
	}
	c := &Check{Check: rc, Action: a, Event: a.CiteEnd(), Pos: a.End, Start: a.Pos}
	exit := a.exitOf(cmd)
	if exit == nil {
		exit = a.printedExit(cmd)
	}
	if !cmd.ExitSeen && exit == nil {
		c.Masked = cmd.Masked
		if c.Masked == "" {
			c.Masked = "masked"
		}
	}
	c.TimedOut = a.Reason == ingest.TimedOut || exit != nil && *exit == timeLimit && limited(cmd)
	c.Summary = rc.Parse(a.Output(), exit)
	if a.stopped() && !c.Summary.Seen {
		c.Masked = "stopped" // the status is that of a task which never came to its end
	}
	c.Status = c.status(cmd, exit)
	if cmd.Negated && c.Status == Red {
		c.Status = Green
	}
	return c
}

// exitOf is the exit status that can be laid at one command's door.
func (a *Action) exitOf(cmd shell.Command) *int {
	if !cmd.ExitSeen {
		return nil
	}
	return a.Exit
}

// silent reports that a checker of source text printed nothing, which is how
// linters and type checkers say that they found nothing. A script runner's own
// lines ("> eslint .") do not count.
func (c *Check) silent() bool {
	if c.Kind != runner.Lint && c.Kind != runner.Types && c.Kind != runner.Format {
		return false
	}
	for line := range strings.Lines(c.Action.Output()) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '>' && line[0] != '$' {
			return false
		}
	}
	return c.Action.Outcome == ingest.OK
}

// timeLimit is the exit status by which timeout(1) says that it struck.
const timeLimit = 124

func limited(cmd shell.Command) bool {
	return slices.ContainsFunc(cmd.Wrappers, func(w string) bool { return strings.HasSuffix(w, "timeout") })
}

// printed matches a line by which a script shows an exit status: "exit: 1",
// "rc=0", a number alone.
var printed = phrase.MustCompile(`(?im)^\W*(?:[a-z_ ]*(?:exit|rc|ret|code|status)[a-z_ ]*[^\w\n]{0,3})?(\d{1,3})\W*$`)

// printedExit is the status of a command that the script itself prints
// (`; echo "exit: $?"`): the last line that shows one. It is nil where several
// statuses are printed, because then none can be told from the other.
func (a *Action) printedExit(cmd shell.Command) *int {
	reported := 0
	for _, c := range a.Commands {
		if c.Reported {
			reported++
		}
	}
	if !cmd.Reported || reported != 1 {
		return nil
	}
	all := printed.FindAllStringSubmatch(a.Output(), -1)
	if len(all) == 0 {
		return nil
	}
	n, err := strconv.Atoi(all[len(all)-1][1])
	if err != nil || n > 255 {
		return nil
	}
	return &n
}

// status settles what the check showed. The runner's own complete summary
// comes first, because the exit status that was read may be another's.
func (c *Check) status(cmd shell.Command, exit *int) Status {
	a := c.Action
	switch {
	case c.TimedOut && !c.Summary.Seen:
		return NoEnd
	case c.Summary.NotRun != "":
		return Nothing
	case c.Summary.Seen && !c.Summary.Clean:
		return Red
	case a.Outcome == ingest.Pending || a.Outcome == ingest.Unknown:
		return NoEnd
	case c.Masked != "" || cmd.Background:
		if c.Summary.Seen || cmd.Masked == shell.MaskPipe && c.silent() {
			return Green
		}
		return Unclear
	case !cmd.ExitSeen && exit != nil && *exit != 0:
		return exitStatus(*exit, c.Summary)
	case a.Exit != nil && *a.Exit != 0:
		if c.Summary.Seen || *a.Exit == 126 || *a.Exit == 127 {
			return exitStatus(*a.Exit, c.Summary)
		}
		if a.onlyCommand(cmd) && !noSuchFolder.MatchString(a.Output()) {
			return Red
		}
		return Unclear
	case a.Outcome == ingest.Fail:
		return Red
	}
	return Green
}

// noSuchFolder matches a shell that could not change to the check's folder, so
// that the check never began.
var noSuchFolder = phrase.MustCompile(`(?m)\bcd:[^\n]*(no such file or directory|not a directory|permission denied)`)

func exitStatus(exit int, s runner.Summary) Status {
	if exit == 126 || exit == 127 {
		return Nothing
	}
	if s.Clean {
		// A later command of the chain failed, or the runner has a ground
		// beside its tests (coverage): the tests themselves are green.
		return Green
	}
	return Red
}

// onlyCommand reports that no other command of the script could have given its
// exit status.
func (a *Action) onlyCommand(cmd shell.Command) bool {
	for _, c := range a.Commands {
		if slices.Equal(c.Raw, cmd.Raw) || len(c.Argv) == 0 || c.Pipe > 0 {
			continue
		}
		switch c.Argv[0] {
		case "cd", "export", "set", "source", ".", "echo", "printf", "true", "sleep", "pushd", "popd", ":":
		default:
			return false
		}
	}
	return true
}

// userCheck reads `!command` input and its output, which the user ran.
func userCheck(r *ingest.Run, i, pos int) *Check {
	e := &r.Events[i]
	out := r.Text(e)
	cmds, err := shell.Parse(tagged(out, "bash-input"))
	if err != nil {
		return nil
	}
	if i+1 < len(r.Events) {
		if next := r.Text(&r.Events[i+1]); strings.Contains(next, "<bash-stdout>") {
			out = tagged(next, "bash-stdout") + "\n" + tagged(next, "bash-stderr")
		}
	}
	for _, cmd := range cmds {
		rc, ok := runner.Recognize(cmd.Argv)
		if !ok {
			continue
		}
		c := &Check{Check: rc, Event: Cite{r, e}, Pos: pos, Start: pos, ByUser: true, Summary: rc.Parse(out, nil), Status: Unclear}
		switch {
		case c.Summary.NotRun != "":
			c.Status = Nothing
		case c.Summary.Seen && c.Summary.Clean:
			c.Status = Green
		case c.Summary.Seen:
			c.Status = Red
		}
		return c
	}
	return nil
}

// tagged returns what stands between <name> and </name>.
func tagged(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	inner, _, _ := strings.Cut(rest, "</"+name+">")
	return inner
}

// ChecksIn returns the checks whose result came after one point and before
// another.
func (th *Thread) ChecksIn(after, before int) []*Check { return between(th.Checks, after, before) }

// Clip shortens a text for a message, on a rune boundary.
func Clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

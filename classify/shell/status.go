package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// verdict is what a branch does to the status of the text.
type verdict int

const (
	unclear  verdict = iota // runs something that may fail or not
	exits                   // ends the shell with a failure
	fails                   // is itself a failure
	succeeds                // hides whatever came before it
)

// quiet holds commands that practically never fail.
var quiet = map[string]bool{"true": true, ":": true, "echo": true, "printf": true, "continue": true, "break": true, "cat": true, "wait": true, "sleep": true}

func (w *walker) verdict(st *syntax.Stmt, depth int) verdict {
	if st == nil || depth > 4 {
		return unclear
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return w.callVerdict(c)
	case *syntax.Block:
		return w.verdictList(c.Stmts, depth+1)
	case *syntax.Subshell:
		if v := w.verdictList(c.Stmts, depth+1); v != exits {
			return v
		}
		return fails
	case *syntax.BinaryCmd:
		return w.verdict(c.Y, depth+1)
	}
	return unclear
}

// verdictList is that of the first statement that exits, else of the last.
func (w *walker) verdictList(stmts []*syntax.Stmt, depth int) verdict {
	for _, st := range stmts {
		if c, ok := st.Cmd.(*syntax.CallExpr); ok && w.callVerdict(c) == exits {
			return exits
		}
	}
	if len(stmts) == 0 {
		return unclear
	}
	return w.verdict(stmts[len(stmts)-1], depth)
}

func (w *walker) callVerdict(c *syntax.CallExpr) verdict {
	if len(c.Args) == 0 {
		if len(c.Assigns) == 1 && w.keepsStatus(c.Assigns[0]) {
			return exits // later, with this very status
		}
		return succeeds
	}
	name := c.Args[0].Lit()
	switch {
	case name == "exit" || name == "return":
		if len(c.Args) > 1 && c.Args[1].Lit() == "0" {
			return succeeds
		}
		return exits
	case name == "false":
		return fails
	case quiet[name]:
		return succeeds
	}
	return unclear
}

// keepsStatus is true for `rc=$?` and `fail=1` when the text exits with it.
func (w *walker) keepsStatus(a *syntax.Assign) bool {
	if a.Name == nil || a.Value == nil || !w.exitVars[a.Name.Value] {
		return false
	}
	v := w.source(a.Value)
	return strings.Contains(v, "$?") || strings.Contains(v, "PIPESTATUS") || (v != "0" && v != "")
}

// follower is what the statements after one do with its status.
type follower struct {
	keeps       bool // exit $?, rc=$? … exit $rc, if [ $? -ne 0 ] … exit 1
	pipestatus  bool // the same with PIPESTATUS
	printed     bool // echo $?
	printedPipe bool
	waited      bool   // wait $pid, for a statement in the background
	recovered   string // mask of the shell's exit, for those that keep
}

func (fo *follower) apply(g, f flow) flow {
	fo.recovered = f.exit
	if fo.keeps {
		g.status = f.exit
	}
	g.reported = f.reported || fo.printed
	return g
}

// followers looks one statement ahead for each statement of a list.
func (w *walker) followers(stmts []*syntax.Stmt) []follower {
	out := make([]follower, len(stmts))
	waits := false
	for i := len(stmts) - 1; i >= 0; i-- {
		out[i].waited = waits
		waits = waits || isWait(stmts[i])
		if i+1 < len(stmts) {
			w.look(&out[i], stmts[i+1])
		}
	}
	return out
}

func isWait(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 1 && c.Args[0].Lit() == "wait"
}

// look judges the statement after one: does it use $? or PIPESTATUS?
func (w *walker) look(fo *follower, next *syntax.Stmt) {
	head := next.Cmd
	keeps := false
	switch c := next.Cmd.(type) {
	case *syntax.CallExpr:
		keeps = w.callKeeps(c)
		if len(c.Args) == 1 && c.Args[0].Lit() == "exit" {
			fo.keeps = true
		}
	case *syntax.IfClause:
		if len(c.Cond) > 0 {
			head = c.Cond[len(c.Cond)-1].Cmd
		}
		keeps = w.verdictList(c.Then, 0) == exits || c.Else != nil && w.verdictList(c.Else.Then, 0) == exits
	case *syntax.BinaryCmd:
		if isPipe(c.Op) {
			return
		}
		head = c.X.Cmd
		keeps = w.verdict(c.Y, 0) == exits
	case *syntax.TestClause:
		keeps = true
	default:
		return
	}
	plain, pipe := w.mentions(head)
	fo.keeps = fo.keeps || plain && keeps
	fo.pipestatus = fo.keeps && pipe || pipe && keeps
	fo.printed, fo.printedPipe = plain, pipe
}

func (w *walker) callKeeps(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return len(c.Assigns) > 0 && w.keepsStatus(c.Assigns[0])
	}
	switch c.Args[0].Lit() {
	case "exit", "return", "test", "[":
		return true
	}
	return false
}

// mentions tells whether a command's words hold $? or PIPESTATUS.
func (w *walker) mentions(n syntax.Node) (plain, pipe bool) {
	var src string
	switch c := n.(type) {
	case *syntax.CallExpr:
		if len(c.Args)+len(c.Assigns) > 0 {
			src = w.source(c)
		}
	case *syntax.TestClause, *syntax.ArithmCmd:
		src = w.source(c)
	}
	return strings.Contains(src, "$?") || strings.Contains(src, "${?}"), strings.Contains(src, "PIPESTATUS") || strings.Contains(src, "pipestatus")
}

// exitVars collects the variables that the text exits with.
func exitVars(n syntax.Node) map[string]bool {
	vars := map[string]bool{}
	syntax.Walk(n, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok || len(c.Args) != 2 {
			return true
		}
		if name := c.Args[0].Lit(); name == "exit" || name == "return" {
			for _, p := range paramsOf(c.Args[1]) {
				vars[p] = true
			}
		}
		return true
	})
	return vars
}

func paramsOf(word *syntax.Word) (names []string) {
	syntax.Walk(word, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil {
			names = append(names, p.Param.Value)
		}
		return true
	})
	return names
}

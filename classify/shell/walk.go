package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of one text.
type walker struct {
	text     string
	out      []Command
	line     int             // of the outer command, in a nested script
	exitVars map[string]bool // variables that some `exit $x` gives back
	left     *int            // what remains of maxWork
}

// spend takes n bytes of work and tells whether the budget allowed it: a
// function's body, a variable or a script can be visited again and again.
func (w *walker) spend(n int) bool {
	*w.left -= n
	return *w.left >= 0
}

// flow says what becomes of the status of the statement being walked.
type flow struct {
	status                        string // why it is lost once the statement is done; "" = it counts
	exit                          string // why it is lost even if it ends this shell here
	tested                        bool   // something decides on it, so that set -e does not apply
	negated, background, reported bool
	pipe, pipeLen                 int
}

// mask is the reason for a command in this flow, "" when its status is seen.
func (f flow) mask(s *scope) string {
	if s.errexit && !f.tested && f.status != "" {
		return f.exit
	}
	return f.status
}

// inner is the flow of a child shell: its exit is the parent's statement.
func (f flow) inner(s *scope) flow {
	f.status = f.mask(s)
	f.exit = f.status
	return f
}

// lost marks a flow as lost whatever the shell options are.
func (f flow) lost(reason string) flow {
	f.status, f.exit = reason, reason
	return f
}

func (w *walker) run(file *syntax.File, s *scope, f flow) {
	if strings.Contains(w.text, "exit") || strings.Contains(w.text, "return") {
		w.exitVars = exitVars(file)
	}
	w.list(s, file.Stmts, f)
}

// list walks statements in sequence: all but the last need set -e, or a later
// look at their status, to be seen.
func (w *walker) list(s *scope, stmts []*syntax.Stmt, f flow) {
	if !w.spend(len(stmts)) {
		return
	}
	after := w.followers(stmts)
	for i, st := range stmts {
		if len(w.out) >= maxCommands {
			return
		}
		g := f
		if i < len(stmts)-1 {
			g.status = MaskSequence
		}
		g = after[i].apply(g, f)
		w.stmt(s, st, g, after[i])
		if leaves(st) {
			return
		}
	}
}

func (w *walker) stmt(s *scope, st *syntax.Stmt, f flow, next follower) {
	if st.Negated {
		f.negated, f.tested = !f.negated, true
	}
	if st.Background || st.Coprocess || st.Disown {
		f.background = true
		if next.waited {
			f = f.inner(s)
		} else {
			f = f.lost(MaskBackground)
		}
		s = s.fork()
	}
	from := len(w.out)
	switch c := st.Cmd.(type) {
	case nil:
		w.emit(s, Command{Argv: []string{":"}, Raw: []string{":"}}, st, f)
		return
	case *syntax.CallExpr:
		w.call(s, c, st, f)
		return
	case *syntax.BinaryCmd:
		w.binary(s, c, f, next)
	case *syntax.Subshell:
		w.list(s.fork(), c.Stmts, f.inner(s))
	case *syntax.Block:
		w.list(s, c.Stmts, f)
	case *syntax.IfClause:
		w.ifClause(s, c, f)
	case *syntax.WhileClause:
		if runs, known := constantList(c.Cond); known && runs == c.Until {
			break
		}
		w.loop(s, c.Cond, c.Do, f)
	case *syntax.ForClause:
		w.forClause(s, c, f)
	case *syntax.CaseClause:
		w.substitutions(s, c.Word, f)
		for _, item := range c.Items {
			w.list(s, item.Stmts, f)
		}
	case *syntax.FuncDecl:
		w.declare(s, c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(s, c.Stmt, f, next)
			w.wrap(from, "time")
		}
	case *syntax.CoprocClause:
		f.background = true
		w.stmt(s.fork(), c.Stmt, f.lost(MaskBackground), follower{})
	case *syntax.DeclClause:
		w.decl(s, c, f)
	default:
		w.substitutions(s, st.Cmd, f)
	}
	w.attach(s, st.Redirs, from)
}

// wrap records a wrapper around every command from index from on.
func (w *walker) wrap(from int, name string) {
	for i := from; i < len(w.out); i++ {
		w.out[i].Wrappers = append([]string{name}, w.out[i].Wrappers...)
	}
}

func (w *walker) declare(s *scope, f *syntax.FuncDecl) {
	if f.Name == nil || len(s.funcs) >= maxVars {
		return
	}
	if s.funcs == nil {
		s.funcs = map[string]*syntax.Stmt{}
	}
	s.funcs[f.Name.Value] = f.Body
}

func (w *walker) decl(s *scope, d *syntax.DeclClause, f flow) {
	for _, a := range d.Args {
		w.assign(s, a, f.lost(MaskSubst))
	}
}

func (w *walker) assign(s *scope, a *syntax.Assign, f flow) {
	if a.Array != nil {
		w.substitutions(s, a.Array, f)
	}
	if a.Value != nil {
		w.substitutions(s, a.Value, f)
	}
	if a.Name == nil || a.Naked {
		return
	}
	value, dynamic := w.word(s, a.Value)
	plain := !dynamic && a.Array == nil && a.Index == nil && !a.Append
	s.set(a.Name.Value, value, plain)
}

// substitutions walks the commands inside $(…), `…` and <(…) of a node.
func (w *walker) substitutions(s *scope, n syntax.Node, f flow) {
	if n == nil || s.depth > maxDepth {
		return
	}
	f.pipe, f.pipeLen, f.negated = 0, 0, false
	syntax.Walk(n, func(n syntax.Node) bool {
		var stmts []*syntax.Stmt
		switch p := n.(type) {
		case *syntax.CmdSubst:
			stmts = p.Stmts
		case *syntax.ProcSubst:
			stmts = p.Stmts
			f = f.lost(MaskSubst)
		default:
			return true
		}
		w.list(s.fork(), stmts, f.inner(s))
		return false
	})
}

func (w *walker) full() bool { return len(w.out) >= maxCommands }

package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call turns a simple command into Commands: the substitutions in its words
// first, then itself, or the body of a function, or a nested script.
func (w *walker) call(s *scope, c *syntax.CallExpr, st *syntax.Stmt, f flow) {
	from := len(w.out)
	if !w.spend(int(c.End().Offset() - c.Pos().Offset())) {
		return
	}
	if len(c.Args) == 0 {
		// The status of a bare assignment is that of its substitution.
		for _, a := range c.Assigns {
			w.assign(s, a, f)
		}
		w.attach(s, st.Redirs, from)
		return
	}
	for _, word := range c.Args {
		w.substitutions(s, word, f.lost(MaskSubst))
	}
	env, dynamic := w.environment(s, c.Assigns, f)
	argv, dyn := w.words(s, c.Args)
	if len(argv) == 0 {
		return
	}
	if body := s.funcs[argv[0]]; body != nil && s.depth < maxDepth {
		s.depth++
		w.stmt(s, body, f, follower{})
		s.depth--
		w.attach(s, st.Redirs, from)
		return
	}
	cmd := Command{Argv: argv, Raw: argv, Env: env, Dynamic: dynamic || dyn}
	w.emit(s, cmd, st, f)
	s.builtin(argv)
}

func (w *walker) environment(s *scope, assigns []*syntax.Assign, f flow) (env []string, dynamic bool) {
	for _, a := range assigns {
		if a.Name == nil {
			continue
		}
		if a.Value != nil {
			w.substitutions(s, a.Value, f.lost(MaskSubst))
		}
		v, dyn := w.word(s, a.Value)
		env = append(env, a.Name.Value+"="+v)
		dynamic = dynamic || dyn
	}
	return env, dynamic
}

// emit peels the command, follows a nested script or appends the command.
func (w *walker) emit(s *scope, c Command, st *syntax.Stmt, f flow) {
	if w.full() {
		return
	}
	c.Dir, c.Host = s.dir, s.host
	c.Wrappers = append([]string(nil), s.wrappers...)
	c.Env = append(append([]string(nil), s.env...), c.Env...)
	c.Negated, c.Background, c.Reported = f.negated, f.background, f.reported
	c.Pipe, c.PipeLen = f.pipe, max(1, f.pipeLen)
	c.Masked = f.mask(s)
	if c.Argv[0] == "exit" {
		c.Masked = f.exit
	}
	c.ExitSeen = c.Masked == ""
	c.Line = w.line
	if c.Line == 0 {
		c.Line = int(st.Pos().Line())
	}
	w.redirects(s, &c, st.Redirs)
	p := peel(&c)
	if p.script != "" && w.nested(s, c, p, f) {
		return
	}
	w.out = append(w.out, c)
}

// nested parses the script of bash -c, ssh and the like in its own scope.
func (w *walker) nested(s *scope, c Command, p peeled, f flow) bool {
	if s.depth >= maxDepth || !w.spend(len(p.script)) {
		return false
	}
	file, err := parseFile(p.script)
	if err != nil {
		return false
	}
	in := s.fork()
	in.dir, in.host, in.wrappers, in.env = c.Dir, c.Host, c.Wrappers, c.Env
	in.errexit, in.pipefail = p.options.errexit, p.options.pipefail
	in.depth++
	sub := &walker{text: p.script, line: c.Line, out: w.out, left: w.left}
	from := len(w.out)
	g := f.inner(s)
	sub.run(file, in, g)
	w.out = sub.out
	if len(w.out) == from {
		return false
	}
	last := &w.out[len(w.out)-1]
	last.Writes = append(last.Writes, c.Writes...)
	last.Appends = append(last.Appends, c.Appends...)
	return true
}

// attach gives the redirects of a compound command to its last command.
func (w *walker) attach(s *scope, redirs []*syntax.Redirect, from int) {
	if len(redirs) == 0 || w.full() {
		return
	}
	if len(w.out) == from {
		w.out = append(w.out, Command{Argv: []string{":"}, Raw: []string{":"}, Dir: s.dir, Host: s.host, PipeLen: 1, ExitSeen: true, Line: max(w.line, 1)})
	}
	w.redirects(s, &w.out[len(w.out)-1], redirs)
}

func (w *walker) redirects(s *scope, c *Command, redirs []*syntax.Redirect) {
	for _, r := range redirs {
		if r.Hdoc != nil {
			c.Stdin, _ = w.heredoc(s, r)
			continue
		}
		w.substitutions(s, r.Word, flow{}.lost(MaskSubst))
		target, _ := w.word(s, r.Word)
		switch r.Op {
		case syntax.WordHdoc:
			c.Stdin = target
		case syntax.RdrIn:
			c.StdinFile = target
		case syntax.AppOut, syntax.AppAll:
			c.Appends = appendFile(c.Appends, target)
		case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrInOut:
			c.Writes = appendFile(c.Writes, target)
		case syntax.DplOut:
			if !isDescriptor(target) {
				c.Writes = appendFile(c.Writes, target)
			}
		}
	}
}

func appendFile(list []string, target string) []string {
	if target == "" || strings.HasPrefix(target, "/dev/") || strings.HasPrefix(target, ">(") {
		return list
	}
	return append(list, target)
}

func isDescriptor(t string) bool {
	return strings.Trim(t, "0123456789") == "" || t == "-" || strings.HasSuffix(t, "-") && strings.Trim(t, "0123456789-") == ""
}

// heredoc renders a here-document's body; a quoted delimiter keeps it as is.
func (w *walker) heredoc(s *scope, r *syntax.Redirect) (string, bool) {
	if len(r.Hdoc.Parts) == 1 {
		if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok {
			return lit.Value, false
		}
	}
	var b strings.Builder
	dynamic := w.parts(s, &b, r.Hdoc.Parts, true)
	return b.String(), dynamic
}

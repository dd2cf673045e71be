package shell

import (
	"maps"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// scope is the state of one shell process as far as the text itself sets it.
type scope struct {
	dir, prev         string
	stack             []string // pushd
	vars              map[string]string
	funcs             map[string]*syntax.Stmt
	errexit, pipefail bool
	host              string
	wrappers, env     []string // around a nested script
	depth             int
}

// fork is the state that a subshell starts with.
func (s *scope) fork() *scope {
	c := *s
	c.vars = maps.Clone(s.vars)
	c.stack = s.stack[:len(s.stack):len(s.stack)]
	return &c
}

func (s *scope) set(name, value string, known bool) {
	if !known || len(value) > maxValue || len(s.vars) >= maxVars {
		delete(s.vars, name)
		return
	}
	if s.vars == nil {
		s.vars = map[string]string{}
	}
	s.vars[name] = value
}

// join puts a path below a directory without resolving what it cannot know.
func join(dir, p string) string {
	switch {
	case p == "" || p == ".":
		return dir
	case path.IsAbs(p), strings.HasPrefix(p, "~"), strings.HasPrefix(p, "$"):
		return clean(p)
	case dir == "":
		return clean(p)
	}
	return clean(dir + "/" + p)
}

func clean(p string) string {
	if strings.ContainsAny(p, "$`") {
		return p
	}
	if p = path.Clean(p); p == "." {
		return ""
	}
	return p
}

// builtin applies cd, pushd, popd, set and unset to the scope.
func (s *scope) builtin(argv []string) {
	switch argv[0] {
	case "cd":
		s.chdir(argv[1:])
	case "pushd":
		s.stack = append(s.stack, s.dir)
		s.chdir(argv[1:])
	case "popd":
		if n := len(s.stack); n > 0 {
			s.prev, s.dir, s.stack = s.dir, s.stack[n-1], s.stack[:n-1]
		}
	case "set":
		s.options(argv[1:])
	case "unset":
		for _, name := range argv[1:] {
			delete(s.vars, name)
		}
	}
}

func (s *scope) chdir(args []string) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		args = args[1:]
	}
	from := s.dir
	switch {
	case len(args) == 0:
		s.dir = "~"
	case args[0] == "-":
		s.dir = s.prev
	default:
		s.dir = join(s.dir, args[0])
	}
	s.prev = from
}

// options reads the arguments of set, or of a shell's command line, and
// returns how many of them were options.
func (s *scope) options(args []string) int {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || (a[0] != '-' && a[0] != '+') || a == "--" {
			return i
		}
		if strings.HasPrefix(a, "--") {
			continue
		}
		on := a[0] == '-'
		if strings.Contains(a, "e") {
			s.errexit = on
		}
		if strings.ContainsAny(a, "oO") && i+1 < len(args) {
			i++
			s.option(args[i], on)
		}
	}
	return len(args)
}

func (s *scope) option(name string, on bool) {
	switch name {
	case "errexit":
		s.errexit = on
	case "pipefail":
		s.pipefail = on
	}
}

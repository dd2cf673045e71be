package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a text itself says will never run: what follows exit, the right side of
// `false &&` and `true ||`, a branch or loop of a constant condition.

// constant is the outcome that a statement always has: false, true and ":"
// without anything around them. ok is false for all others.
func constant(st *syntax.Stmt) (succeeds, ok bool) {
	c, is := st.Cmd.(*syntax.CallExpr)
	if !is || len(c.Args) != 1 || len(c.Assigns) > 0 || st.Background || st.Coprocess {
		return false, false
	}
	switch c.Args[0].Lit() {
	case "true", ":":
		return !st.Negated, true
	case "false":
		return st.Negated, true
	}
	return false, false
}

// constantList is that of a condition of one statement.
func constantList(stmts []*syntax.Stmt) (succeeds, ok bool) {
	if len(stmts) != 1 {
		return false, false
	}
	return constant(stmts[0])
}

// leaves reports that nothing after a statement runs in its shell.
func leaves(st *syntax.Stmt) bool {
	c, is := st.Cmd.(*syntax.CallExpr)
	return is && len(c.Args) > 0 && c.Args[0].Lit() == "exit" && !st.Background && !st.Coprocess
}

// neverRuns reports that an operator after a constant skips its right side.
func neverRuns(left *syntax.Stmt, op syntax.BinCmdOperator) bool {
	succeeds, ok := constant(left)
	return ok && (op == syntax.AndStmt && !succeeds || op == syntax.OrStmt && succeeds)
}

// onlyParses reports the option of a shell by which it reads its script and
// runs nothing.
func onlyParses(options []string) bool {
	return slices.ContainsFunc(options, func(a string) bool {
		return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Trim(a[1:], "abcefhiklmnrstuvx") == "" && strings.Contains(a, "n")
	})
}

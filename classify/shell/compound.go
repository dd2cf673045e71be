package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// binary walks X && Y, X || Y and pipelines. Chains are left-nested and can be
// long, so that they are unrolled instead of recursed into.
func (w *walker) binary(s *scope, b *syntax.BinaryCmd, f flow, next follower) {
	if isPipe(b.Op) {
		w.pipeline(s, b, f, next)
		return
	}
	var chain []*syntax.BinaryCmd
	left := &syntax.Stmt{Cmd: b}
	for {
		c, ok := left.Cmd.(*syntax.BinaryCmd)
		if !ok || isPipe(c.Op) || len(chain) > 0 && (left.Negated || len(left.Redirs) > 0) {
			break
		}
		chain = append(chain, c)
		left = c.X
	}
	if !w.spend(len(chain)) {
		return
	}
	flows := w.chainFlows(s, chain, f)
	w.stmt(s, left, flows[len(chain)], next)
	for i := len(chain) - 1; i >= 0; i-- {
		if i == len(chain)-1 && neverRuns(left, chain[i].Op) {
			continue
		}
		w.stmt(s, chain[i].Y, flows[i], next)
	}
}

// chainFlows gives the flow of each right side, from the outermost operator
// inwards, and that of the innermost left side last.
func (w *walker) chainFlows(s *scope, chain []*syntax.BinaryCmd, f flow) []flow {
	flows := make([]flow, 0, len(chain)+1)
	for _, c := range chain {
		flows = append(flows, f)
		if c.Op == syntax.AndStmt {
			f.tested = true
			continue
		}
		f = w.alternative(s, c.Y, f)
	}
	return append(flows, f)
}

// alternative is the flow of X in `X || Y`: what Y does with X's failure.
func (w *walker) alternative(s *scope, y *syntax.Stmt, f flow) flow {
	g := f
	g.tested = true
	switch w.verdict(y, 0) {
	case exits:
		g.status = f.exit
	case fails:
		g.status = f.mask(s)
	case succeeds:
		g.status = MaskOrTrue
	default:
		g.status = MaskOrElse
	}
	return g
}

func isPipe(op syntax.BinCmdOperator) bool {
	return op == syntax.Pipe || op == syntax.PipeAll
}

func (w *walker) pipeline(s *scope, b *syntax.BinaryCmd, f flow, next follower) {
	var parts []*syntax.Stmt
	left := &syntax.Stmt{Cmd: b}
	for {
		c, ok := left.Cmd.(*syntax.BinaryCmd)
		if !ok || !isPipe(c.Op) || len(left.Redirs) > 0 {
			break
		}
		parts = append(parts, c.Y)
		left = c.X
	}
	parts = append(parts, left)
	slices.Reverse(parts)
	if !w.spend(len(parts)) {
		return
	}
	for i, st := range parts {
		g := f.inner(s)
		last := i == len(parts)-1
		if !last && !s.pipefail {
			g = g.lost(MaskPipe)
			if next.pipestatus {
				g = f.inner(s).lost(next.recovered)
			}
		}
		if !last {
			g.reported = next.pipestatus || next.printedPipe || f.reported && s.pipefail
		}
		g.pipe, g.pipeLen = i, len(parts)
		w.stmt(s.fork(), st, g, follower{})
	}
}

// ifClause walks a condition and its branches. The condition's status is seen
// only if the branch that its failure takes fails too.
func (w *walker) ifClause(s *scope, c *syntax.IfClause, f flow) {
	for ; c != nil; c = c.Else {
		if len(c.Cond) > 0 {
			w.list(s, c.Cond, w.conditionFlow(s, c, f))
		}
		runs, known := constantList(c.Cond)
		if !known || runs {
			w.list(s, c.Then, f)
		}
		if known && runs {
			return
		}
	}
}

func (w *walker) conditionFlow(s *scope, c *syntax.IfClause, f flow) flow {
	branch := []*syntax.Stmt(nil)
	if c.Cond[len(c.Cond)-1].Negated {
		branch = c.Then
	} else if c.Else != nil && len(c.Else.Cond) == 0 {
		branch = c.Else.Then
	}
	g := f
	g.tested = true
	switch w.verdictList(branch, 0) {
	case exits:
		g.status = f.exit
	case fails:
		g.status = f.mask(s)
	default:
		g.status = MaskCondition
	}
	return g
}

func (w *walker) loop(s *scope, cond, do []*syntax.Stmt, f flow) {
	if len(cond) > 0 {
		g := f
		g.status, g.tested = MaskCondition, true
		w.list(s, cond, g)
	}
	f.status = MaskLoop
	w.list(s, do, f)
}

// forClause sets the variable when there is one value only; a loop over
// several is walked once with the variable unknown.
func (w *walker) forClause(s *scope, c *syntax.ForClause, f flow) {
	single := false
	if it, ok := c.Loop.(*syntax.WordIter); ok {
		for _, item := range it.Items {
			w.substitutions(s, item, f.lost(MaskSubst))
		}
		delete(s.vars, it.Name.Value)
		if len(it.Items) == 1 {
			v, dynamic := w.word(s, it.Items[0])
			single = !dynamic
			s.set(it.Name.Value, v, single)
		}
	}
	if single {
		w.list(s, c.Do, f)
		return
	}
	w.loop(s, nil, c.Do, f)
}

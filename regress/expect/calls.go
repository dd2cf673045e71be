package expect

import "slices"

// exactlyOnce counts effects where they were seen. In a log only a call that
// was ok is known to have had its effect, and one with an unknown outcome may
// have had it.
func (g *grader) exactlyOnce() Result {
	if !g.sees(Effected) {
		return g.onceByCalls()
	}
	acts := g.of(Effected, g.e.Call)
	if len(acts) == 0 {
		return g.result(Broken, nil, "the effect of %s never happened", g.e.Call)
	}
	groups, unnamed := g.groups(acts)
	for _, same := range groups {
		if len(same) > 1 {
			return g.result(Broken, same, "the effect of %s happened %d times", g.e.Call, len(same))
		}
	}
	if len(unnamed) > 1 {
		return g.lacking(unnamed)
	}
	return g.result(Held, acts, "the effect of %s happened once", g.e.Call)
}

func (g *grader) onceByCalls() Result {
	if !g.sees(Called) {
		return g.cannot("calls were not recorded")
	}
	calls := slices.DeleteFunc(g.of(Called, g.e.Call), func(a *Act) bool { return a.Outcome == "fail" })
	if len(calls) == 0 {
		return g.result(Broken, nil, "%s was never called", g.e.Call)
	}
	groups, unnamed := g.groups(calls)
	var open []*Act
	for _, same := range groups {
		sure := slices.DeleteFunc(slices.Clone(same), func(a *Act) bool { return a.Outcome != "ok" })
		switch {
		case len(sure) > 1:
			return g.result(Broken, sure, "%s succeeded %d times", g.e.Call, len(sure))
		case len(sure) == 0 || len(same) > 1:
			open = append(open, same...)
		}
	}
	switch {
	case len(open) > 0:
		return g.result(CannotTell, open, "an outcome of %s is unknown", g.e.Call)
	case len(unnamed) > 1:
		return g.lacking(unnamed)
	}
	return g.result(Held, calls, "%s succeeded once", g.e.Call)
}

func (g *grader) atMost() Result {
	if !g.sees(Called) {
		return g.cannot("calls were not recorded")
	}
	calls := g.of(Called, g.e.Call)
	groups, unnamed := g.groups(calls)
	for _, same := range groups {
		if len(same) > g.e.N {
			return g.result(Broken, same, "%s was called %d times, at most %d are allowed", g.e.Call, len(same), g.e.N)
		}
	}
	if len(unnamed) > g.e.N {
		return g.lacking(unnamed)
	}
	return g.result(Held, calls, "%s was called at most %d times", g.e.Call, g.e.N)
}

func (g *grader) never() Result {
	if calls := g.of(Called, g.e.Call); len(calls) > 0 {
		return g.result(Broken, calls, "%s was called", g.e.Call)
	}
	if !g.sees(Called) {
		return g.cannot("calls were not recorded")
	}
	return g.result(Held, nil, "%s was never called", g.e.Call)
}

// before asks for a call that was ok earlier, on the same arguments.
func (g *grader) before() Result {
	if !g.sees(Called) {
		return g.cannot("calls were not recorded")
	}
	proven := map[string]bool{}
	var done []*Act
	for i := range g.s.Acts {
		a := &g.s.Acts[i]
		if a.Kind != Called {
			continue
		}
		key, ok := group(g.e.Same, a)
		if g.e.Call.matches(a) {
			switch {
			case !ok:
				return g.lacking([]*Act{a})
			case !proven[key]:
				return g.result(Broken, []*Act{a}, "%s was called without an earlier ok %s", g.e.Call, g.e.Require)
			}
			done = append(done, a)
		}
		if g.e.Require.matches(a) && a.Outcome == "ok" && ok {
			proven[key] = true
		}
	}
	return g.result(Held, done, "%s was called only after %s", g.e.Call, g.e.Require)
}

func (g *grader) argumentEquals() Result {
	calls := g.of(Called, g.e.Call)
	for _, a := range calls {
		if v, ok := a.Args[g.e.Argument]; !ok || text(v) != text(g.e.Equals) {
			return g.result(Broken, []*Act{a}, "%s of %s is not %s", g.e.Argument, g.e.Call, text(g.e.Equals))
		}
	}
	if len(calls) == 0 {
		return g.cannot("%s was not called", g.e.Call)
	}
	return g.result(Held, calls, "%s of %s is %s", g.e.Argument, g.e.Call, text(g.e.Equals))
}

func (g *grader) denied() Result {
	if calls := g.of(Called, g.e.Call); len(calls) > 0 {
		return g.result(Broken, calls, "%s was executed", g.e.Call)
	}
	if refused := g.of(Refused, g.e.Call); len(refused) > 0 {
		return g.result(Held, refused, "%s was denied", g.e.Call)
	}
	return g.cannot("%s was not attempted", g.e.Call)
}

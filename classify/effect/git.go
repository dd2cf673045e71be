package effect

import "strings"

// git knows what leaves the repository (push) and the local acts that undo
// each other (stash, tag, branch).
func git(c command) []Effect {
	for len(c.words) > 0 && c.word(0) != "" && (c.has("C", "c") && (c.word(0) == c.flag("C") || c.word(0) == c.flag("c"))) {
		c.words = c.words[1:]
	}
	switch c.word(0) {
	case "push":
		return gitPush(c)
	case "ls-remote", "fetch":
		return one(c.effect(rd(List), "git-ref", 1))
	case "stash":
		return one(gitStash(c).localise("file"))
	case "commit":
		return one(c.effect(wr(Create), "commit", 1).localise("file"))
	case "tag", "branch":
		return one(gitRef(c).localise("file"))
	case "send-email":
		return one(c.effect(wr(Send), "email", 1))
	}
	return nil
}

// gitPush: pushing the same refs again changes nothing.
func gitPush(c command) []Effect {
	remote, refs := c.word(1), c.words[min(2, len(c.words)):]
	m, resource := set(Push), "git-ref"
	if c.has("delete", "d") || len(refs) > 0 && strings.HasPrefix(refs[0], ":") {
		m = set(Delete)
	}
	e := c.effect(m, resource, 1)
	id := map[string]value{"remote": remote, "ref": values(trimRefs(refs))}
	for _, f := range []string{"tags", "all", "mirror", "force-with-lease", "follow-tags"} {
		if c.has(f) {
			id[f] = true
		}
	}
	e.Identity = canonical(id)
	if c.has("n") {
		return one(e.asRead("dry run of git push"))
	}
	return one(e.localise(remoteGround(remote)))
}

func trimRefs(refs []string) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = strings.TrimPrefix(strings.TrimPrefix(r, ":"), "refs/heads/")
	}
	return out
}

// remoteGround judges a push target that is an address; a remote's name
// hides it.
func remoteGround(remote string) string {
	if strings.ContainsAny(remote, ":/@") {
		ground, _ := localTarget(remote)
		return ground
	}
	return ""
}

func gitStash(c command) Effect {
	switch c.word(1) {
	case "drop", "clear":
		return c.effect(set(Delete), "stash", 2)
	case "pop":
		return c.effect(wr(Delete), "stash", 2)
	case "list", "show":
		return c.effect(rd(List), "stash", 2)
	}
	return c.effect(wr(Create), "stash", 2)
}

func gitRef(c command) Effect {
	resource := c.word(0)
	switch {
	case c.has("d", "D", "delete"):
		e := c.effect(set(Delete), resource, 1)
		return e
	case len(c.words) < 2 || c.has("l", "list", "a", "r"):
		return c.effect(rd(List), resource, 1)
	}
	return c.effect(wr(Create), resource, 1)
}

// forge reads gh and glab: "gh pr create", "glab mr merge 3", "gh api …".
func forge(c command) []Effect {
	if c.word(0) == "api" {
		return forgeAPI(c)
	}
	noun, act := c.word(0), c.word(1)
	m, ok := forgeActs[act]
	if !ok {
		m, ok = verbs[act]
	}
	switch {
	case noun == "search":
		return one(c.effect(rd(Search), singular(c.word(1)), 2))
	case noun == "auth" || noun == "config" || noun == "alias" || noun == "completion" || noun == "extension":
		return nil
	case noun == "browse" || noun == "status" || act == "checkout" || act == "clone" || act == "download" || act == "develop":
		return nil
	case !ok:
		e := c.effect(meaning{}, singular(noun), 2)
		e.Class, e.Verb, e.Why = Unknown, None, c.name+": unknown sub-command"
		return one(e)
	}
	resource := fold(singular(noun))
	if m.verb == Append {
		resource += "-comment"
	}
	e := c.effect(m, resource, 2)
	if noun == "workflow" && act == "run" {
		e.Yields = "run"
	}
	if act == "comment" && c.has("edit-last") {
		e.Append, e.Repeatable = false, true
	}
	return one(e)
}

var forgeActs = map[string]meaning{
	"view": rd(Lookup), "checks": rd(Lookup), "diff": rd(Lookup), "status": rd(Lookup), "watch": rd(Lookup), "list": rd(List), "ls": rd(List),
	"comment": wr(Append), "note": wr(Append), "review": wr(Append), "ready": set(Update), "edit": set(Update), "lock": set(Update), "unlock": set(Update),
	"pin": set(Update), "unpin": set(Update), "upload": set(Set), "run": wr(Start), "rerun": wr(Start), "sync": set(Set), "fork": set(Create), "approve": set(Set),
}

// forgeAPI follows the method; fields make it a POST.
func forgeAPI(c command) []Effect {
	r := request{method: c.flag("X", "method"), url: c.word(1), headers: map[string]string{}}
	body := map[string]value{}
	for _, flag := range []string{"f", "F", "field", "raw-field"} {
		for _, kv := range c.flags[flag] {
			if name, v, ok := strings.Cut(kv, "="); ok {
				body[name] = v
			}
		}
	}
	if len(body) > 0 {
		r.body = body
	}
	if c.flag("input") == "-" && c.stdin != "" {
		r.body = bodyOf(c.stdin)
	}
	if r.method == "" && (r.body != nil || c.has("input")) {
		r.method = "POST"
	}
	if !strings.Contains(r.url, "://") {
		host := "api.github.com"
		if c.name == "glab" {
			host = "gitlab.com/api/v4"
		}
		r.url = "https://" + host + "/" + strings.TrimPrefix(r.url, "/")
	}
	e := httpEffect(r)
	e.Why = c.name + " api " + methodOf(r.method)
	return one(e)
}

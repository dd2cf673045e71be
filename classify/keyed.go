package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/record"
)

// keyed finds records that name a commit or a key in place of a run.
type keyed struct {
	records Records
	commits map[string][]int // first digits of the commit → records
	keys    map[string][]int
}

// digits of a commit are enough to look it up, and the least to trust.
const digits = 7

func (rs Records) keyed() keyed {
	k := keyed{records: rs, commits: map[string][]int{}, keys: map[string][]int{}}
	for i, r := range rs {
		if sha := r.commit(); sha != "" {
			k.commits[sha[:digits]] = append(k.commits[sha[:digits]], i)
		} else if key, ok := strings.CutPrefix(r.RunID(), record.KeyPrefix); ok && r.Operation != nil && key != "" {
			k.keys[key] = append(k.keys[key], i)
		}
	}
	return k
}

// commit is the commit that the record stands for, "" for none.
func (r Record) commit() string {
	sha, ok := strings.CutPrefix(r.RunID(), record.CommitPrefix)
	if !ok || r.Completion == nil || len(sha) < digits {
		return ""
	}
	return strings.ToLower(sha)
}

// of returns the records of a commit that a run names in full or by its first
// digits. Digits that several commits of the records begin with name none.
func (k keyed) of(sha string) []int {
	if len(sha) < digits {
		return nil
	}
	var out []int
	longest := ""
	for _, i := range k.commits[sha[:digits]] {
		full := k.records[i].commit()
		if !sameCommit(full, sha) {
			continue
		}
		if longest != "" && !sameCommit(full, longest) {
			return nil
		}
		if len(full) > len(longest) {
			longest = full
		}
		out = append(out, i)
	}
	return out
}

// sameCommit reports that one is the other's beginning.
func sameCommit(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return len(a) >= digits && len(b) >= digits && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// commit is a commit that a run made, as far as its log or a record shows.
type commit struct {
	sha string
	pos int
	run *ingest.Run
}

// link adds the evidence that belongs to the thread to its records and returns
// which it is.
func (th *Thread) link(k keyed) (linked []int) {
	if len(k.commits) > 0 {
		th.readCommits()
		for _, c := range th.commits {
			linked = append(linked, k.of(c.sha)...)
		}
		slices.Sort(linked)
		linked = slices.Compact(linked)
		for _, i := range linked {
			th.Records = append(th.Records, k.records[i])
		}
	}
	if len(k.keys) > 0 {
		linked = append(linked, th.linkKeys(k)...)
	}
	return linked
}

// readCommits finds the commits that the runs made: what git said when it
// committed or pushed, and what records say.
func (th *Thread) readCommits() {
	made := map[*ingest.Run]bool{}
	for _, a := range th.Actions {
		if !a.Ran() {
			continue
		}
		for _, sha := range a.commits(made[a.Run]) {
			made[a.Run] = true
			th.commits = append(th.commits, commit{sha: strings.ToLower(sha), pos: a.Pos, run: a.Run})
		}
	}
	for _, r := range th.Records {
		sha := ""
		switch {
		case r.Completion != nil && (r.Completion.Candidate.Kind == "commit" || r.Completion.Candidate.Kind == ""):
			sha = r.Completion.Candidate.ID
		case r.Handoff != nil:
			sha = r.Handoff.Commit
		}
		if !commitID.MatchString(sha) {
			continue
		}
		for _, run := range th.Runs {
			if namesRun(r.RunID(), run) {
				th.commits = append(th.commits, commit{sha: strings.ToLower(sha), pos: th.base[run] + len(run.Events) - 1, run: run})
			}
		}
	}
	slices.SortStableFunc(th.commits, func(a, b commit) int { return cmp.Compare(a.pos, b.pos) })
}

var (
	commitID   = phrase.MustCompile(`(?i)^[0-9a-f]{7,64}$`)
	committed  = phrase.MustCompile(`(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] `)
	pushed     = phrase.MustCompile(`(?m)^\s*\+?\s*[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})\s`)
	hashLine   = phrase.MustCompile(`(?m)^\s*([0-9a-f]{7,40})\s*$`)
	hashMember = phrase.MustCompile(`(?i)(?:\bcommit|\bsha|\bhash|oid)\W{1,8}(?:hash\W{1,4})?([0-9a-f]{7,40})\b`)
)

// commits are those that the action made, last one last. Before tells that the
// run made one already: rev-parse alone names where it began.
func (a *Action) commits(before bool) (out []string) {
	if a.Kind != RunsShell {
		if strings.Contains(plain(local(a.Tool)), "commit") && a.Outcome == ingest.OK {
			return first(hashMember.FindAllStringSubmatch(a.Output(), 1))
		}
		return nil
	}
	output := ""
	for _, c := range a.Commands {
		verb := gitVerb(c)
		if verb == "" {
			continue
		}
		if output == "" {
			output = a.Output()
		}
		switch verb {
		case "commit", "cherry-pick", "revert", "am", "merge":
			out = append(out, first(committed.FindAllStringSubmatch(output, -1))...)
			before = true // and quiet, maybe
		case "push":
			out = append(out, first(pushed.FindAllStringSubmatch(output, -1))...)
		case "rev-parse", "log":
			if before && slices.ContainsFunc(c.Argv, func(w string) bool { return w == "HEAD" || strings.HasPrefix(w, "--format=%") }) {
				out = append(out, first(hashLine.FindAllStringSubmatch(output, -1))...)
			}
		}
	}
	return out
}

func first(found [][]string) (out []string) {
	for _, m := range found {
		out = append(out, m[1])
	}
	return out
}

// gitVerb is the subcommand of a call of git, "" for another program.
func gitVerb(c shell.Command) string {
	if len(c.Argv) < 2 || shell.Program(c.Argv[0]) != "git" {
		return ""
	}
	for i := 1; i < len(c.Argv); i++ {
		switch w := c.Argv[i]; {
		case w == "-C" || w == "-c" || w == "--git-dir" || w == "--work-tree":
			i++
		case !strings.HasPrefix(w, "-"):
			return w
		}
	}
	return ""
}

// linkKeys turns look-ups by a key into operations of the calls that carry it.
func (th *Thread) linkKeys(k keyed) (linked []int) {
	type of struct {
		run *ingest.Run
		key string
	}
	calls := map[of][]*Action{}
	var order []of
	for _, a := range th.Actions {
		if !a.Ran() || a.Call < 0 {
			continue
		}
		for _, key := range k.carried(a) {
			at := of{a.Run, key}
			if calls[at] == nil {
				order = append(order, at)
			}
			calls[at] = append(calls[at], a)
		}
	}
	for _, at := range order {
		for _, i := range k.keys[at.key] {
			r := k.records[i]
			op := *r.Operation
			op.RunID, op.Dispatches = at.run.ID, nil
			for _, a := range calls[at] {
				if e := a.lead(); sameTool(op.Tool, a.Tool) || a.Kind == RunsShell {
					op.Dispatches = append(op.Dispatches, record.Dispatch{At: e.At, CallID: e.Call, ServiceKey: at.key, Outcome: string(a.Outcome)})
				}
			}
			if len(op.Dispatches) > 0 {
				r.Operation, r.Linked = &op, true
				th.Records = append(th.Records, r)
				linked = append(linked, i)
			}
		}
	}
	return linked
}

// carried are the known keys among the values of a call's arguments.
func (k keyed) carried(a *Action) (out []string) {
	seen := map[string]bool{}
	add := func(s string) {
		if len(k.keys[s]) > 0 && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	dec := jsontext.NewDecoder(strings.NewReader(string(a.Args)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			break
		}
		if kind := tok.Kind(); kind == '"' || kind == '0' {
			add(tok.String())
		}
	}
	for _, w := range strings.FieldsFunc(a.Shell, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=:,;&?{}()", r) }) {
		add(w)
	}
	return out
}

// Evidence are the checks that ran elsewhere on the commit that the episode
// accepted: of each check the last run.
func (v *View) Evidence(e *Episode) []*Record {
	if len(v.commits) == 0 {
		return nil
	}
	byEpisode := Once(&v.Own, "evidence", func() map[*Episode][]*Record { return map[*Episode][]*Record{} })
	out, ok := byEpisode[e]
	if !ok {
		out = v.evidenceOn(v.acceptedCommit(e))
		byEpisode[e] = out
	}
	return out
}

func (v *View) evidenceOn(sha string) (out []*Record) {
	if sha == "" {
		return nil
	}
	last := map[string]int{}
	for i := range v.Records {
		r := &v.Records[i]
		if full := r.commit(); full == "" || !sameCommit(full, sha) {
			continue
		}
		for _, c := range r.Completion.Checks {
			j, ok := last[c.Name]
			if !ok {
				last[c.Name] = len(out)
				out = append(out, r)
			} else if later(c, out[j].Completion.Checks[0]) {
				out[j] = r
			}
		}
	}
	return out
}

// later reports that a check ended after another, or began after it.
func later(a, b record.Check) bool {
	return cmp.Or(a.Finished.Compare(b.Finished), a.Started.Compare(b.Started)) > 0
}

// acceptedCommit is the candidate of the episode's record, else the last commit
// made in the episode if nothing of the work changed after it.
func (v *View) acceptedCommit(e *Episode) string {
	if e.Record != nil {
		if c := e.Record.Completion.Candidate; commitID.MatchString(c.ID) && (c.Kind == "commit" || c.Kind == "") {
			return c.ID
		}
	}
	if !e.Accepted {
		return ""
	}
	for _, c := range slices.Backward(v.commits) {
		if c.pos < e.Begin || c.pos > e.AtPos || c.run != v.Run && !slices.Contains(v.Subs, c.run) {
			continue
		}
		if slices.ContainsFunc(v.ChangesIn(c.pos, e.AtPos+1), (*Change).Candidate) {
			return ""
		}
		return c.sha
	}
	return ""
}

// Verified finds what evidence from elsewhere says of a required check on the
// accepted commit: nil where it has no result.
func (v *View) Verified(e *Episode, r Required) *record.Check {
	for _, rec := range v.Evidence(e) {
		for i := range rec.Completion.Checks {
			c := &rec.Completion.Checks[i]
			if (c.Status == "passed" || c.Status == "failed") && tells(c, r) {
				return c
			}
		}
	}
	return nil
}

// tells reports that a check is the required one by its name, its command, or
// because it is a report of tests where tests are required.
func tells(c *record.Check, r Required) bool {
	name := strings.ToLower(c.Name)
	if r.Name != "" && strings.Contains(name, strings.ToLower(r.Name)) || r.Runner != "" && r.Runner != "script" && strings.Contains(name, r.Runner) {
		return true
	}
	if len(c.Argv) > 0 {
		return runner.Satisfies(r.Check, argvCheck(c.Argv))
	}
	return c.Executed != nil && *c.Executed > 0 && r.Kind == runner.Test
}

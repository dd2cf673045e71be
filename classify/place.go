package classify

import (
	"path"
	"regexp"

	"github.com/faultline-dev/faultline/ingest"
)

// anewText matches what a harness or a user says when it made the place of work anew.
var anewText = regexp.MustCompile(`(?i)\b(container|sandbox|worktree|workspace|environment|virtual machine|vm|host|database|disk|volume)\b.{0,60}\b(created anew|re-?created|rebuilt|reset|fresh|wiped|new image|from the image|from scratch|lost)\b|\b(fresh|new|clean) (container|sandbox|worktree|workspace|environment|vm|host|checkout|clone)\b`)

// NewEnvironment reports that between two points the place of work was made
// anew, so that what was done before is not there any more.
func (v *View) NewEnvironment(after, before int) bool {
	for _, a := range v.ActionsIn(after, before) {
		for i := range a.Commands {
			if a.Ran() && makesPlace(a, i) {
				return true
			}
		}
	}
	for pos := after + 1; pos < before; pos++ {
		c := v.Event(pos)
		if c.Event == nil || c.Event.Actor != ingest.Harness && c.Event.Actor != ingest.User {
			continue
		}
		switch c.Event.Kind {
		case ingest.Resume, ingest.Handoff, ingest.Message, ingest.Error:
			if anewText.MatchString(Clip(c.Run.Text(c.Event), 2000)) {
				return true
			}
		}
	}
	return false
}

// placeMakers are programs that make or remove a place of work, with the
// sub-commands that do.
var placeMakers = map[string]map[string]bool{
	"docker":         set("run", "up", "create", "rm", "down", "build", "restart"),
	"podman":         set("run", "up", "create", "rm", "down", "build", "restart"),
	"docker-compose": set("run", "up", "create", "rm", "down", "build", "restart"),
	"vagrant":        set("up", "destroy", "reload", "provision"),
	"devcontainer":   set("up", "build"),
	"dropdb":         nil,
	"createdb":       nil,
	"virtualenv":     nil,
}

func makesPlace(a *Action, i int) bool {
	c := a.Commands[i]
	if sub, args, ok := c.Git(); ok {
		return sub == "clone" || sub == "worktree" && len(args) > 0 && args[0] == "add"
	}
	if len(c.Argv) == 0 {
		return false
	}
	subs, ok := placeMakers[path.Base(c.Argv[0])]
	if !ok || subs == nil {
		return ok
	}
	for _, w := range c.Argv[1:] {
		if subs[w] {
			return true
		}
	}
	return false
}

package classify

import (
	"path"

	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/ingest"
)

// anewText matches what a harness or a user says when it made the place of work anew.
var anewText = phrase.MustCompile(`(?i)\b(container|sandbox|worktree|workspace|environment|virtual machine|vm|host|database|disk|volume)\b.{0,60}\b(created anew|re-?created|rebuilt|reset|fresh|wiped|new image|from the image|from scratch|lost)\b|\b(fresh|new|clean) (container|sandbox|worktree|workspace|environment|vm|host|checkout|clone)\b`)

// NewEnvironment reports that between two points the place of work was made
// anew, so that what was done before is not there any more.
func (v *View) NewEnvironment(after, before int) bool {
	return v.madePlace().Any(after, before) || v.saidAnew().Any(after, before)
}

// LastEnvironment is the last position before a point at which the place of
// work was made anew, -1 when it never was.
func (v *View) LastEnvironment(before int) int {
	return max(v.madePlace().Before(before), v.saidAnew().Before(before))
}

func (th *Thread) madePlace() Positions {
	return Once(&th.Facts, "made a place", func() Positions {
		return th.Places(func(a *Action) bool {
			for i := range a.Commands {
				if a.Ran() && makesPlace(a, i) {
					return true
				}
			}
			return false
		})
	})
}

func (th *Thread) saidAnew() Positions {
	return Once(&th.Facts, "said anew", func() Positions {
		return th.eventPlaces(func(r *ingest.Run, e *ingest.Event) bool {
			if e.Actor != ingest.Harness && e.Actor != ingest.User {
				return false
			}
			switch e.Kind {
			case ingest.Resume, ingest.Handoff, ingest.Message, ingest.Error:
				return anewText.MatchString(Clip(r.Text(e), 2000))
			}
			return false
		})
	})
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

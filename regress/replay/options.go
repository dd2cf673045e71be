package replay

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress/replay/adapter"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
)

// ErrOptions is wrapped by errors of the options: what is missing or unknown.
var ErrOptions = errors.New("cannot replay")

// Mode is how the scripted model takes an answer that is not clear.
type Mode string

// The modes: a persistent model asks again, a passive one goes on.
const (
	Persistent Mode = "persistent"
	Passive    Mode = "passive"
)

// Accept says what counts as the harness accepting the work: "exit" for an
// exit code of 0, "record" for a completion record among its logs, "tool:NAME"
// for a call of a tool; "" for none.
type Accept string

// The signals of acceptance; AcceptTool is followed by the tool's name.
const (
	AcceptExit   Accept = "exit"
	AcceptRecord Accept = "record"
	AcceptTool          = "tool:"
)

func (a Accept) known() bool {
	tool, ok := strings.CutPrefix(string(a), AcceptTool)
	return a == "" || a == AcceptExit || a == AcceptRecord || ok && tool != ""
}

// Options of a replay.
type Options struct {
	Harness string   // the name of an adapter
	Command []string // the harness's program in other words; for the generic adapter all of its words
	Resume  []string // the words of a session after a restart, in place of the adapter's
	Env     []string // NAME=VALUE, beside the adapter's
	Logs    []string // below the scratch home, beside the adapter's
	Modes   []Mode   // nil: both
	Accept  Accept
	Network sandbox.Network // "" is isolated
	// Timeout bounds a session; ToolTimeout is set in harnesses that have such a
	// setting. 0 is 2 minutes and 5 seconds.
	Timeout, ToolTimeout time.Duration
	MaxRequests          int    // of a play, to the model; 0: the world's own cap
	Faultline            string // path of a faultline binary; "": this program
	Keep                 string // an existing folder in which the scratch folders are kept; "": they are removed
	Rules                []classify.Rule
}

const (
	sessionTimeout = 2 * time.Minute
	toolTimeout    = 5 * time.Second
	idleSeconds    = 20
)

// complete fills in what was left out and refuses what makes no sense.
func (o Options) complete() (Options, adapter.Adapter, error) {
	a, ok := adapter.Find(o.Harness)
	switch {
	case !ok:
		return o, a, fmt.Errorf("%w: %q: no such harness (known: %s)", ErrOptions, o.Harness, strings.Join(adapter.Names(), ", "))
	case o.Harness == adapter.GenericName && len(o.Command) == 0:
		return o, a, fmt.Errorf("%w: the command of the harness is missing", ErrOptions)
	case !o.Accept.known():
		return o, a, fmt.Errorf("%w: %q: no such signal of acceptance (known: exit, record, tool:NAME)", ErrOptions, string(o.Accept))
	}
	for _, v := range o.Env {
		if name, _, ok := strings.Cut(v, "="); !ok || name == "" {
			return o, a, fmt.Errorf("%w: environment %q is not NAME=VALUE", ErrOptions, v)
		}
	}
	if o.Faultline == "" {
		self, err := os.Executable()
		if err != nil {
			return o, a, fmt.Errorf("replay: find this program: %w", err)
		}
		o.Faultline = self
	}
	if o.Timeout <= 0 {
		o.Timeout = sessionTimeout
	}
	if o.ToolTimeout <= 0 {
		o.ToolTimeout = toolTimeout
	}
	if o.Network == "" {
		o.Network = sandbox.Isolated
	}
	if len(o.Modes) == 0 {
		o.Modes = []Mode{Persistent, Passive}
	}
	err := o.words(&a)
	return o, a, err
}

// words puts the given words into the adapter and finds the programs: the
// harness runs elsewhere, so that a relative path would mean another file.
func (o *Options) words(a *adapter.Adapter) error {
	switch {
	case a.Name == adapter.GenericName:
		a.Command, o.Command = slices.Clone(o.Command), nil
	case len(o.Command) == 0:
		o.Command = []string{a.Name}
	default:
		o.Command = slices.Clone(o.Command)
	}
	if len(o.Resume) > 0 {
		a.Resume = slices.Clone(o.Resume)
	}
	a.Env = slices.Concat(a.Env, o.Env)
	a.Logs = slices.Concat(a.Logs, o.Logs)
	for _, words := range [][]string{o.Command, a.Command, a.Resume} {
		if len(words) == 0 || strings.Contains(words[0], "{{") {
			continue
		}
		path, err := exec.LookPath(words[0])
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return fmt.Errorf("%w: find the harness: %w", ErrOptions, err)
		}
		words[0] = path
	}
	return nil
}

// plan fills the adapter in; the program's own words come first.
func (o *Options) plan(a adapter.Adapter, v adapter.Values) (*adapter.Plan, error) {
	p, err := a.Plan(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if len(o.Command) > 0 {
		p.Command = slices.Concat(o.Command, p.Command[1:])
		if len(p.Resume) > 0 && len(o.Resume) == 0 {
			p.Resume = slices.Concat(o.Command, p.Resume[1:])
		}
	}
	return p, nil
}

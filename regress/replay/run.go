package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"

	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/replay/adapter"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/replay/world"
	"github.com/faultline-dev/faultline/regress/script"
)

// Run plays a subject against a harness, once with each model mode. What the
// harness does is in the results; an error is for what was asked in a wrong way
// (ErrOptions), a system that cannot isolate (sandbox.ErrNoNamespace), or a
// context that ended.
func Run(ctx context.Context, s *Subject, o Options) ([]*Result, error) {
	o, a, err := o.complete()
	if err != nil {
		return nil, err
	}
	var out []*Result
	for _, m := range o.Modes {
		p := &play{subject: s, options: o, adapter: a, result: newResult(s, a, m)}
		start := time.Now()
		if err := p.run(ctx); err != nil {
			return out, fmt.Errorf("replay %s with a %s model: %w", s.Name, m, err)
		}
		p.result.Duration = time.Since(start)
		out = append(out, p.result)
	}
	return out, nil
}

func newResult(s *Subject, a adapter.Adapter, m Mode) *Result {
	return &Result{
		Case: s.ID, Name: s.Name, Harness: a.Name, Model: m, Expect: []expect.Result{}, Failures: []world.Failure{}, Faults: []script.Point{},
		Resent: []Resent{}, Calls: []Calls{}, Findings: []Finding{}, Sessions: []Session{}, Settings: slices.Clone(a.Shortened),
	}
}

// play is one play: a scratch folder, a sandbox, a world.
type play struct {
	subject *Subject
	options Options
	adapter adapter.Adapter
	result  *Result

	scratch scratch
	box     *sandbox.Sandbox
	world   *world.World
	log     *logged
	killed  atomic.Bool // the world asked for it
}

func (p *play) run(ctx context.Context) (err error) {
	if why := p.refuse(); why != "" {
		p.notReplayable(why)
		return nil
	}
	p.world, err = world.New(p.subject.Script, p.worldOptions())
	if errors.Is(err, world.ErrNotReplayable) {
		p.notReplayable(err.Error())
		return nil
	} else if err != nil {
		return err
	}
	defer p.world.Close()
	if p.scratch, err = newScratch(p.options.Keep); err != nil {
		return err
	}
	defer func() {
		if p.options.Keep == "" {
			err = errors.Join(err, os.RemoveAll(p.scratch.dir))
		} else {
			p.result.Folder = p.scratch.dir
		}
	}()
	if err := p.play(ctx); err != nil {
		return err
	}
	p.world.Close() // what is still under way is the harness's no more
	if err := p.scratch.keepLedger(p.world.Ledger()); err != nil {
		return err
	}
	p.log, err = readLog(ctx, p.scratch.home(), p.adapter.Logs, p.options.Rules)
	if err != nil {
		return err
	}
	p.grade()
	return nil
}

func (p *play) notReplayable(why string) {
	p.result.Status, p.result.Why, p.result.Network = NotReplayable, why, p.options.Network
}

// refuse says why this cannot be played, or "".
func (p *play) refuse() string {
	s := p.subject.Script
	if p.subject.Skip != "" {
		return p.subject.Skip
	}
	if s.Fault != nil && s.Fault.Kills() && len(p.adapter.Resume) == 0 {
		return "the fault kills the harness, and no command is known that resumes it (--resume-command)"
	}
	if s.Fault != nil && p.adapter.SlowTools && losesReply(s.Fault) {
		return "no setting of " + p.adapter.Name + " shortens how long it waits for a tool's reply, so that it takes a clock that can be turned"
	}
	if slices.Contains(commands(s), gitCommand) {
		if _, err := exec.LookPath(gitCommand); err != nil {
			return "the script has a git remote, and git is not installed"
		}
	}
	return ""
}

// losesReply reports a fault that shows only when a client gives a reply up.
func losesReply(f *script.Fault) bool {
	switch f.Point {
	case script.PersistedNotDispatched, script.CommittedNotReplied, script.ReplyLate, script.ParallelReplyLost:
		return !f.Kills()
	}
	return false
}

// play makes the world and the sandbox, and runs the harness in them.
func (p *play) play(ctx context.Context) (err error) {
	if err := fill(p.scratch.workspace(), p.subject.Script.Files); err != nil {
		return err
	}
	p.box, err = sandbox.New(ctx, sandbox.Options{Stub: []string{p.options.Faultline, "inside"}, Network: p.options.Network, Listeners: 2})
	if err != nil {
		return err
	}
	defer p.box.Close()
	p.result.Network = p.box.Network
	control, err := p.scratch.listen()
	if err != nil {
		return fmt.Errorf("listen for shims: %w", err)
	}
	defer control.Close()
	for _, l := range p.box.Listeners {
		defer l.Close()
	}
	p.world.ServeModel(p.box.Listeners[0])
	p.world.ServeTools(p.box.Listeners[1])
	p.world.ServeControl(control)
	if err := p.furnish(ctx); err != nil {
		return err
	}
	return p.sessions(ctx)
}

func (p *play) worldOptions() world.Options {
	o := world.Options{
		Passive: p.result.Model == Passive, MaxRequests: p.options.MaxRequests,
		Kill: func(script.Point) {
			p.killed.Store(true)
			p.box.Kill()
		},
		Over: func() { p.box.Kill() },
	}
	if !p.adapter.SlowTools {
		o.Late = 2 * p.options.ToolTimeout
	}
	return o
}

// furnish writes what the harness is to find.
func (p *play) furnish(ctx context.Context) error {
	names := commands(p.subject.Script)
	if err := p.scratch.writeShims(names, p.shim()); err != nil {
		return err
	}
	if err := fill(p.scratch.home(), map[string]string{".gitconfig": gitConfig}); err != nil {
		return err
	}
	if !slices.Contains(names, gitCommand) {
		return nil
	}
	said := &sandbox.Output{}
	exit, err := p.box.Run(ctx, sandbox.Command{
		Args: []string{"sh", "-ec", gitSetUp, "sh", p.scratch.workspace(), p.scratch.remote()}, Dir: p.scratch.workspace(),
		Env: sandbox.Environ(p.scratch.home(), "", gitDates()...), Timeout: time.Minute, Stdout: said, Stderr: said,
	})
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("exit code %d: %s", exit.Code, said)
	}
	if err == nil {
		err = p.scratch.writeHook(p.shim())
	}
	if err != nil {
		return fmt.Errorf("make a git remote: %w", err)
	}
	return nil
}

// shim are the words that reach the control socket.
func (p *play) shim() []string {
	return []string{p.options.Faultline, "shim", "--control", p.scratch.control()}
}

// sessions runs the harness, and again where the world killed it.
func (p *play) sessions(ctx context.Context) error {
	plan, err := p.options.plan(p.adapter, p.values(p.subject.Script.Prompt))
	if err != nil {
		return err
	}
	if err := fill(p.scratch.home(), plan.Files); err != nil {
		return fmt.Errorf("configure the harness: %w", err)
	}
	if err := p.session(ctx, plan.Command, plan.Env); err != nil {
		return err
	}
	if !p.killed.Load() {
		return nil
	}
	prompt := p.subject.Script.Resume
	if prompt == "" {
		prompt = p.subject.Script.Prompt
	}
	again, err := p.options.plan(p.adapter, p.values(prompt))
	if err != nil {
		return err
	}
	p.world.Restarted()
	return p.session(ctx, again.Resume, again.Env)
}

func (p *play) session(ctx context.Context, words, env []string) error {
	out, errs := &sandbox.Output{}, &sandbox.Output{}
	exit, err := p.box.Run(ctx, sandbox.Command{
		Args: words, Dir: p.scratch.workspace(), Env: sandbox.Environ(p.scratch.home(), p.scratch.shims(), env...),
		Timeout: p.options.Timeout, Stdout: out, Stderr: errs,
	})
	if err != nil {
		return err
	}
	p.result.Sessions = append(p.result.Sessions, Session{
		Exit: exit.Code, Signal: exit.Signal, Killed: exit.Killed, TimedOut: exit.TimedOut,
		Printed: out.Total + errs.Total, Stdout: out.String(), Stderr: errs.String(),
	})
	return nil
}

//go:build linux || darwin || freebsd

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// settle is how long outputs may stay open after the program's end: only a
// process that escaped, where there are no PID namespaces, keeps them open.
const settle = 2 * time.Second

// Run runs a program to its end. A program that cannot be started gives an
// error, one that fails does not. When ctx ends the program is killed.
func (s *Sandbox) Run(ctx context.Context, c Command) (*Exit, error) {
	over := make(chan struct{})
	s.mu.Lock()
	s.killed, s.running = false, over
	s.mu.Unlock()
	defer s.over(over)
	out, err := collect(c.Stdout)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	defer out.close()
	errs, err := collect(c.Stderr)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	defer errs.close()
	if err := s.channel.send(message{Do: "run", Args: c.Args, Dir: c.Dir, Env: c.Env}, out.write, errs.write); err != nil {
		return nil, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	out.write.Close()
	errs.write.Close()
	exit, err := s.wait(ctx, c)
	s.over(over)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	end := time.After(settle)
	for _, p := range []*pipe{out, errs} {
		select {
		case <-p.done:
		case <-end:
		}
	}
	return exit, nil
}

type answer struct {
	message
	err error
}

// wait waits for the stub's word that nothing of the program is left.
func (s *Sandbox) wait(ctx context.Context, c Command) (*Exit, error) {
	got := make(chan answer, 1)
	go func() {
		m, _, err := s.channel.receive()
		got <- answer{m, err}
	}()
	var over <-chan time.Time
	if c.Timeout > 0 {
		t := time.NewTimer(c.Timeout)
		defer t.Stop()
		over = t.C
	}
	exit := &Exit{}
	for done := ctx.Done(); ; {
		select {
		case <-over:
			exit.TimedOut = true
			s.end()
		case <-done:
			done = nil
			s.end()
		case a := <-got:
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return exit, s.finish(exit, a)
		}
	}
}

func (s *Sandbox) finish(exit *Exit, a answer) error {
	s.mu.Lock()
	exit.Killed = s.killed
	s.mu.Unlock()
	switch {
	case a.err != nil:
		return fmt.Errorf("the stub is gone: %w", a.err)
	case a.Do != "exit":
		return errors.New(a.Text)
	}
	exit.Code = a.Code
	if a.Died != 0 {
		exit.Code, exit.Signal = 128+a.Died, syscall.Signal(a.Died).String()
	}
	return nil
}

// over tells Kill that nothing runs any more.
func (s *Sandbox) over(running chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == running {
		close(running)
		s.running = nil
	}
}

// Kill kills everything that runs in the sandbox and returns when it is dead;
// Run then returns too. It may be called at any time, from any goroutine.
func (s *Sandbox) Kill() {
	s.mu.Lock()
	running := s.running
	s.killed = true
	s.mu.Unlock()
	s.end()
	if running != nil {
		<-running
	}
}

// end asks the stub to kill; without a PID namespace too, it answers at once.
func (s *Sandbox) end() {
	if s.channel.send(message{Do: "kill"}) != nil {
		s.stub.Process.Kill()
	}
}

// pipe is one output of a program on its way to an Output.
type pipe struct {
	read, write *os.File
	done        chan struct{}
}

func collect(o *Output) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &pipe{r, w, make(chan struct{})}
	var to io.Writer = io.Discard
	if o != nil {
		to = o
	}
	go func() {
		io.Copy(onlyWriter{to}, r) // ends with the last writer, or with close
		close(p.done)
	}()
	return p, nil
}

// onlyWriter keeps io.Copy to one buffer of its own.
type onlyWriter struct{ io.Writer }

func (p *pipe) close() {
	p.write.Close()
	p.read.Close()
}

//go:build linux || darwin || freebsd

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Sandbox is a place to run programs in, one after the other. It is ended by
// Close.
type Sandbox struct {
	// Listeners are what Options asked for. They are the caller's to close.
	Listeners []net.Listener
	// Network is what the programs can reach.
	Network Network

	stub    *exec.Cmd
	channel *channel
	ended   chan struct{} // the stub is gone

	mu      sync.Mutex
	killed  bool          // Kill was called in this Run
	running chan struct{} // closed when the program that runs is over; nil: none runs
}

// New starts a sandbox. Where the system gives no namespace the error wraps
// ErrNoNamespace, unless the options say that the network stays open.
func New(ctx context.Context, o Options) (*Sandbox, error) {
	if len(o.Stub) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("start sandbox: find this program: %w", err)
		}
		o.Stub = []string{self, "inside"}
	}
	if o.Network == "" {
		o.Network = Isolated
	}
	var first error
	for _, space := range spaces(o.Network) {
		s, err := start(ctx, o, space)
		if err == nil {
			return s, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = ErrNoNamespace
	}
	return nil, fmt.Errorf("start sandbox: %w", first)
}

// start starts the stub with these attributes and takes its listeners.
func start(ctx context.Context, o Options, space *syscall.SysProcAttr) (*Sandbox, error) {
	ours, theirs, err := pair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	c, err := newChannel(ours)
	if err != nil {
		return nil, err
	}
	stub := exec.Command(o.Stub[0], o.Stub[1:]...)
	stub.ExtraFiles = []*os.File{theirs}
	stub.Env, stub.Dir, stub.SysProcAttr = []string{}, "/", space
	said := &Output{}
	stub.Stderr = said
	stub.WaitDelay = time.Second
	if err := stub.Start(); err != nil {
		c.conn.Close()
		if refused(err) && o.Network == Isolated {
			return nil, fmt.Errorf("%w: %w", ErrNoNamespace, err)
		}
		return nil, fmt.Errorf("start the stub: %w", err)
	}
	theirs.Close()
	s := &Sandbox{Network: o.Network, stub: stub, channel: c, ended: make(chan struct{})}
	go func() {
		stub.Wait() // how it ended shows on the channel
		close(s.ended)
	}()
	stop := context.AfterFunc(ctx, func() { stub.Process.Kill() })
	defer stop()
	if err := s.listen(o); err != nil {
		s.Close()
		return nil, errors.Join(err, said.err())
	}
	return s, nil
}

// err is what a failed stub wrote.
func (o *Output) err() error {
	if o.Total == 0 {
		return nil
	}
	return errors.New(o.String())
}

func (s *Sandbox) listen(o Options) error {
	if err := s.channel.send(message{Do: "listen", Count: o.Listeners, Alone: o.Network == Isolated}); err != nil {
		return fmt.Errorf("ask the stub for listeners: %w", err)
	}
	m, files, err := s.channel.receive()
	if err != nil {
		return fmt.Errorf("take listeners from the stub: %w", err)
	}
	for _, f := range files {
		l, err := net.FileListener(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("take listeners from the stub: %w", err)
		}
		s.Listeners = append(s.Listeners, l)
	}
	switch {
	case m.Do != "ready" && o.Network == Isolated:
		return fmt.Errorf("%w: %s", ErrNoNamespace, m.Text)
	case m.Do != "ready" || len(s.Listeners) != o.Listeners:
		return fmt.Errorf("take listeners from the stub: got %d: %s", len(s.Listeners), m.Text)
	}
	return nil
}

// pair is a connected pair of sockets that no program inherits by itself.
func pair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fds[0])
		syscall.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	return os.NewFile(uintptr(fds[0]), "parent"), os.NewFile(uintptr(fds[1]), "stub"), nil
}

// Close kills what runs and ends the stub. The listeners stay open.
func (s *Sandbox) Close() error {
	s.channel.conn.Close() // the stub ends with it, and all in its namespace
	select {
	case <-s.ended:
	case <-time.After(2 * time.Second):
		s.stub.Process.Kill()
		<-s.ended
	}
	return nil
}

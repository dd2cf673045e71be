//go:build linux || darwin || freebsd

package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Inside is the stub: what `faultline inside` does. It serves the parent on
// descriptor 3 until the parent goes away, and returns the exit code.
func Inside() int {
	runtime.LockOSThread() // what a child inherits is this thread's
	prepare()
	syscall.CloseOnExec(3)
	c, err := newChannel(os.NewFile(3, "parent"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "inside: this command is started by replay:", err)
		return 2
	}
	s := &stub{channel: c, runs: make(chan job)}
	go s.listen()
	for j := range s.runs {
		if err := c.send(s.run(j)); err != nil {
			break
		}
	}
	return 0
}

// last is how long a stub whose parent is gone goes on killing.
const last = 100 * time.Millisecond

type stub struct {
	channel *channel
	runs    chan job
	killed  atomic.Bool // since the last program was asked for
}

// job is a program to start, with its standard output and error.
type job struct {
	message
	files []*os.File
}

// listen does what the parent says. Without a parent nothing may live on.
func (s *stub) listen() {
	for {
		m, files, err := s.channel.receive()
		if err != nil {
			s.killed.Store(true)
			killAll()
			time.Sleep(last) // for orphans, where there is no PID namespace
			os.Exit(0)
		}
		switch m.Do {
		case "listen":
			s.offer(m)
		case "run":
			s.killed.Store(false)
			s.runs <- job{m, files}
		case "kill":
			s.killed.Store(true)
			killAll()
		}
	}
}

// offer opens the listeners and passes them to the parent.
func (s *stub) offer(m message) {
	files, err := open(m)
	answer := message{Do: "ready"}
	if err != nil {
		answer = message{Do: "failed", Text: err.Error()}
	}
	s.channel.send(answer, files...)
	for _, f := range files {
		f.Close()
	}
}

func open(m message) (files []*os.File, err error) {
	if m.Alone {
		if err := proveAlone(); err != nil {
			return nil, err
		}
		if err := settleIn(); err != nil {
			return nil, err
		}
	}
	for range m.Count {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// proveAlone tries to leave: a datagram socket that connects to an address of
// the documentation's networks sends nothing, but needs a route to it.
func proveAlone() error {
	for network, address := range map[string]string{"udp4": "192.0.2.1:9", "udp6": "[2001:db8::1]:9"} {
		c, err := net.Dial(network, address)
		if err == nil {
			c.Close()
			return fmt.Errorf("the namespace has a route to %s", address)
		}
	}
	all, err := net.Interfaces()
	if err != nil {
		return fmt.Errorf("list network interfaces: %w", err)
	}
	for _, i := range all {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			return fmt.Errorf("the namespace has the network interface %s", i.Name)
		}
	}
	return nil
}

// run starts one program, waits for its end and kills what it left.
func (s *stub) run(j job) message {
	defer func() {
		for _, f := range j.files {
			f.Close()
		}
	}()
	if len(j.files) != 2 || len(j.Args) == 0 {
		return message{Do: "failed", Text: "a program needs arguments and two outputs"}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return message{Do: "failed", Text: err.Error()}
	}
	defer null.Close()
	path, err := find(j.Args[0], j.Dir, j.Env)
	if err != nil {
		return message{Do: "failed", Text: err.Error()}
	}
	pid, err := syscall.ForkExec(path, j.Args, &syscall.ProcAttr{Dir: j.Dir, Env: j.Env,
		Files: []uintptr{null.Fd(), j.files[0].Fd(), j.files[1].Fd()}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return message{Do: "failed", Text: fmt.Sprintf("start %s: %v", path, err)}
	}
	return s.reap(pid)
}

// reap waits for everything that has this process as its parent, orphans
// included, and tells how pid ended.
func (s *stub) reap(pid int) message {
	m := message{Do: "exit"}
	running.Store(int64(pid))
	defer running.Store(0)
	if s.killed.Load() { // while it was being started
		killAll()
	}
	for over := false; ; {
		var w syscall.WaitStatus
		got, err := syscall.Wait4(-1, &w, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil: // ECHILD: nobody is left
			return m
		case got == pid && w.Signaled():
			m.Died, over = int(w.Signal()), true
		case got == pid && w.Exited():
			m.Code, over = w.ExitStatus(), true
		}
		if over {
			killAll()
		}
	}
}

// find looks a program up as its own environment would.
func find(name, dir string, env []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name, nil
	}
	var path string
	for _, v := range env {
		if p, ok := strings.CutPrefix(v, "PATH="); ok {
			path = p
		}
	}
	for _, folder := range filepath.SplitList(path) {
		full := filepath.Join(folder, name)
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return full, nil
		}
	}
	return "", fmt.Errorf("%w: %s in %s", exec.ErrNotFound, name, path)
}

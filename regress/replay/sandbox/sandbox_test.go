//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	s := isolated(t, 0)
	out, errs := &Output{}, &Output{}
	exit, err := s.Run(context.Background(), Command{Args: program("hello"), Stdout: out, Stderr: errs})
	require.NoError(t, err)
	assert.Equal(t, &Exit{Code: 7}, exit)
	assert.Equal(t, "hello\n", out.String())
	assert.Equal(t, "trouble\n", errs.String())
	assert.Equal(t, Isolated, s.Network)
}

// TestRunAgain: a second session runs in the same place.
func TestRunAgain(t *testing.T) {
	s := isolated(t, 1)
	for range 3 {
		serveOnce(t, s.Listeners[0])
		exit, out := run(t, s, Command{Args: program("dial", s.Listeners[0].Addr().String())})
		assert.Zero(t, exit.Code, out)
		assert.Equal(t, "served\n", out)
	}
}

// serveOnce answers one connection.
func serveOnce(t *testing.T, l net.Listener) {
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		bufio.NewReader(c).ReadString('\n')
		fmt.Fprintln(c, "served")
	}()
}

func TestProgramNotFound(t *testing.T) {
	s := isolated(t, 0)
	_, err := s.Run(context.Background(), Command{Args: []string{"no-such-program"}, Env: []string{"PATH=/nowhere"}})
	assert.ErrorContains(t, err, "no-such-program")
	exit, _ := run(t, s, Command{Args: program("hello")})
	assert.Equal(t, 7, exit.Code, "the sandbox goes on")
}

// TestNothingOutside: a trap on every address of this host, the loopback
// included, stays silent; names are not resolved; the kernel itself lists no
// route and no interface but the loopback.
func TestNothingOutside(t *testing.T) {
	s := isolated(t, 0)
	trap, err := net.Listen("tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	defer trap.Close()
	caught := make(chan string, 100)
	go func() {
		for {
			c, err := trap.Accept()
			if err != nil {
				return
			}
			caught <- c.RemoteAddr().String()
			c.Close()
		}
	}()
	_, port, err := net.SplitHostPort(trap.Addr().String())
	require.NoError(t, err)
	for _, host := range append(own(t), "192.0.2.1", "169.254.169.254") {
		exit, out := run(t, s, Command{Args: program("dial", net.JoinHostPort(host, port))})
		assert.Equal(t, 1, exit.Code, "%s: %s", host, out)
	}
	exit, out := run(t, s, Command{Args: program("resolve", "example.com")})
	assert.Equal(t, 1, exit.Code, out)
	exit, out = run(t, s, Command{Args: program("routes")})
	assert.Zero(t, exit.Code)
	for line := range strings.Lines(out) {
		device, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		known := strings.HasPrefix(line, "/proc") || strings.HasPrefix(line, "Iface") || strings.HasPrefix(line, "Inter-") || strings.HasPrefix(line, " face")
		assert.True(t, known || device == "lo" || !strings.Contains(line, "\t"), "a route: %s", line)
	}
	assert.Empty(t, caught)

	c, err := net.Dial("tcp4", trap.Addr().String()) // the trap does work
	require.NoError(t, err)
	c.Close()
	assert.NotEmpty(t, <-caught)
}

// own are this host's IPv4 addresses.
func own(t *testing.T) (hosts []string) {
	t.Helper()
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil {
			hosts = append(hosts, ip.IP.String())
		}
	}
	require.NotEmpty(t, hosts)
	return hosts
}

func TestTimeout(t *testing.T) {
	s := isolated(t, 0)
	exit, _ := run(t, s, Command{Args: program("forever"), Timeout: 100 * time.Millisecond})
	assert.True(t, exit.TimedOut)
	assert.Equal(t, 137, exit.Code)
	assert.Equal(t, "killed", exit.Signal)
}

func TestKill(t *testing.T) {
	s := isolated(t, 0)
	drum := filepath.Join(t.TempDir(), "drum")
	go func() {
		for {
			if _, err := os.Stat(drum); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		s.Kill()
	}()
	exit, _ := run(t, s, Command{Args: program("daemon", drum, "stay"), Timeout: time.Minute})
	assert.True(t, exit.Killed)
	assert.False(t, exit.TimedOut)
	silent(t, drum)
}

// TestCancel: the caller's context ends the program, however early it does.
func TestCancel(t *testing.T) {
	s := isolated(t, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Run(ctx, Command{Args: program("forever")})
	assert.ErrorIs(t, err, context.Canceled)
}

// TestDaemon: what a program leaves behind ends with it, also where there is
// no PID namespace.
func TestDaemon(t *testing.T) {
	open, err := start(context.Background(), Options{Stub: []string{os.Args[0], "inside"}, Network: Open}, nil)
	require.NoError(t, err)
	defer open.Close()
	for name, s := range map[string]*Sandbox{"namespace": isolated(t, 0), "none": open} {
		t.Run(name, func(t *testing.T) {
			drum := filepath.Join(t.TempDir(), "drum")
			exit, _ := run(t, s, Command{Args: program("daemon", drum)})
			assert.Zero(t, exit.Code)
			silent(t, drum)
		})
	}
}

// silent checks that nobody beats the drum any more.
func silent(t *testing.T, drum string) {
	t.Helper()
	before, err := os.Stat(drum)
	require.NoError(t, err)
	time.Sleep(50 * time.Millisecond)
	after, err := os.Stat(drum)
	require.NoError(t, err)
	assert.Equal(t, before.Size(), after.Size())
}

// TestClose: with the parent's end of the channel gone nothing lives on.
func TestClose(t *testing.T) {
	s, err := New(context.Background(), Options{})
	if err != nil {
		t.Skip(err)
	}
	drum := filepath.Join(t.TempDir(), "drum")
	done := make(chan error)
	go func() {
		_, err := s.Run(context.Background(), Command{Args: program("daemon", drum, "stay")})
		done <- err
	}()
	require.Eventually(t, func() bool { _, err := os.Stat(drum); return err == nil }, 10*time.Second, time.Millisecond)
	require.NoError(t, s.Close())
	assert.Error(t, <-done)
	silent(t, drum)
}

func TestFlood(t *testing.T) {
	s := isolated(t, 0)
	out := &Output{}
	exit, err := s.Run(context.Background(), Command{Args: program("flood"), Stdout: out})
	require.NoError(t, err)
	assert.Zero(t, exit.Code)
	assert.Equal(t, int64(1<<30+len("first\n")+len("last\n")), out.Total)
	assert.Len(t, out.Head, Kept)
	assert.Len(t, out.Tail, Kept)
	assert.LessOrEqual(t, cap(out.Head)+cap(out.Tail), 4*Kept)
	assert.True(t, strings.HasPrefix(out.String(), "first\n"))
	assert.True(t, strings.HasSuffix(out.String(), "x\nlast\n"))
	assert.Contains(t, out.String(), "[1073610763 bytes left out]")
}

// TestNoNamespace: where the system refuses, there is no run, unless the
// caller opened the network, which the sandbox then says.
func TestNoNamespace(t *testing.T) {
	_, err := New(context.Background(), Options{Stub: []string{"/bin/true"}})
	assert.Error(t, err)
	_, err = start(context.Background(), Options{Stub: []string{os.Args[0], "inside"}, Network: Isolated}, nil)
	assert.ErrorIs(t, err, ErrNoNamespace, "a stub that has a way out refuses")
	s, err := New(context.Background(), Options{Network: Open, Listeners: 1})
	require.NoError(t, err)
	defer s.Close()
	assert.Equal(t, Open, s.Network)
	serveOnce(t, s.Listeners[0])
	exit, out := run(t, s, Command{Args: program("dial", s.Listeners[0].Addr().String())})
	assert.Zero(t, exit.Code, out)
}

// TestEnviron: nothing of the user's environment but the path and the language.
func TestEnviron(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	t.Setenv("HTTPS_PROXY", "http://proxy.example:3128")
	t.Setenv("PATH", "/usr/bin:/bin")
	t.Setenv("LANG", "en_GB.UTF-8")
	s := isolated(t, 0)
	_, out := run(t, s, Command{Args: program("environment"), Env: Environ("/scratch", "/scratch/shims", "TERM=vt100", "MODEL=m")})
	assert.ElementsMatch(t, []string{
		"PATH=/scratch/shims:/usr/bin:/bin", "HOME=/scratch", "TMPDIR=/scratch/tmp", "LANG=en_GB.UTF-8", "SHELL=/bin/sh", "TZ=UTC",
		"USER=replay", "LOGNAME=replay", "CI=true", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "TERM=vt100", "MODEL=m",
	}, strings.Split(strings.TrimSpace(out), "\n"))
}

// TestSideBySide: two sandboxes do not see each other's listeners.
func TestSideBySide(t *testing.T) {
	a, b := isolated(t, 1), isolated(t, 1)
	serveOnce(t, a.Listeners[0])
	exit, out := run(t, a, Command{Args: program("dial", a.Listeners[0].Addr().String())})
	assert.Zero(t, exit.Code, out)
	if a.Listeners[0].Addr().String() != b.Listeners[0].Addr().String() {
		exit, out = run(t, b, Command{Args: program("dial", a.Listeners[0].Addr().String())})
		assert.Equal(t, 1, exit.Code, out)
	}
}

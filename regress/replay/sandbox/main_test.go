//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain makes this binary the stub and every program that a test runs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "inside":
			os.Exit(Inside())
		case "program":
			os.Exit(programs[os.Args[2]](os.Args[3:]))
		}
	}
	os.Exit(m.Run())
}

// programs are what runs in the sandbox.
var programs = map[string]func(args []string) int{
	"hello": func([]string) int {
		fmt.Println("hello")
		fmt.Fprintln(os.Stderr, "trouble")
		return 7
	},
	"environment": func([]string) int {
		fmt.Println(strings.Join(os.Environ(), "\n"))
		return 0
	},
	"dial": func(args []string) int {
		c, err := net.DialTimeout("tcp", args[0], 2*time.Second)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer c.Close()
		fmt.Fprintln(c, "knock")
		line, _ := bufio.NewReader(c).ReadString('\n')
		fmt.Print(line)
		return 0
	},
	"resolve": func(args []string) int {
		_, err := net.LookupHost(args[0])
		fmt.Println(err)
		if err != nil {
			return 1
		}
		return 0
	},
	"routes": func([]string) int {
		for _, name := range []string{"/proc/self/net/route", "/proc/self/net/dev"} {
			data, err := os.ReadFile(name)
			if err != nil {
				return 1
			}
			fmt.Printf("%s:\n%s", name, data)
		}
		return 0
	},
	"forever": func([]string) int {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		select {}
	},
	// daemon leaves a process in a session of its own, which beats a drum.
	"daemon": func(args []string) int {
		c := exec.Command(os.Args[0], "program", "drum", args[0])
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		if c.Start() != nil {
			return 1
		}
		for {
			if _, err := os.Stat(args[0]); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if len(args) > 1 {
			select {}
		}
		return 0
	},
	"drum": func(args []string) int {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		f, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		for err == nil {
			_, err = f.WriteString(".")
			time.Sleep(5 * time.Millisecond)
		}
		return 1
	},
	"flood": func([]string) int {
		line := strings.Repeat("x", 1<<20-1) + "\n"
		io.WriteString(os.Stdout, "first\n")
		for range 1 << 10 {
			io.WriteString(os.Stdout, line)
		}
		io.WriteString(os.Stdout, "last\n")
		return 0
	},
}

// program is the command line of one of them.
func program(words ...string) []string {
	return append([]string{os.Args[0], "program"}, words...)
}

// isolated starts a sandbox with as many listeners, or skips.
func isolated(t *testing.T, listeners int) *Sandbox {
	t.Helper()
	s, err := New(context.Background(), Options{Listeners: listeners})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// run runs a program to its end and returns what it wrote to standard output.
func run(t *testing.T, s *Sandbox, c Command) (*Exit, string) {
	t.Helper()
	out := &Output{}
	c.Stdout = out
	exit, err := s.Run(context.Background(), c)
	require.NoError(t, err)
	return exit, out.String()
}

//go:build linux

package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/replay/shim"
)

// TestMain makes this binary everything that a replay starts: the sandbox's
// stub, the shims and the harness under test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "inside":
			os.Exit(sandbox.Inside())
		case "shim": // shim --control SOCKET WORD...
			dir, _ := os.Getwd()
			code, err := shim.Run(context.Background(), os.Args[3], os.Args[4:],
				shim.Process{Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
			os.Exit(code)
		case "harness":
			os.Exit(harnesses[os.Args[2]](os.Args[3:]))
		}
	}
	os.Exit(m.Run())
}

// harnesses are small harnesses, good ones and bad ones.
var harnesses = map[string]func(args []string) int{
	"careful": func([]string) int { return (&loop{}).run() },
	"hasty": func(args []string) int {
		l := &loop{retries: 1}
		code := l.run()
		if len(args) > 0 { // a log of the messages, as chat programs keep them
			data, _ := json.Marshal(map[string]any{"messages": l.messages})
			os.WriteFile(filepath.Join(os.Getenv("HOME"), "log.json"), data, 0o600)
		}
		return code
	},
	"blind": func([]string) int { return (&loop{skip: true}).run() },
	"forever": func([]string) int {
		(&loop{}).run()
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		select {}
	},
	"daemon": func(args []string) int {
		c := exec.Command(os.Args[0], "harness", "drum", args[0])
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if c.Start() != nil {
			return 1
		}
		for {
			if _, err := os.Stat(args[0]); err == nil {
				return (&loop{}).run()
			}
		}
	},
	"drum": func(args []string) int {
		f, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		for err == nil {
			_, err = f.WriteString(".")
			time.Sleep(5 * time.Millisecond)
		}
		return 1
	},
	"flood": func([]string) int {
		for range 100000 {
			res, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json",
				strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"again"}],"tools":[]}`))
			if err != nil {
				return 1
			}
			res.Body.Close()
		}
		return 0
	},
	"half": func([]string) int {
		u, err := url.Parse(os.Getenv("OPENAI_BASE_URL"))
		if err != nil {
			return 1
		}
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			return 1
		}
		io.WriteString(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"mod")
		c.Close()
		return (&loop{}).run()
	},
	"outside": func(args []string) int {
		for _, address := range args {
			if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
				c.Close()
				return 99
			}
		}
		if _, err := net.LookupHost("example.com"); err == nil {
			return 98
		}
		return (&loop{}).run()
	},
	"loud": func([]string) int {
		line := strings.Repeat("x", 1<<20-1) + "\n"
		for range 1 << 10 {
			io.WriteString(os.Stdout, line)
		}
		return (&loop{}).run()
	},
	"home": func([]string) int { // looks for what is the user's
		fmt.Println("secret:", os.Getenv("REPLAY_TEST_SECRET"))
		all, _ := filepath.Glob(filepath.Join(os.Getenv("HOME"), ".*"))
		fmt.Println("home:", all)
		work, _ := os.Getwd()
		files, _ := filepath.Glob(filepath.Join(work, "*"))
		fmt.Println("work:", files)
		return (&loop{}).run()
	},
}

// loop is an agent loop over Chat Completions with tools over HTTP and commands.
// It keeps its messages in its home and goes on from there.
type loop struct {
	retries int  // of a tool call whose reply is lost
	skip    bool // goes on without calling any tool

	messages []any
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	CallID    string     `json:"tool_call_id,omitempty"`
}

func (l *loop) run() int {
	state := filepath.Join(os.Getenv("HOME"), "state.json")
	if data, err := os.ReadFile(state); err == nil {
		json.Unmarshal(data, &l.messages)
	} else {
		l.messages = []any{message{Role: "user", Content: os.Getenv("FAULTLINE_PROMPT")}}
	}
	for range 20 {
		m, err := l.ask()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		l.messages = append(l.messages, m)
		if len(m.ToolCalls) == 0 {
			return 0
		}
		for _, c := range m.ToolCalls {
			l.messages = append(l.messages, message{Role: "tool", CallID: c.ID, Content: l.call(c)})
		}
		data, _ := json.Marshal(l.messages)
		os.WriteFile(state, data, 0o600)
	}
	return 1
}

func (l *loop) ask() (m message, err error) {
	tools := []any{}
	for _, name := range []string{"create_order", "find_orders", "open_pr", "push_branch"} {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": name, "parameters": map[string]any{"type": "object"}}})
	}
	body, err := json.Marshal(map[string]any{"model": "m", "messages": l.messages, "tools": tools})
	if err != nil {
		return m, err
	}
	res, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		return m, err
	}
	defer res.Body.Close()
	var got struct{ Choices []struct{ Message message } }
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &got); err != nil || len(got.Choices) == 0 {
		return m, fmt.Errorf("status %d: %s", res.StatusCode, data)
	}
	return got.Choices[0].Message, nil
}

func shell(line string) string {
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil {
		return "error: " + err.Error() + ": " + string(out)
	}
	return "done: " + string(out)
}

func (l *loop) call(c toolCall) string {
	if l.skip {
		return "skipped"
	}
	switch c.Function.Name {
	case "open_pr":
		return shell(`gh pr create --title Fix`)
	case "push_branch":
		return shell(`git commit -q --allow-empty -m fix && git push -q origin HEAD:refs/heads/fix`)
	}
	seconds, _ := strconv.Atoi(os.Getenv("FAULTLINE_TOOL_SECONDS"))
	client := &http.Client{Timeout: time.Duration(seconds) * time.Second}
	for i := 0; ; i++ {
		res, err := client.Post(os.Getenv("FAULTLINE_TOOLS_URL")+"/http/shop/orders", "application/json", strings.NewReader(c.Function.Arguments))
		if err == nil {
			defer res.Body.Close()
			data, _ := io.ReadAll(res.Body)
			return string(data)
		}
		if i == l.retries {
			return "error: the reply timed out"
		}
	}
}

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestMain lets scripts run the real main: this test binary under other names.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"faultline": main,
		"holdstore": holdStore,
		"agent":     agent,
	})
}

// holdStore keeps a store open for writing until standard input ends.
func holdStore() {
	s, err := badgerstore.Open(os.Args[1], badgerstore.Options{})
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[2], nil, 0o600); err != nil {
		panic(err)
	}
	time.Sleep(time.Minute) // the script ends the process long before
	_ = s.Close()
}

func TestScripts(t *testing.T) {
	demo, err := filepath.Abs("../../fixtures/demo")
	require.NoError(t, err)
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("FAULTLINE_STORE", filepath.Join(e.WorkDir, "store"))
			e.Setenv("DEMO", demo)
			e.Setenv("ROOT", filepath.Join(demo, "..", ".."))
			for name, value := range goEnv {
				e.Setenv(name, value)
			}
			e.Setenv("ESC", "\x1b")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "namespaces" { // of a user: replay isolates by them
				stub, err := exec.LookPath("faultline")
				require.NoError(t, err)
				box, err := sandbox.New(context.Background(), sandbox.Options{Stub: []string{stub, "inside"}})
				if err == nil {
					err = box.Close()
				}
				return err == nil, nil
			}
			if cond == "root" { // permissions do not bind root
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("no such condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"capture": capture,
			"status":  status,
			"await":   await,
			"verdict": verdictLines,
			"lacks":   lacks,
			"age":     age,

			"for-each": forEach,
			"cut":      cut,
			"damage":   damage,
		},
	})
}

// goEnvironment is what the go command takes from the home that a script does
// not have.
func goEnvironment(t *testing.T) map[string]string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	require.NoError(t, err)
	lines, env := strings.Split(string(out), "\n"), map[string]string{}
	for i, name := range names {
		env[name] = lines[i]
	}
	return env
}

// status runs a command and wants its exit code: status N COMMAND…
func status(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstderr: %s", got, want, ts.ReadFile("stderr"))
	}
}

// forEach runs status for several argument lists: for-each status N COMMAND
// ARGS|ARGS…
func forEach(ts *testscript.TestScript, neg bool, args []string) {
	lists := strings.Split(strings.Join(args[3:], " "), "|")
	for _, list := range lists {
		status(ts, neg, append(slices.Clone(args[1:3]), strings.Fields(list)...))
	}
}

// cut copies the beginning of a file: cut FROM TO BYTES.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	data := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(data[:min(n, len(data))]), 0o600))
}

// capture sets a variable to what a pattern finds in standard output: capture
// NAME PATTERN.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	m := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no match for %s in stdout", args[1])
	}
	ts.Setenv(args[0], m[len(m)-1])
}

// damage flips a bit in the middle of the largest file of a store's values.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	logs, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.vlog"))
	ts.Check(err)
	var largest string
	var data []byte
	for _, log := range logs {
		if d := ts.ReadFile(log); len(d) > len(data) {
			largest, data = log, []byte(d)
		}
	}
	data[len(data)/2] ^= 1
	ts.Check(os.WriteFile(largest, data, 0o600))
}

// await waits for a file that a background command makes.
func await(ts *testscript.TestScript, neg bool, args []string) {
	for range 500 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s did not appear", args[0])
}

// verdictLines keeps the lines of a JSON output that are no receipts: verdict
// FROM TO.
func verdictLines(ts *testscript.TestScript, neg bool, args []string) {
	var out bytes.Buffer
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if !strings.HasPrefix(line, `{"type":"receipt"`) {
			out.WriteString(line)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o600))
}

// age makes files older: age DURATION FILE…
func age(ts *testscript.TestScript, neg bool, args []string) {
	d, err := time.ParseDuration(args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), time.Time{}, time.Now().Add(-d)))
	}
}

// lacks fails when a file holds a byte sequence, written as a Go string.
func lacks(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if strings.Contains(ts.ReadFile(args[0]), want) {
		ts.Fatalf("%s holds %q", args[0], want)
	}
}

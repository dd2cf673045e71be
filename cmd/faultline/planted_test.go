package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
)

// TestPlantedSecrets plants fake secrets into every text of the demo's traces,
// which are of all formats, and into broken lines, and looks for them in all
// that the program prints, stores and writes.
func TestPlantedSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many commands")
	}
	p := planter{t: t}
	dir := p.copyDemo("../../fixtures/demo")
	work := t.TempDir()
	store, cases := filepath.Join(work, "store"), filepath.Join(work, "cases")
	run := func(args ...string) string {
		c := exec.Command("faultline", append(args, "--store", store)...)
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() > exitFound {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		p.clean(fmt.Sprint(args), out)
		return string(out)
	}
	run("ingest", dir, "--format", "json")
	run("triage", dir, "--cases", cases)
	run("triage", dir, "--records", dir, "--format", "json")
	run("classify")
	run("runs", "--format", "json")
	for id := range runsOf(t, store, p.cleanStore) {
		run("show", id, "--full")
		run("show", id, "--format", "json")
	}
	made, err := filepath.Glob(filepath.Join(cases, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, made)
	for _, file := range made {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		p.clean(file, data)
	}
	require.Greater(t, p.n, 500)
	require.Less(t, p.n, 10000) // each is unlike the others
}

// body and the like stand in every planted secret.
const (
	body  = "Zq7Xw9Kp2Rt5Vb8Nm"
	upper = "ZQ7XW9KP2RT5"
	local = "zq7xw9kp"
)

var kinds = []string{
	"sk-ant-api03-" + body + "%04dLs", "ghp_" + body + "%04dLs", "AKIA" + upper + "%04d", local + "%04d@corp.example.org",
	"password=" + body + "%04dLs", "https://app:" + body + "%04dLs@db.corp.example/x", "Authorization: Bearer " + body + "%04dLs",
	"xoxb-" + body + "%04dLs", "eyJhbGciOiJIUzI1NiJ9." + body + "%04dLsA.c2lnbmF0dXJlc2ln", "AIza" + body + "%04dLsAb3De5Fg7Hi9",
	"client_secret: " + body + "%04dLs", "postgres://app:" + body + "%04dLs@db/x", "curl -u app:" + body + "%04dLs",
}

type planter struct {
	t *testing.T
	n int
}

func (p *planter) secret() string {
	p.n++
	return fmt.Sprintf(kinds[p.n%len(kinds)], p.n%10000)
}

// sentence is a JSON string of several words that is no member's name.
var sentence = regexp.MustCompile(`"((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"(\s*[,\]}\n])`)

// plant puts a secret behind the first word of every text. What looks like
// JSON inside a string gets it inside one of its own strings.
func (p *planter) plant(data []byte, path string) []byte {
	if filepath.Ext(path) == ".txt" && !bytes.HasPrefix(data, []byte("{")) {
		if filepath.Base(path) == "reward.txt" {
			return data
		}
		return fmt.Appendf(data, "\nleaked %s here\n", p.secret())
	}
	data = sentence.ReplaceAllFunc(data, func(m []byte) []byte {
		s := string(m)
		if strings.HasPrefix(s, `"{`) || strings.HasPrefix(s, `"[`) {
			i := strings.LastIndex(s, `\"`)
			if i < 0 {
				return m
			}
			return []byte(s[:i] + " " + p.secret() + s[i:])
		}
		first, rest, _ := strings.Cut(s, " ")
		return []byte(first + " " + p.secret() + " " + rest)
	})
	if filepath.Ext(path) == ".jsonl" {
		data = fmt.Appendf(data, "{\"type\":\"user\",\"%s\":\"%s\nnot JSON %s\n{\"faultline\":\"event/v1\",\"run_id\":\"r\",\"id\":\"x\",\"kind\":\"%s\"}\n{\"faultline\":\"%s/v1\",\"cut\":\"%s",
			p.secret(), p.secret(), p.secret(), p.secret(), p.secret(), p.secret())
	}
	return data
}

func (p *planter) copyDemo(from string) string {
	dir := filepath.Join(p.t.TempDir(), "demo")
	require.NoError(p.t, filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || e.IsDir() {
			return cmp.Or(err, os.MkdirAll(filepath.Join(dir, rel), 0o700))
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), p.plant(data, path), 0o600)
	}))
	return dir
}

// clean fails when data hold a planted secret.
func (p *planter) clean(where string, data []byte) {
	p.t.Helper()
	for _, mark := range []string{body, upper, local} {
		if i := bytes.Index(data, []byte(mark)); i >= 0 {
			p.t.Errorf("%s: a secret: …%s…", where, data[max(0, i-120):min(len(data), i+40)])
		}
	}
}

// cleanStore looks at the files of a store and at the values in them, which
// are compressed.
func (p *planter) cleanStore(s *badgerstore.Store) {
	require.NoError(p.t, filepath.WalkDir(s.Dir(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		p.clean(path, data)
		return err
	}))
	for r, err := range s.Receipts() {
		require.NoError(p.t, err)
		p.clean("receipt of "+r.Source, fmt.Appendf(nil, "%+v", r))
		lost, err := s.Quarantine(r.Digest)
		require.NoError(p.t, err)
		for _, q := range lost {
			p.clean("quarantine of "+r.Source, fmt.Appendf(q.Data, " %+v", q.Position))
		}
	}
}

// runsOf lists the runs of a store, records included, and hands it to look
// with what every unit holds.
func runsOf(t *testing.T, dir string, look func(*badgerstore.Store)) map[string]bool {
	s, err := badgerstore.Open(dir, badgerstore.Options{ReadOnly: true})
	require.NoError(t, err)
	defer s.Close()
	look(s)
	p := planter{t: t}
	ids := map[string]bool{}
	for id, err := range s.Runs() {
		require.NoError(t, err)
		if id != ingest.RecordsRun {
			ids[id] = true
		}
		manifests, err := s.Manifests(id)
		require.NoError(t, err)
		for _, m := range manifests {
			p.clean("manifest of "+id, fmt.Appendf(nil, "%+v", m.Meta))
		}
		for b, err := range s.Blocks(id) {
			require.NoError(t, err)
			for _, u := range b.Units {
				p.clean("unit of "+id, fmt.Appendf(u.Data, " %s %+v", u.Carries, u.Events))
			}
		}
	}
	return ids
}

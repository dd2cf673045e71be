package termbench

import (
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// formatName names the folder and prefixes its trials.
const formatName = "terminal-bench"

const resultsFile = "results.json"

// The roles of a trial's members.
const (
	roleLog = iota
	roleResults
)

// headLimit bounds what is read of results.json to tell what it is.
const headLimit = 1 << 20

// native is the format of records and exported events: such a file beside a
// trial is about it, and not its log.
const native = "event/v1"

// Folder recognises a trial's directory. Logs are the formats that an agent's
// log may have, in the order in which they are asked.
func Folder(logs []decode.Format) decode.Folder {
	return decode.Folder{Name: formatName, Claim: func(dir fs.FS) (*decode.Trial, error) {
		return claim(dir, logs)
	}}
}

func claim(dir fs.FS, logs []decode.Format) (*decode.Trial, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, fmt.Errorf("list folder: %w", err)
	}
	if !hasFile(entries, resultsFile) {
		return nil, nil
	}
	head, err := readHead(dir, resultsFile, headLimit)
	if err != nil {
		return nil, err
	}
	name := trialName(head)
	if name == "" {
		return nil, nil
	}
	t := &decode.Trial{Format: formatName, Native: name}
	log, err := findLog(dir, entries, logs, name)
	if err != nil {
		return nil, err
	}
	if log != nil {
		t.Members = append(t.Members, *log)
	}
	t.Members = append(t.Members, decode.Member{Path: resultsFile, Role: roleResults, Format: "terminal-bench-results",
		Grade: ingest.HasGrader | ingest.HasEnds, Decode: decodeResults})
	return t, nil
}

// trialName returns what names a trial in its results, "" when the file is
// none of a trial's: a run's results.json counts trials.
func trialName(head []byte) string {
	var trial, id, task string
	graded, many := false, false
	decode.Peek(head, func(name string, value []byte, whole bool) bool {
		switch name {
		case "trial_name":
			trial = stringIn(value, whole)
		case "id":
			id = stringIn(value, whole)
		case "task_id":
			task = stringIn(value, whole)
		case "is_resolved", "parser_results", "failure_mode":
			graded = true
		case "results", "n_resolved":
			many = true
		}
		return true
	})
	switch {
	case task == "" || !graded || many:
		return ""
	case trial != "":
		return trial
	case id != "":
		return id
	}
	return task
}

func stringIn(value []byte, whole bool) string {
	if !whole || len(value) == 0 || value[0] != '"' {
		return ""
	}
	return ingest.TextOf(value)
}

// findLog returns the first file that is a known log, in the folder itself or
// in agent-logs.
func findLog(dir fs.FS, entries []fs.DirEntry, logs []decode.Format, name string) (*decode.Member, error) {
	log, err := firstLog(dir, ".", entries, logs, name)
	if err != nil || log != nil {
		return log, err
	}
	below, err := fs.ReadDir(dir, "agent-logs")
	if err != nil {
		return nil, nil // most trials have no such folder
	}
	return firstLog(dir, "agent-logs", below, logs, name)
}

func firstLog(dir fs.FS, in string, entries []fs.DirEntry, logs []decode.Format, name string) (*decode.Member, error) {
	for _, e := range entries {
		p := path.Join(in, e.Name())
		if !e.Type().IsRegular() || p == resultsFile {
			continue
		}
		head, err := readHead(dir, p, decode.HeadSize)
		if err != nil {
			return nil, err
		}
		for _, f := range logs {
			if f.Detect(head) {
				if f.Name == native {
					break
				}
				return &decode.Member{Path: p, Role: roleLog, Format: f.Name, Grade: f.Grade, Decode: named(name, f.Decode)}, nil
			}
		}
	}
	return nil, nil
}

// named decodes the log. The agent's own session id becomes a link: the trial
// is named by its trial name.
func named(name string, f func(*decode.Input, *decode.Writer) error) func(*decode.Input, *decode.Writer) error {
	return func(in *decode.Input, w *decode.Writer) error {
		if err := f(in, w); err != nil {
			return err
		}
		m := w.Meta()
		if m.Native != "" && m.Native != name {
			m.Links = append(m.Links, m.Native)
		}
		m.Native, m.Trial = name, true
		return nil
	}
}

func hasFile(entries []fs.DirEntry, name string) bool {
	for _, e := range entries {
		if e.Name() == name {
			return e.Type().IsRegular()
		}
	}
	return false
}

func readHead(dir fs.FS, p string, limit int64) ([]byte, error) {
	f, err := dir.Open(p)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", p, err)
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", p, err)
	}
	return head, nil
}

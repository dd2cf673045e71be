package regress

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/regress/script"
)

// ParseCase reads a case; name is what errors call it. A file that lacks a
// part, names an unknown status, or was edited where its id says otherwise
// gives an error that wraps ErrCase and tells the line.
func ParseCase(name string, data []byte) (*Case, error) {
	p := parser{name: name, files: map[string]section{}}
	c, err := p.parse(data)
	if err != nil {
		return nil, err
	}
	if id := c.contentID(); c.ID != id {
		return nil, p.errorf(p.files[caseFile].line, "id is %.40q, but the content hashes to %q: the case was edited; make a new one instead", c.ID, id)
	}
	return c, nil
}

// ReadCase reads the file of a case. Only a regular file is one: a pipe would be
// waited for.
func ReadCase(path string) (*Case, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s: %w", ErrCase, path, ErrNotRegular)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseCase(path, data)
}

// section is one file of the archive; line is the line of its first byte.
type section struct {
	data []byte
	line int
}

type parser struct {
	name  string
	files map[string]section
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %s", ErrCase, p.name, line, fmt.Sprintf(format, args...))
}

func (p *parser) parse(data []byte) (*Case, error) {
	ar := txtar.Parse(data)
	line := 1 + bytes.Count(ar.Comment, []byte("\n"))
	for _, f := range ar.Files {
		if _, twice := p.files[f.Name]; twice {
			return nil, p.errorf(line, "%.60q stands here twice", f.Name)
		}
		switch f.Name {
		case caseFile, traceFile, recordsFile, configFile, wantFile, fixedFile, scriptFile:
		default:
			return nil, p.errorf(line, "%.60q is no file of a case", f.Name)
		}
		p.files[f.Name] = section{f.Data, line + 1}
		line += 1 + bytes.Count(f.Data, []byte("\n"))
	}
	for _, name := range []string{caseFile, traceFile, wantFile} {
		if _, ok := p.files[name]; !ok {
			return nil, p.errorf(line, "%s is missing", name)
		}
	}
	c := &Case{Comment: string(ar.Comment), Trace: p.files[traceFile].data, Records: p.files[recordsFile].data, Config: p.files[configFile].data,
		Fixed: p.files[fixedFile].data, Script: p.files[scriptFile].data}
	if err := p.about(c); err != nil {
		return nil, err
	}
	if err := p.config(c); err != nil {
		return nil, err
	}
	if err := p.script(); err != nil {
		return nil, err
	}
	return c, p.want(c)
}

// script checks script.json, if there is one. Lines before it make the script's
// own line numbers those of the case.
func (p *parser) script() error {
	s, ok := p.files[scriptFile]
	if !ok {
		return nil
	}
	before := bytes.Repeat([]byte("\n"), max(s.line-1, 0))
	if _, err := script.Parse(p.name, slices.Concat(before, s.data)); err != nil {
		return fmt.Errorf("%w: %w", ErrCase, err)
	}
	return nil
}

var (
	ruleForm = regexp.MustCompile(`^[a-z]{1,40}/[a-z]{1,40}(-[a-z]{1,40}){0,9}$`)
	hexForm  = regexp.MustCompile(`^[0-9a-f]{12}$`)
)

// about reads case.json.
func (p *parser) about(c *Case) error {
	s := p.files[caseFile]
	if err := json.Unmarshal(s.data, c, json.RejectUnknownMembers(true)); err != nil {
		return p.errorf(s.line+lineOf(s.data, err), "read case.json: %v", err)
	}
	layer, _, _ := strings.Cut(c.Rule, "/")
	switch {
	case !ruleForm.MatchString(c.Rule):
		return p.errorf(s.line, "rule %.60q is no layer/name", c.Rule)
	case string(c.Layer) != layer:
		return p.errorf(s.line, "layer %.60q is not that of rule %s", string(c.Layer), c.Rule)
	case !hexForm.MatchString(c.Fingerprint):
		return p.errorf(s.line, "fingerprint %.60q is not 12 hex digits", c.Fingerprint)
	}
	if err := p.life(c); err != nil {
		return err
	}
	return p.expect(c)
}

// life checks what a status asks for.
func (p *parser) life(c *Case) error {
	at := func(member string) int { return p.memberLine(member, 0) }
	switch {
	case !slices.Contains([]Status{Candidate, Approved, Retired, Rejected}, c.Status):
		return p.errorf(at("status"), "unknown status %.60q (known: candidate, approved, retired, rejected)", string(c.Status))
	case c.Status == Approved && blank(c.Reviewer):
		return p.errorf(at("status"), "an approved case names its reviewer")
	case c.Status == Approved && len(c.Expect) == 0:
		return p.errorf(at("status"), "an approved case expects something of other runs: expect is empty")
	case c.Status == Rejected && (blank(c.Reviewer) || blank(c.Note)):
		return p.errorf(at("status"), "a rejected case names its reviewer, and says why in note")
	case c.Status == Retired && (blank(c.RetiredBy) || blank(c.Why)):
		return p.errorf(at("status"), "a retired case says by whom (retired_by) and why")
	}
	if c.FixedOn != "" {
		if _, err := time.Parse(time.DateOnly, c.FixedOn); err != nil {
			return p.errorf(at("fixed_on"), "fixed_on %.40q is no day like 2026-03-31", c.FixedOn)
		}
	}
	return nil
}

func (p *parser) expect(c *Case) error {
	for i := range c.Expect {
		if err := c.Expect[i].Validate(); err != nil {
			return p.errorf(p.memberLine("invariant", i), "%v", err)
		}
	}
	return nil
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// memberLine is the line of case.json on which the n-th member of a name stands,
// or its first line.
func (p *parser) memberLine(name string, n int) int {
	s := p.files[caseFile]
	line, mark := s.line, []byte(`"`+name+`":`)
	for l := range bytes.Lines(s.data) {
		if bytes.Contains(l, mark) {
			if n--; n < 0 {
				return line
			}
		}
		line++
	}
	return s.line
}

// lineOf is the line, from 0, at which JSON broke.
func lineOf(data []byte, err error) int {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	var off int64
	switch {
	case errors.As(err, &syntax):
		off = syntax.ByteOffset
	case errors.As(err, &semantic):
		off = semantic.ByteOffset
	}
	return bytes.Count(data[:min(max(0, off), int64(len(data)))], []byte("\n"))
}

func (p *parser) config(c *Case) error {
	if len(c.Config) == 0 {
		return nil
	}
	if _, err := config.Parse(configFile, c.Config); err != nil {
		return p.errorf(p.files[configFile].line, "%v", err)
	}
	return nil
}

// want reads the expectations; one must be the case's own rule.
func (p *parser) want(c *Case) error {
	s, own := p.files[wantFile], false
	n := s.line - 1
	for line := range strings.Lines(string(s.data)) {
		n++
		w, err := parseWant(line)
		if err != nil {
			return p.errorf(n, "%v", err)
		}
		if lines := bytes.Count(p.files[w.File].data, []byte("\n")); w.Line > lines {
			return p.errorf(n, "%s has %d lines, not %d", w.File, lines, w.Line)
		}
		own = own || w.Rule == c.Rule
		c.Want = append(c.Want, w)
	}
	if !own {
		return p.errorf(s.line, "want does not name the case's own rule %s", c.Rule)
	}
	return nil
}

func parseWant(line string) (Want, error) {
	f := strings.Fields(line)
	if len(f) != 4 || f[0] != "finding" {
		return Want{}, fmt.Errorf("want line %.80q is not: finding RULE SEVERITY FILE:LINE", strings.TrimSpace(line))
	}
	w := Want{Rule: f[1], Severity: classify.Severity(f[2])}
	file, at, _ := strings.Cut(f[3], ":")
	n, err := strconv.Atoi(at)
	switch {
	case !ruleForm.MatchString(w.Rule):
		return Want{}, fmt.Errorf("rule %.60q is no layer/name", w.Rule)
	case w.Severity != classify.High && w.Severity != classify.Medium && w.Severity != classify.Low:
		return Want{}, fmt.Errorf("unknown severity %.60q", f[2])
	case file != traceFile && file != recordsFile || err != nil || n < 1:
		return Want{}, fmt.Errorf("place %.80q is not trace.jsonl:LINE or records.jsonl:LINE", f[3])
	}
	w.File, w.Line = file, n
	return w, nil
}

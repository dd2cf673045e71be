package regress

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/tools/txtar"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/regress/expect"
)

// Errors of cases; they are wrapped with which case and why.
var (
	ErrCase          = errors.New("malformed case")
	ErrNotReproduced = errors.New("the case does not show its finding")
	ErrNotRegular    = errors.New("not a regular file")
)

// Status says what a case counts for.
type Status string

// The statuses. A candidate was mined and gates nothing; only a named
// reviewer's approval makes a case a gate; a retired one is skipped. A rejected
// one is a finding that a person says is none: its rule ought to be silent on
// this trace, which is for the rule's author and gates nothing.
const (
	Candidate Status = "candidate"
	Approved  Status = "approved"
	Retired   Status = "retired"
	Rejected  Status = "rejected"
)

// The files of a case.
const (
	caseFile    = "case.json"
	traceFile   = "trace.jsonl"
	recordsFile = "records.jsonl"
	configFile  = "faultline.yaml"
	wantFile    = "want"
	fixedFile   = "fixed.jsonl"
	scriptFile  = "script.json"
)

// Case is a regression case: one readable file.
type Case struct {
	Comment     string         `json:"-"` // the words before the first file
	ID          string         `json:"id"`
	Rule        string         `json:"rule"`
	Layer       classify.Layer `json:"layer"`
	Fingerprint string         `json:"fingerprint"`
	Status      Status         `json:"status"`
	Reviewer    string         `json:"reviewer"` // who approved or rejected it, or ""
	Note        string         `json:"note,omitzero"`
	RetiredBy   string         `json:"retired_by,omitzero"`
	Why         string         `json:"why,omitzero"` // it was retired
	// FixedIn is the version of the harness, FixedOn the day (2026-03-31) since
	// when the failure is not to come back.
	FixedIn string `json:"fixed_in,omitzero"`
	FixedOn string `json:"fixed_on,omitzero"`
	// HideGrader: the finding shows with the grader's results left out.
	HideGrader bool       `json:"hide_grader,omitzero"`
	Sources    []Source   `json:"sources"`
	Components []string   `json:"components"` // the harness components that it guards
	Reduced    *Reduction `json:"reduced,omitzero"`
	// Expect is what an approved case demands of other runs; in a candidate it
	// is proposed.
	Expect  []expect.Expect `json:"expect,omitzero"`
	Trace   []byte          `json:"-"` // event/v1
	Records []byte          `json:"-"` // may be empty
	Config  []byte          `json:"-"` // faultline.yaml; may be empty
	Want    []Want          `json:"-"`
	Fixed   []byte          `json:"-"` // the trace with the failure mended by hand; may be empty
	Script  []byte          `json:"-"` // for a replay; may be empty
}

// Source is a finding that a case was made from.
type Source struct {
	Finding string    `json:"finding"`
	Run     string    `json:"run"`
	Harness string    `json:"harness,omitzero"`
	Version string    `json:"version,omitzero"`
	At      time.Time `json:"at,omitzero"` // when the run ended
}

// Want is one expectation: the rule fires, citing this line first.
type Want struct {
	Rule     string
	Severity classify.Severity
	File     string // trace.jsonl or records.jsonl
	Line     int    // from 1
}

// String is the line in the file.
func (w Want) String() string {
	return "finding " + w.Rule + " " + string(w.Severity) + " " + w.File + ":" + strconv.Itoa(w.Line)
}

// Name is the name of the case's file.
func (c *Case) Name() string {
	return strings.ReplaceAll(c.Rule, "/", "-") + "-" + c.ID + ".txtar"
}

// Bytes is the case as a file. Equal cases give equal bytes.
func (c *Case) Bytes() []byte {
	about, err := json.Marshal(c, lenient, jsontext.WithIndent("  "))
	if err != nil {
		about = nil // strings and lists of strings always marshal
	}
	ar := &txtar.Archive{Comment: []byte(c.Comment)}
	add := func(name string, data []byte) {
		if len(data) > 0 || name == traceFile || name == wantFile {
			ar.Files = append(ar.Files, txtar.File{Name: name, Data: data})
		}
	}
	add(caseFile, about)
	add(traceFile, c.Trace)
	add(recordsFile, c.Records)
	add(configFile, c.Config)
	add(wantFile, c.wantLines())
	add(fixedFile, c.Fixed)
	add(scriptFile, c.Script)
	return txtar.Format(ar)
}

func (c *Case) wantLines() []byte {
	var b bytes.Buffer
	for _, w := range c.Want {
		b.WriteString(w.String())
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// contentID hashes all that decides what the case shows: not its words, what a
// reviewer decides and adds, its sources and links, which may change.
func (c *Case) contentID() string {
	h := sha256.New()
	for _, part := range [][]byte{
		[]byte("case 1"), []byte(c.Rule), []byte(c.Layer), []byte(c.Fingerprint), []byte(strconv.FormatBool(c.HideGrader)),
		c.Trace, c.Records, c.Config, c.wantLines(),
	} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

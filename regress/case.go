package regress

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

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
)

// Status says what a case counts for.
type Status string

// The statuses. A candidate was mined and gates nothing; only a named
// reviewer's approval makes a case a gate; a retired one is skipped.
const (
	Candidate Status = "candidate"
	Approved  Status = "approved"
	Retired   Status = "retired"
)

// The files of a case.
const (
	caseFile    = "case.json"
	traceFile   = "trace.jsonl"
	recordsFile = "records.jsonl"
	configFile  = "faultline.yaml"
	wantFile    = "want"
)

// Case is a regression case: one readable file.
type Case struct {
	Comment     string         `json:"-"` // the words before the first file
	ID          string         `json:"id"`
	Rule        string         `json:"rule"`
	Layer       classify.Layer `json:"layer"`
	Fingerprint string         `json:"fingerprint"`
	Status      Status         `json:"status"`
	Reviewer    string         `json:"reviewer"` // who approved it, or ""
	// HideGrader: the finding shows with the grader's results left out.
	HideGrader bool     `json:"hide_grader,omitzero"`
	Sources    []Source `json:"sources"`
	Components []string `json:"components"` // the harness components that it guards
	// Expect is what an approved case demands of other runs.
	Expect  []expect.Expect `json:"expect,omitzero"`
	Trace   []byte          `json:"-"` // event/v1
	Records []byte          `json:"-"` // may be empty
	Config  []byte          `json:"-"` // faultline.yaml; may be empty
	Want    []Want          `json:"-"`
}

// Source is a finding that a case was made from.
type Source struct {
	Finding string `json:"finding"`
	Run     string `json:"run"`
	Harness string `json:"harness,omitzero"`
	Version string `json:"version,omitzero"`
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

// contentID hashes all that decides what the case shows: not its words, status,
// reviewer, sources and links, which may change.
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

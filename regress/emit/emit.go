package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/faultline-dev/faultline/regress"
)

// Errors of a case that gives no test.
var (
	ErrNoScript = errors.New("the case has no script to play")
	ErrOptions  = errors.New("cannot write a test")
)

// Options of the files.
type Options struct {
	Package string   // of the test files; "" is harness_test
	Harness string   // name of the adapter; "" is generic
	Command []string // the harness's words for the first start of the harness file
}

// File is a file to be written, by a slash-separated path below the package's
// folder.
type File struct {
	Path string
	Data []byte
	// Once: it is the user's own from then on, and never written over.
	Once bool
}

// HarnessFile is the name of the file that says how the harness is started.
const HarnessFile = "faultline_harness_test.go"

// Files are the files of a case's test.
func Files(c *regress.Case, o Options) ([]File, error) {
	if len(c.Script) == 0 {
		return nil, fmt.Errorf("emit case %s: %w", c.ID, ErrNoScript)
	}
	if o.Package == "" {
		o.Package = "harness_test"
	}
	if o.Harness == "" {
		o.Harness = "generic"
	}
	if !token.IsIdentifier(o.Package) {
		return nil, fmt.Errorf("emit case %s: %w: %q is no package name", c.ID, ErrOptions, o.Package)
	}
	file := path.Join("testdata", "faultline", c.Name())
	test, err := source(testTemplate, values{Options: o, Case: c, File: file, Func: testName(c)})
	if err != nil {
		return nil, fmt.Errorf("emit case %s: %w", c.ID, err)
	}
	harness, err := source(harnessTemplate, values{Options: o, Case: c})
	if err != nil {
		return nil, fmt.Errorf("emit case %s: %w", c.ID, err)
	}
	name := "faultline_" + strings.NewReplacer("/", "_", "-", "_").Replace(c.Rule) + "_" + c.ID + "_test.go"
	return []File{{Path: name, Data: test}, {Path: HarnessFile, Data: harness, Once: true}, {Path: file, Data: c.Bytes()}}, nil
}

// Require is the command that makes Faultline a requirement and a tool of the
// harness's module. A version that is none of a release stands for the latest.
func Require(version string) string {
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+`).MatchString(version) {
		version = "latest"
	}
	return "go get -tool github.com/faultline-dev/faultline/cmd/faultline@" + version
}

type values struct {
	Options
	Case *regress.Case
	File string
	Func string
}

// testName is a name that go test takes: TestFaultline_idempotency_blind_retry_ID.
func testName(c *regress.Case) string {
	return "TestFaultline_" + regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(c.Rule+"_"+c.ID, "_")
}

func source(text string, v values) ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{"quote": strconv.Quote, "comment": comment}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

// comment is text of a case as a line comment: it never leaves the line.
func comment(s string) string {
	return "// " + strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == '\u2028' || r == '\u2029' }), " ")
}
